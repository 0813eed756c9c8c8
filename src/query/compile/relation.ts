/**
 * Spells conditions that lead to other rows: what a reference points at, items of a collection, what the actor belongs
 * to.
 */
import type { CollectionField } from '../../model/model.js';
import { all, column, exists, late, name, raw, type Sql, sql } from '../../sql.js';
import type { ActorSet, Chain, Condition, Of } from '../meaning.js';
import { conditionsSql, further, kindConditions, type Row, rowConditions } from './compiling.js';
import { idTest, type Related, relation, seenOf } from './forms.js';
import { offsetSql } from './order.js';

export function relatedSql(condition: Related, row: Row): Sql {
  const { field, where } = condition;
  const key = column(row.alias, field.column);
  const target = further(row);
  const id = column(target.alias, 'id');
  const from = sql`from ${name(field.target.table)} ${target.alias} where`;
  // The column may hold other kinds, which are none of the target; and the kind tells the database an index and how few
  // rows to expect.
  const kinds = kindConditions(field.target, target);
  const filter = (parts: readonly Condition[]): Sql[] => [...kinds, ...conditionsSql(parts, target)];
  switch (relation(condition)) {
    case 'present':
      return sql`(${key} is not null)`;
    case 'byId': {
      // `Project.Id eq 5` is a test of the key; whether that project may be seen is asked once, not row by row.
      const byId = idTest(where)!;
      const rest = filter(where.filter((part) => part !== byId));
      const wanted = row.to.spell.value(byId.right, row);
      const equal = sql`${key} = ${wanted}`;
      if (rest.length === 0) return sql`(${equal})`;
      return sql`(${equal} and exists (select 1 ${from} ${all([sql`${id} = ${wanted}`, ...rest])}))`;
    }
    case 'configuration':
      return sql`(${key} = any(array(select ${id} ${from} ${all(filter(where))})))`;
    case 'exists':
      return exists(from, all([sql`${id} = ${key}`, ...filter(where)]));
  }
}

/** The columns of a row that all of these hold for that can but have one value. */
export function comparedIds(
  conditions: readonly Condition[],
  row: Row,
  ids = new Map<string, Sql>(),
): Map<string, Sql> {
  for (const condition of conditions) {
    if (condition.kind === 'and') comparedIds(condition.parts, row, ids);
    else if (condition.kind === 'inside' && condition.field.via.kind === 'key') {
      ids.set(condition.field.via.column, late('id'));
    } else if (condition.kind === 'related') {
      const byId = idTest(condition.where);
      if (byId) ids.set(condition.field.column, row.to.spell.value(byId.right, row));
    }
  }
  return ids;
}

/** Of a collection of the row at hand that is asked nothing more, the database may begin with the items. */
export function someSql(chain: Chain, row: Row): Sql {
  const { source, filters, take, skip } = chain;
  if (take === 0) return raw('false');
  if (source === 'root') {
    const filter = all(conditionsSql(filters, row));
    return filters.length === 0 ? raw('count(*) > 0') : sql`count(*) filter (where ${filter}) > 0`;
  }
  if (source.kind === 'values' || source.owner.kind !== 'row' || skip !== undefined || chain.within)
    return row.to.spell.chain(chain, row, ({ from }) => sql`exists (select 1 ${from}${offsetSql(skip)})`);
  const { field } = source;
  const item = further(row);
  const filter = all(rowConditions(field.target, [...filters, ...seenOf(chain)], item));
  return exists(sql`${joinedSql(field, row, item)} and`, filter, field.via.kind === 'key' ? 1 : 2);
}

/** The items for asking whether there is one: twice the same does no harm, and a join can be begun from either end. */
function joinedSql(field: CollectionField, row: Row, item: Row): Sql {
  if (field.via.kind === 'key') return itemsSql(field, row.alias, item);
  const link = item.aliases.next();
  const { from, to, table } = field.via;
  return sql`from ${name(table)} ${link} join ${name(field.target.table)} ${item.alias} on ${column(item.alias, 'id')} = ${column(link, to)}
    where ${column(link, from)} = ${column(row.alias, 'id')}`;
}

/** `from … where …`: the items of a collection of one row. */
export function itemsSql(field: CollectionField, owner: Sql, item: Row): Sql {
  return itemsOf(field, column(owner, 'id'), item);
}

function itemsOf(field: CollectionField, ownerId: Sql, item: Row): Sql {
  const table = sql`${name(field.target.table)} ${item.alias}`;
  if (field.via.kind === 'key') return sql`from ${table} where ${column(item.alias, field.via.column)} = ${ownerId}`;
  const link = item.aliases.next();
  const { from, to } = field.via;
  // A link may be told twice (one user in two roles); its item is still one.
  return sql`from ${table} where ${column(item.alias, 'id')} in (select ${column(link, to)}
    from ${name(field.via.table)} ${link} where ${column(link, from)} = ${ownerId})`;
}

export function insideSql({ field, owner, where }: Of<'inside'>, row: Row): Sql {
  const ownerId = late('id');
  const ownerRow = further(row);
  const kinds = kindConditions(owner, ownerRow);
  const filter = all([...kinds, ...conditionsSql(where, ownerRow)]);
  const isThere = sql`exists (select 1 from ${name(owner.table)} ${ownerRow.alias}
    where ${column(ownerRow.alias, 'id')} = ${ownerId} and ${filter})`;
  if (field.via.kind === 'key') return sql`${column(row.alias, field.via.column)} = ${ownerId} and ${isThere}`;
  const link = row.aliases.next();
  const { from, to, table } = field.via;
  return sql`${column(row.alias, 'id')} in (select ${column(link, to)} from ${name(table)} ${link}
    where ${column(link, from)} = ${ownerId}) and ${isThere}`;
}

// --- the actor -------------------------------------------------------------------------------------------------------

const sets: Record<ActorSet, (key: Sql) => Sql> = {
  projects: (key) => sql`${key} = any(${late('actor.projects')})`,
  teams: (key) => sql`${key} = any(${late('actor.teams')})`,
  user: (key) => sql`${key} = ${late('actor.user')}`,
  'context projects': (key) => sql`${key} = any(${late('context.projects')})`,
  'context teams': (key) => sql`${key} = any(${late('context.teams')})`,
};

const formerSets: Partial<Record<ActorSet, Sql>> = { projects: raw('was_in_project'), teams: raw('was_in_team') };

export function mineSql(key: Sql, set: ActorSet, { alias, asOf }: Row): Sql {
  const wasIn = asOf && formerSets[set];
  if (!wasIn) return sets[set](key);
  return sql`${wasIn}(${late('actor.user')}, ${key}, least(${column(alias, 'delete_date')}, ${asOf}))`;
}

export function linkedToMineSql({ table, from, column: columnName, set }: Of<'linkedToMine'>, row: Row): Sql {
  const link = row.aliases.next();
  const isMine = mineSql(column(link, columnName), set, row);
  return exists(
    sql`from ${name(table)} ${link} where ${column(link, from)} = ${column(row.alias, 'id')}
    and`,
    isMine,
  );
}
