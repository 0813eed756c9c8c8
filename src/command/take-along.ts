/**
 * Deletes for good what cannot be without other entities that are deleted, and keeps for a day that it went with them.
 */
import type { ResourceType } from '../model/model.js';
import { column, name, raw, type Sql, sql, statement, value } from '../sql.js';
import type { Work } from './change.js';

/** All rows of a kind that have one of these ids as this property: a reference, or their own. */
export function takeAlong(
  target: ResourceType,
  property: string,
  ids: readonly number[],
  { send }: Pick<Work, 'send'>,
): void {
  const row = name('t');
  const seen = seenThrough(target, row);
  const { text, parameters } = statement(sql`with gone as (
      delete from ${name(target.table)} ${row} where ${column(row, property === 'id' ? 'id' : target.referenceOf(property).column)} = any(${value(ids, 'bigint[]')})
      returning ${column(row, 'id')} as id, ${only(seen, false, target)} as general_id, ${only(seen, true, target)} as remembered_id)
    insert into taken_along (kind, id, general_id, remembered_id)
    select ${value(target.name, 'text')}, id, general_id, remembered_id from gone`);
  send(
    text,
    parameters.map((parameter) => (parameter.kind === 'value' ? parameter.value : undefined)),
  );
}

/** A General that a row is seen through, by its id: it must be visible, where it is remembered even when deleted. */
interface SeenThrough {
  general: Sql;
  isRemembered: boolean;
}

function seenThrough(resource: ResourceType, row: Sql, depth = 0): SeenThrough[] {
  const { visible } = resource.settings;
  if (visible.kind === 'everyone') return [];
  if (visible.kind !== 'through') throw isNotKept(resource);
  const { references, remembered = [] } = visible;
  return [
    ...references.flatMap((property) => throughReference(resource, property, row, depth)),
    ...remembered
      .flatMap((property) => throughReference(resource, property, row, depth))
      .map(({ general }) => ({ general, isRemembered: true })),
  ];
}

function throughReference(resource: ResourceType, property: string, row: Sql, depth: number): SeenThrough[] {
  const { target, column: key } = resource.referenceOf(property);
  if (target.isGeneral) return [{ general: column(row, key), isRemembered: false }];
  const owner = name(`o${depth}`);
  return seenThrough(target, owner, depth + 1).map(({ general, isRemembered }) => ({
    general: sql`(select ${general} from ${name(target.table)} ${owner} where ${column(owner, 'id')} = ${column(row, key)})`,
    isRemembered,
  }));
}

/** There is room for one that is remembered and one that is not; null where everyone sees the row. */
function only(generals: readonly SeenThrough[], isRemembered: boolean, resource: ResourceType): Sql {
  const [first, ...others] = generals.filter((one) => one.isRemembered === isRemembered);
  if (others.length > 0) throw isNotKept(resource);
  return first?.general ?? raw('null::bigint');
}

const isNotKept = ({ name }: ResourceType): Error => new Error(`who has seen a deleted ${name} is not kept`);
