/**
 * What travels along while a statement is compiled. The recursion is a part of it: files that spell one kind of thing
 * call the others through `spell`, and import their types only.
 */
import type { ResourceType } from '../../model/model.js';
import type { JsonV2 } from '../../representation/json-v2.js';
import { column, list, name, raw, type Sql, sql } from '../../sql.js';
import type { Condition, Plan, Value } from '../meaning.js';
import type { Share } from './answer-size.js';

export interface Compiling {
  readonly spell: Spell;
  /** The rows of lists of values that are open. */
  readonly lists: Map<symbol, Sql>;
  /** The values of the keys of a group. */
  keys?: readonly Sql[];
  /** What each part of an item may take that may be long. */
  share: Share;
  /** How values of version 2 are shown. */
  readonly json?: JsonV2;
}

/** The row that a condition or value is about, by its alias; and the means to name further rows. */
export interface Row {
  alias: Sql;
  aliases: Aliases;
  privacy: Plan['privacy'];
  /** Memberships count that were there at this moment, or when the row was deleted before. */
  asOf?: Sql;
  to: Compiling;
}

interface Spell {
  /** True, false or unknown, which is as good as false. */
  condition(condition: Condition, row: Row): Sql;
  json(value: Value, row: Row): Sql;
}

/** A collection of one row. */
export interface Opened {
  /** `from … where …`: the items that pass the filters. */
  from: Sql;
  order: Sql;
  /** What is asked of an item is about this row. */
  row: Row;
  /** Tells items apart. */
  id: Sql;
}

/** Hands out aliases: `t`, `t1`, `t2` … */
export class Aliases {
  constructor(public taken = 0) {}

  next(): Sql {
    this.taken += 1;
    return name(`t${this.taken}`);
  }
}

/** The row that a statement begins with. */
export const rootRow = (
  { privacy }: Pick<Plan, 'privacy'>,
  to: Compiling,
  alias = name('t'),
  aliases = new Aliases(),
): Row => ({ alias, aliases, privacy, to });

export const tableOf = (resource: ResourceType, row: Row): Sql => sql`${name(resource.table)} ${row.alias}`;

export const further = (row: Row): Row => ({ ...row, alias: row.aliases.next() });

export const conditionsSql = (conditions: readonly Condition[], row: Row): Sql[] =>
  conditions.map((condition) => row.to.spell.condition(condition, row));

/** Conditions of a row that is of a resource, too. */
export const rowConditions = (resource: ResourceType, conditions: readonly Condition[], row: Row): Sql[] => [
  ...kindConditions(resource, row),
  ...conditionsSql(conditions, row),
];

/** Conditions that make rows of a shared table rows of one kind. */
export function kindConditions({ discriminator }: ResourceType, row: Row): Sql[] {
  return discriminator?.values ? [kindSql(row.alias, discriminator.column, discriminator.values)] : [];
}

/** That a column that holds kinds, as numbers or as names, holds one of these. */
export function kindSql(alias: Sql, columnName: string, values: readonly (string | number)[]): Sql {
  const key = column(alias, columnName);
  return values.length === 1 ? sql`${key} = ${kindsSql(values)}` : sql`${key} in (${kindsSql(values)})`;
}

/** The same, in a way that the planner takes for no constant. */
export const anyKindSql = (key: Sql, values: readonly (string | number)[]): Sql =>
  sql`${key} = any(array[${kindsSql(values)}])`;

const kindsSql = (values: readonly (string | number)[]): Sql =>
  list(values.map((kind) => raw(typeof kind === 'number' ? String(kind) : `'${kind}'`)));
