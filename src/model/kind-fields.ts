/**
 * Fields that only some kinds of a base type have, as fields of the base type: null for items of other kinds, whatever a column of
 * the shared table starts with. Kinds that share a reference share its column, which holds nothing for the others.
 */
import { raw, type Sql, sql } from '../sql.js';
import type { Field, ResourceType, RowExpression, ScalarField } from './model.js';

/** By name in lower case; more than one where kinds mean different things by a name. */
export function kindFieldsOf(type: ResourceType): Map<string, readonly Field[]> {
  const meanings = new Map<string, Meaning[]>();
  for (const kind of kindsBelow(type.like ?? type)) {
    for (const field of kind.fields) {
      const name = field.name.toLowerCase();
      if (type.field(name) || (field.kind === 'scalar' && field.isWriteOnly)) continue;
      meanings.set(name, withKind(meanings.get(name) ?? [], field, kind));
    }
  }
  const named = [...meanings].map(([name, all]) => [name, all.map(shared)] as const);
  return new Map(named.toSorted(([, [a]], [, [b]]) => order.indexOf(a!.kind) - order.indexOf(b!.kind)));
}

const order: readonly Field['kind'][] = ['scalar', 'reference', 'collection'];

/** What some kinds mean by a name. */
interface Meaning {
  field: Field;
  kinds: readonly ResourceType[];
}

function withKind(meanings: readonly Meaning[], field: Field, kind: ResourceType): Meaning[] {
  const at = meanings.findIndex((known) => isSame(known.field, field));
  if (at < 0) return [...meanings, { field, kinds: [kind] }];
  return meanings.with(at, { ...meanings[at]!, kinds: [...meanings[at]!.kinds, kind] });
}

const kindsBelow = ({ derived }: ResourceType): ResourceType[] =>
  derived.flatMap((kind) => [kind, ...kindsBelow(kind)]);

function isSame(one: Field, other: Field): boolean {
  if (one.kind === 'scalar') return other.kind === 'scalar' && scalarParts.every((part) => one[part] === other[part]);
  if (other.kind === 'scalar' || one.target !== other.target) return false;
  if (one.kind === 'reference') return other.kind === 'reference' && one.column === other.column;
  return other.kind === 'collection' && JSON.stringify(one.via) === JSON.stringify(other.via);
}

const scalarParts = ['scalar', 'column', 'expression', 'isPrivate', 'choices'] as const;

const shared = ({ field, kinds }: Meaning): Field =>
  field.kind === 'scalar' ? { ...field, isNullable: true, ...guardedValue(field, kinds) } : field;

function guardedValue({ column, expression }: ScalarField, kinds: readonly ResourceType[]): Partial<ScalarField> {
  const plain: RowExpression = expression ?? ((row) => row(column!));
  const discriminator = kinds[0]!.discriminator!;
  const values = [...new Set(kinds.flatMap((kind) => kind.discriminator?.values ?? []))];
  const spelled = raw(values.map((value) => (typeof value === 'number' ? String(value) : `'${value}'`)).join(', '));
  const guarded: RowExpression = (row): Sql =>
    sql`case when ${row(discriminator.column)} in (${spelled}) then ${plain(row)} end`;
  return { column: undefined, expression: guarded };
}
