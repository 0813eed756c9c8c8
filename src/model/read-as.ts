/** Values of columns that some kinds read in another way: what the column holds is not all of the value. */
import { join, type RowExpression, raw, type Sql, sql } from '../sql.js';
import type { Field, ResourceType } from './model.js';

/** As the type itself says. */
export const readByType = (field: Field, { settings }: ResourceType): Field =>
  field.kind === 'scalar' && settings.readAs[field.property]
    ? { ...field, expression: settings.readAs[field.property] }
    : field;

/** As the kinds of a base type say, each for its own rows, where they say something else than the base. */
export function readByKinds(field: Field, type: ResourceType): Field {
  if (field.kind !== 'scalar' || !field.column) return field;
  const { column, property } = field;
  const own = type.settings.readAs[property];
  const ways = waysOf(type.kindsBelow, ({ settings }) => settings.readAs[property]);
  if (own) ways.delete(own);
  return ways.size === 0 ? field : { ...field, expression: caseOfKind(ways, own ?? ((row) => row(column))) };
}

/** Kinds by the way in which they read a field, as far as they have one. */
export function waysOf(
  kinds: readonly ResourceType[],
  wayOf: (kind: ResourceType) => RowExpression | undefined,
): Map<RowExpression, ResourceType[]> {
  const ways = new Map<RowExpression, ResourceType[]>();
  for (const kind of kinds) {
    const way = wayOf(kind);
    if (way) ways.set(way, [...(ways.get(way) ?? []), kind]);
  }
  return ways;
}

/** What each kind says of its own rows; of others `otherwise`, or null. */
export const caseOfKind =
  (ways: ReadonlyMap<RowExpression, readonly ResourceType[]>, otherwise?: RowExpression): RowExpression =>
  (row) => {
    const cases = [...ways].map(
      ([way, kinds]) => sql`when ${row(kindColumn(kinds))} in (${valuesOf(kinds)}) then ${way(row)}`,
    );
    const rest = otherwise ? [sql`else ${otherwise(row)}`] : [];
    return sql`case ${join([...cases, ...rest], raw(' '))} end`;
  };

const kindColumn = ([first]: readonly ResourceType[]): string => first!.discriminator!.column;

function valuesOf(kinds: readonly ResourceType[]): Sql {
  const values = new Set(kinds.flatMap(({ discriminator }) => discriminator?.values ?? []));
  return raw([...values].map((value) => (typeof value === 'number' ? String(value) : `'${value}'`)).join(', '));
}
