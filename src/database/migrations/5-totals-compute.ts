/**
 * Functions that sum up the items of one level from their efforts, their times and their parts, and store what differs.
 * Each takes ids of locked rows and returns the parents of those that changed. Deleted items keep the numbers they had.
 */
import { isLive, itemLevels, kindOf, type Level, numbers, of, parentOf, planned, spansOf } from './5-totals-kinds.js';

export const computeFunctions = (): string[] => itemLevels.map((level) => computeFunction(level, ofItem, moveSpans));

/** For migration 19: what is completed of a role is what was written, else by its own times. */
export const computeByRole = (): string[] => replaced(moveSpans);

/** For migration 20: what spans gain is appended. */
export const computeAppending = (): string[] => replaced(appendToSpans);

const replaced = (gain: string): string[] =>
  itemLevels.map((level) =>
    computeFunction(level, ofRole, gain).replace('create function', 'create or replace function'),
  );

/** How much of the effort of a role is completed. */
interface Completion {
  /** Columns of the rows of efforts beside those that there always are. */
  written: readonly string[];
  /** Of a role, as far as it tells of the progress of an item without times. */
  done: string;
  /** Of a role of an item that is not done, and whose parts have no efforts of the role. */
  completed: string;
}

const ofItem: Completion = {
  written: [],
  done: 'sum(below_completed) filter (where is_above)',
  completed: 'least(effort, round(effort * progress, 4))',
};

const ofRole: Completion = {
  written: ['own_completed'],
  done: `sum(case when is_above then below_completed when own_completed is not null then least(effort, own_completed) end)`,
  completed: `case when own_completed is not null then least(effort, own_completed)
      when role_spent > 0 then least(effort, round(effort * round(role_spent / (role_spent + own_remain + role_remain), 4), 4))
      else 0 end`,
};

export const nameOf = ({ name }: Level): string => `total_${name}`;

function computeFunction(level: Level, completion: Completion, gain: string): string {
  return `create function ${nameOf(level)}(wanted int[]) returns int[] language plpgsql as $$
  declare above int[];
  begin
    with ${[item(level), role(level, completion), ...computed(completion)].join(',\n')},
    ${[addRoles, correctRoles, correctItems, ...(level.kinds.includes(4) ? [gain] : [])].join(',\n')}
    select array_agg(distinct parent) into above from computed where parent is not null and (role_differs or item_differs);
    return above;
  end $$`;
}

const livePart = ({ part }: Level): string => `${part} and ${isLive('c')}`;

// Look-ups by key for each item, here and below: the same plan is good for one item and for all of a large database.
const item = (level: Level): string => `item as (
  select g.id, g.units, ${parentOf('g')} as parent, ${of('g', ['entity_type_id', 'project_id', 'release_id', 'iteration_id', 'team_iteration_id'])},
    coalesce(s.is_final, false) as is_final, ${[...numbers, 'progress'].map((it) => `g.${it} as was_${it}`).join(', ')},
    below.spent as below_spent, below.remain as below_remain
  from general g left join entity_state s on s.id = g.entity_state_id
    cross join lateral (${
      level.part
        ? `select coalesce(sum(c.time_spent), 0) as spent, coalesce(sum(c.time_remain), 0) as remain
      from general c where ${livePart(level)}`
        : 'select 0 as spent, 0 as remain'
    }) below
  where g.id = any(wanted) and ${kindOf('g', level.kinds)} and ${isLive('g')})`;

/** A row for each role of an item, stored or not; null is the role of times without one. An item without roles has one row. */
const role = (level: Level, { written }: Completion): string => `role as (
  select g.*, p.role_id, coalesce(p.has_row, false) as has_row, coalesce(p.has_row or p.is_below, false) as is_kept,
    p.is_above, p.below_completed, ${[...numbers.map((it) => `row_${it}`), ...written].map((it) => `p.${it}`).join(', ')},
    case when p.is_above then p.below_effort else p.own_effort end as effort, p.own_spent,
    p.own_spent + p.role_spent as role_spent, p.role_remain,
    case when p.has_time or p.is_above or g.is_final or g.units is distinct from 'h' then p.own_remain else p.own_effort end as own_remain
  from item g left join lateral (
    select role_id, bool_or(has_row) as has_row, bool_or(is_below) as is_below, bool_or(has_time) as has_time,
      sum(below_effort) > 0 as is_above, ${[...summed, ...numbers.map((it) => `row_${it}`), ...written].map((it) => `sum(${it}) as ${it}`).join(', ')}
    from (${[ownRows(written), ...(level.part ? [rowsBelow(level, written)] : []), ownTimes(written)].join('\n      union all ')}) parts group by role_id) p on true)`;

const summed = [
  'own_effort',
  'below_effort',
  'below_completed',
  'own_spent',
  'own_remain',
  'role_spent',
  'role_remain',
];

