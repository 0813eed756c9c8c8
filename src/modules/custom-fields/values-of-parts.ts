/**
 * What comes to another process otherwise than by a project of its own: what lies in a project that gets another one,
 * and the times of items that move. It keeps the values that an item keeps.
 */
import type { Work } from '../../command/change.js';
import type { CustomFieldGroup } from '../../query/meaning.js';
import { fieldsOf } from './fields-of-process.js';
import { keptFields, type Move } from './moved-values.js';

interface PartsTable {
  /** Whether a row `t` is a part of one of the ids `$1`. */
  isPart: string;
  table: 'general' | 'time';
  kind: string;
}

const time = { table: 'time', kind: '7' } as const;

const ofProjects: PartsTable[] = [
  { isPart: 't.project_id = any($1::bigint[])', table: 'general', kind: 't.entity_type_id' },
  {
    isPart: `(t.project_id = any($1::bigint[]) or t.project_id is null
      and t.assignable_id in (select a.id from general a where a.project_id = any($1::bigint[])))`,
    ...time,
  },
];
// Its times come to its project behind this.
const ofItems: PartsTable[] = [{ isPart: 't.assignable_id = any($1::bigint[])', ...time }];

export async function valuesOfParts(
  moves: readonly Move[],
  groups: readonly CustomFieldGroup[],
  { rows }: Pick<Work, 'rows'>,
): Promise<void> {
  for (const alike of together(moves)) {
    const { change, from, to } = alike[0]!;
    const ids = alike.map((one) => one.change.id);
    const kept = [...new Set(groups.map(({ entityTypeId }) => entityTypeId))].flatMap((kind) => {
      const [old, now] = [from, to].map((process) => fieldsOf(groups, { entityTypeIds: [kind] }, process));
      return keptFields(old!, now!).map((one) => ({ kind, ...one }));
    });
    const options = kept.flatMap(({ kind, to: { name, type, options } }) =>
      type === 'DropDown' ? options.map((option) => ({ kind, name, option })) : [],
    );
    const columns = [
      kept.map(({ kind }) => kind),
      kept.map((one) => one.from),
      kept.map((one) => one.to.name),
      options.map(({ kind }) => kind),
      options.map(({ name }) => name),
      options.map(({ option }) => option),
    ];
    for (const place of change.resource.settings.lies === 'asProject' ? ofProjects : ofItems) {
      for (let last: number | null = 0; last !== null; ) {
        const [batch]: { last: number | null }[] = await rows(keeping(place), [ids, last, ...columns]);
        last = batch!.last;
      }
    }
  }
}

/** Those of one kind of owner that come from the same process to the same one. */
function together(moves: readonly Move[]): Move[][] {
  const groups = new Map<string, Move[]>();
  for (const move of moves) {
    const { lies } = move.change.resource.settings;
    if (lies !== 'asProject' && !move.change.resource.field('Times')) continue;
    const key = `${lies} ${move.from} ${move.to}`;
    groups.set(key, [...(groups.get(key) ?? []), move]);
  }
  return [...groups.values()];
}

const batchSize = 2000;

/** Each statement ends within its time-out, however many parts there are. */
const keeping = ({ isPart, table, kind }: PartsTable): string => `
  with kept as (select * from unnest($3::bigint[], $4::text[], $5::text[]) as k(kind, old, name)),
  options as materialized (
    select o.*, lower(option collate "und-x-icu") as folded
    from unnest($6::bigint[], $7::text[], $8::text[]) with ordinality as o(kind, name, option, n)),
  held as materialized (
    select t.id, t.custom_values, ${kind} as kind from "${table}" t
    where ${isPart} and t.custom_values <> '{}' and t.id > $2 order by t.id limit ${batchSize} for no key update of t),
  moved as materialized (
    select h.id, h.custom_values as was, (
      select coalesce(jsonb_object_agg(k.name, coalesce((
        select to_jsonb(o.option) from options o
        where o.kind = k.kind and o.name = k.name and o.folded = lower((e.value #>> '{}') collate "und-x-icu")
        order by o.option <> e.value #>> '{}', o.n limit 1), e.value)), '{}')
      from jsonb_each(h.custom_values) e join kept k on k.kind = h.kind and k.old = e.key) as custom_values
    from held h),
  updated as (
    update "${table}" t set custom_values = m.custom_values from moved m
    where t.id = m.id and m.custom_values <> m.was)
  select max(id) as last from held`;
