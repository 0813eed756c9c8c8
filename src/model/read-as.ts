/** Values of columns that some kinds read in another way: what the column holds is not all of the value. */
import { raw, type Sql, sql } from '../sql.js';
import type { Field, ResourceType, RowExpression, ScalarField } from './model.js';

/** As the type itself says. */
export const readByType = (field: Field, { settings }: ResourceType): Field =>
  field.kind === 'scalar' && settings.readAs[field.property]
    ? { ...field, expression: settings.readAs[field.property] }
    : field;

/** As the kinds of a base type say, each for its own rows. */
export function readByKinds(field: Field, type: ResourceType): Field {
  if (field.kind !== 'scalar' || !field.column) return field;
  const { column } = field;
  const ways = waysBelow(type, field);
  return ways.size === 0 ? field : { ...field, expression: caseOfKind(ways, (row) => row(column)) };
}

/** Kinds by the way in which they read the field. */
function waysBelow(type: ResourceType, { property }: ScalarField): Map<RowExpression, ResourceType[]> {
  const ways = new Map<RowExpression, ResourceType[]>();
  for (const kind of kindsBelow(type)) {
    const way = kind.settings.readAs[property];
    if (way) ways.set(way, [...(ways.get(way) ?? []), kind]);
  }
  return ways;
}

const kindsBelow = ({ derived }: ResourceType): ResourceType[] =>
  derived.flatMap((kind) => [kind, ...kindsBelow(kind)]);

/** What each kind says of its own rows; of others `otherwise`, or null. */
export const caseOfKind =
  (ways: ReadonlyMap<RowExpression, readonly ResourceType[]>, otherwise?: RowExpression): RowExpression =>
  (row) => {
    const cases = [...ways].map(
      ([way, kinds]) => sql`when ${row(kindColumn(kinds))} in (${valuesOf(kinds)}) then ${way(row)} `,
    );
    const rest = otherwise ? sql`else ${otherwise(row)} ` : sql``;
    return sql`case ${cases.reduce((all, one) => sql`${all}${one}`)}${rest}end`;
  };

const kindColumn = ([first]: readonly ResourceType[]): string => first!.discriminator!.column;

function valuesOf(kinds: readonly ResourceType[]): Sql {
  const values = new Set(kinds.flatMap(({ discriminator }) => discriminator?.values ?? []));
  return raw([...values].map((value) => (typeof value === 'number' ? String(value) : `'${value}'`)).join(', '));
}