const ownRows = (
  written: readonly string[],
): string => `select r.role_id, true as has_row, false as is_below, false as has_time, r.own_effort, 0 as below_effort,
        0 as below_completed, 0 as own_spent, 0 as own_remain, 0 as role_spent, 0 as role_remain,
        ${[...numbers.map((it) => `r.${it} as row_${it}`), ...written.map((it) => `r.${it}`)].join(', ')}
      from role_effort r where r.assignable_id = g.id`;

const missing = (written: readonly string[]): string => written.map(() => ', null::numeric').join('');

const rowsBelow = (
  level: Level,
  written: readonly string[],
): string => `select r.role_id, false, true, false, 0, r.effort, r.effort_completed, 0, 0,
        r.time_spent, r.time_remain, 0, 0, 0, 0, 0${missing(written)}
      from general c join role_effort r on r.assignable_id = c.id
      where ${livePart(level)} and (r.effort > 0 or r.time_spent > 0 or r.time_remain > 0)`;

/** What remains is what was said last. */
const ownTimes = (written: readonly string[]): string => `select t.role_id, false, false, true, 0, 0, 0, sum(t.spent),
        (array_agg(t.remain order by t.date desc nulls last, t.id desc))[1], 0, 0, 0, 0, 0, 0, 0${missing(written)}
      from time t where t.assignable_id = g.id group by t.role_id`;

const roleNumbers: Record<string, string> = {
  effort: 'effort',
  effort_completed: 'completed',
  effort_to_do: 'effort - completed',
  time_spent: 'role_spent',
  time_remain: 'own_remain + role_remain',
};

const itemNumbers: Record<string, string> = {
  effort: 'item_effort',
  effort_completed: 'item_completed',
  effort_to_do: 'item_effort - item_completed',
  time_spent: 'item_spent',
  time_remain: 'item_remain',
  progress: 'progress',
};

const differs = (was: string, all: Record<string, string>): string =>
  `(${Object.keys(all).map((it) => `${was}_${it}`)}) is distinct from (${Object.values(all)})`;

const computed = ({ done, completed }: Completion): string[] => [
  `sums as (
    select *, row_number() over w = 1 as is_first, coalesce(sum(effort) filter (where is_kept) over w, 0) as item_effort,
      below_spent + coalesce(sum(own_spent) over w, 0) as item_spent,
      below_remain + coalesce(sum(own_remain) over w, 0) as item_remain,
      coalesce(${done} over w, 0) as item_done
    from role window w as (partition by id))`,
  `progressed as (
    select *, case when is_final then 1 when item_spent > 0 then round(item_spent / (item_spent + item_remain), 4)
      when item_effort > 0 then round(least(item_done / item_effort, 1), 4) else 0 end as progress
    from sums)`,
  `completed as (
    select *, case when is_final then effort when is_above then least(effort, round(below_completed, 4))
      else ${completed} end as completed
    from progressed)`,
  `finished as (
    select *, coalesce(sum(completed) filter (where is_kept) over (partition by id), 0) as item_completed from completed)`,
  `computed as materialized (
    select *, is_kept and ${differs('row', roleNumbers)} as role_differs, ${differs('was', itemNumbers)} as item_differs from finished)`,
];

// Somebody may have added the same row, of zeros, since the statement began.
const addRoles = `added as (
  insert into role_effort (assignable_id, role_id, own_effort, ${Object.keys(roleNumbers)})
  select id, role_id, 0, ${Object.values(roleNumbers)} from computed where is_kept and not has_row order by id, role_id
  on conflict (assignable_id, role_id) do update set ${numbers.map((it) => `${it} = excluded.${it}`)})`;

const assigned = (all: Record<string, string>): string =>
  Object.entries(all)
    .map(([column, value]) => `${column} = ${value.replace(/\b[a-z_]+\b/g, 'n.$&')}`)
    .join(', ');

const correctRoles = `corrected as (
  update role_effort r set ${assigned(roleNumbers)} from computed n
  where n.has_row and n.role_differs and r.assignable_id = n.id and r.role_id = n.role_id)`;

const correctItems = `stored as (
  update general g set ${assigned(itemNumbers)} from computed n where n.is_first and n.item_differs and g.id = n.id)`;

/** What the spans of an item gain or lose by its new numbers. */
const moved = (into: string, span: string): string => `moved as (
  insert into ${into}, effort, effort_completed)
  select ${span}, sum(item_effort - coalesce(was_effort, 0)), sum(item_completed - coalesce(was_effort_completed, 0))
  from computed n cross join lateral ${spansOf('n')}
  where n.is_first and n.item_differs and ${kindOf('n', planned)} and s.span is not null
  group by s.level, s.span having sum(item_effort - coalesce(was_effort, 0)) <> 0 or sum(item_completed - coalesce(was_effort_completed, 0)) <> 0)`;

const moveSpans = moved('unsettled (level, ids', 's.level, array[s.span]');
const appendToSpans = moved('span_delta (span_id', 's.span');
