/**
 * Fields that only some kinds of a base type have, as fields of the base type: null for items of other kinds, whatever
 * a column of the shared table starts with. Kinds that share a reference share its column, which holds nothing for the
 * others.
 */
import type { RowExpression } from '../sql.js';
import type { Field, KindField, ResourceType, ScalarField } from './model.js';
import { caseOfKind, waysOf } from './read-as.js';

/** By name in lower case; more than one where kinds mean different things by a name. */
export function kindFieldsOf(type: ResourceType): Map<string, readonly KindField[]> {
  const meanings = new Map<string, KindField[]>();
  for (const kind of (type.like ?? type).kindsBelow) {
    for (const field of kind.fields) {
      const name = field.name.toLowerCase();
      if (type.field(name) || (field.kind === 'scalar' && field.isWriteOnly)) continue;
      meanings.set(name, withKind(meanings.get(name) ?? [], field, kind));
    }
  }
  const named = [...meanings].map(([name, all]) => [name, current(all).map(shared)] as const);
  return new Map(named.toSorted(([, [a]], [, [b]]) => order.indexOf(a!.field.kind) - order.indexOf(b!.field.kind)));
}

const order: readonly Field['kind'][] = ['scalar', 'reference', 'collection'];

function withKind(meanings: readonly KindField[], field: Field, kind: ResourceType): KindField[] {
  const at = meanings.findIndex((meaning) => isSame(meaning.field, field));
  if (at < 0) return [...meanings, { field, kinds: [kind] }];
  return meanings.with(at, { ...meanings[at]!, kinds: [...meanings[at]!.kinds, kind] });
}

function isSame(one: Field, other: Field): boolean {
  if (one.kind === 'scalar') return other.kind === 'scalar' && isSameScalar(one, other);
  if (other.kind === 'scalar' || one.target !== other.target) return false;
  if (one.kind === 'reference') return other.kind === 'reference' && one.column === other.column;
  return other.kind === 'collection' && JSON.stringify(one.via) === JSON.stringify(other.via);
}

/** A deprecated reference gives its name up where other kinds mean something else by it. */
function current(meanings: readonly KindField[]): readonly KindField[] {
  const lasting = meanings.filter(({ field }) => field.kind !== 'reference' || !field.isDeprecated);
  return lasting.length > 0 ? lasting : meanings;
}

const scalarParts = ['scalar', 'column', 'isPrivate', 'choices'] as const;

/** Kinds may read one column, or work a value out, in several ways. */
const isSameScalar = (one: ScalarField, other: ScalarField): boolean =>
  scalarParts.every((part) => one[part] === other[part]);

const shared = ({ field, kinds }: KindField): KindField =>
  field.kind === 'scalar'
    ? { field: { ...field, isNullable: true, column: undefined, expression: guarded(field, kinds) }, kinds }
    : { field, kinds };

/** How each of the kinds reads the field. */
function guarded({ name, column, expression }: ScalarField, kinds: readonly ResourceType[]): RowExpression {
  const plain: RowExpression = (row) => row(column!);
  const wayOf = (own: Field | undefined) => (own?.kind === 'scalar' ? own.expression : expression) ?? plain;
  return caseOfKind(waysOf(kinds, (kind) => wayOf(kind.field(name))));
}
