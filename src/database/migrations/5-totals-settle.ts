/** Brings the totals that a transaction has moved up to date: at its end, or when it asks by \`set constraints all immediate\`. */
import { nameOf } from './5-totals-compute.js';
import {
  firstSpanLevel,
  isFinal,
  isLive,
  itemLevels,
  kindOf,
  type Level,
  levelOf,
  levelOfFeatures,
  parentOf,
  planned,
  spanLevels,
} from './5-totals-kinds.js';
import { mine, planning } from './5-totals-notes.js';

// Rows that this transaction has written are its own already. Deleted ones too: somebody may be restoring them just now.
export const lock = (condition: string): string =>
  `perform 1 from general where ${condition} and xmin <> pg_current_xact_id()::xid order by ${levelOf('general')}, id for no key update`;

const named = (level: number, claim: string): string =>
  `select unnest(ids) from unsettled where ${mine} and level = ${level} and effort is null and claim ${claim}`;

/** Who is named by a note tells its parent in any case: rows of efforts may be gone, or have come with the right numbers. */
const settleLevel = (level: Level, at: number, claims: readonly string[]): string => `
    marked := '{}';
    if ${at} = any(noted) then
      marked := array(${claims.map((claim) => named(at, claim)).join(' union ')} union (${named(at, "= 'made'")} except ${named(at, "= 'confirmed'")}));
    end if;
    if marked <> '{}' or above <> '{}' then
      wanted := marked || above;
      ${lock(`id = any(wanted) and ${kindOf('general', level.kinds)}`)};
      wanted := ${nameOf(level)}(wanted);
      if marked <> '{}' then
        wanted := wanted || array(select ${parentOf('g')} from general g where g.id = any(marked) and ${parentOf('g')} is not null);
      end if;
      -- A feature may lie in a portfolio epic without an epic between them.
      above := ${at === levelOfFeatures + 1 ? "above || coalesce(wanted, '{}')" : "coalesce(wanted, '{}')"};
    end if;`;

/** Notes of these claims are settled in any case. */
export const settleFunction = (claims: readonly string[]): string =>
  `create function settle() returns trigger language plpgsql ${planning} as $$
  declare
    noted int[] := array(select distinct level from unsettled where ${mine});
    wanted int[];
    marked int[];
    above int[] := '{}';
    mode text := current_setting('worktrack.totals', true);
  begin
    perform set_config('worktrack.totals', 'settling', true);
    ${itemLevels.map((level, at) => settleLevel(level, at, claims)).join('')}
    perform total_spans();
    delete from unsettled where ${mine};
    perform set_config('worktrack.totals', coalesce(mode, ''), true);
    return null;
  end $$`;

export const settle = [
  settleFunction(['is null']),
  `create constraint trigger unsettled_settle after insert on unsettled deferrable initially deferred
     for each row when (new.level is null) execute function settle()`,
];

export const progress = (effort: string, completed: string): string =>
  `case when g.entity_type_id = 1 and ${isFinal('g')} then 1
     when ${effort} > 0 then round(least(${completed} / ${effort}, 1), 4) else 0 end`;

// Projects have an index of their live items by kind; the others have one of all that lies in them.
const counted = (column: string): string =>
  column === 'project_id'
    ? `i.entity_type_id in (${planned.join(', ')}) and i.delete_date is null`
    : `${kindOf('i', planned)} and ${isLive('i')}`;

export const plannedIn = spanLevels
  .flatMap(({ kinds, columns }) => columns.map((column, at) => ({ kind: kinds[at], column })))
  .map(
    ({ kind, column }) => `select i.effort, i.effort_completed from general i
        where g.entity_type_id = ${kind} and i.${column} = g.id and ${counted(column)}`,
  );

const store = (sums: string): string => `update general t set effort = n.effort, effort_completed = n.completed,
      effort_to_do = n.effort - n.completed, progress = n.progress
    from (select g.id, s.effort, s.completed, ${progress('s.effort', 's.completed')} as progress from ${sums}) n
    where t.id = n.id and ${isLive('t')} and (t.effort, t.effort_completed, t.effort_to_do, t.progress)
      is distinct from (n.effort, n.completed, n.effort - n.completed, n.progress)`;

const whole = `array(select distinct id from unsettled, unnest(ids) id where ${mine} and level >= ${firstSpanLevel} and effort is null)`;

/** Changes are added, so that a project of a hundred thousand items costs no more than one of ten. */
export const spans = [
  `create function recompute_spans(wanted int[]) returns void language sql as $$
    ${store(`general g cross join lateral (select coalesce(sum(effort), 0) as effort, coalesce(sum(effort_completed), 0) as completed
      from (${plannedIn.join('\n      union all ')}) i) s where g.id = any(wanted)`)}
  $$`,
  `create function total_spans() returns void language plpgsql as $$
  declare anew int[];
  begin
    if not exists (select 1 from unsettled where ${mine} and level >= ${firstSpanLevel}) then return; end if;
    ${lock(`id in (select unnest(ids) from unsettled where ${mine} and level >= ${firstSpanLevel})`)};
    anew := ${whole};
    if anew <> '{}' then perform recompute_spans(anew); end if;
    ${store(`general g join (
        select g.id, greatest(g.effort + d.effort, 0) as effort, greatest(g.effort_completed + d.completed, 0) as completed
        from (select ids[1] as id, sum(effort) as effort, sum(effort_completed) as completed from unsettled
          where ${mine} and level >= ${firstSpanLevel} and effort is not null group by ids[1]) d join general g on g.id = d.id
        where g.id <> all(anew)) s on s.id = g.id`)};
  end $$`,
];

export const idsOf = (kinds: readonly number[]): string =>
  `array(select id from general where entity_type_id in (${kinds.join(', ')}) and delete_date is null)`;

export const quiet = ['worktrack.totals', 'worktrack.history', 'worktrack.versions'];

/** For repair and for mass loading. Writers wait, versions are not counted, histories are not written. */
export const recompute = `create function recompute_totals() returns void language plpgsql ${planning} as $$
  declare
    settings text[] := array[${quiet.map((name) => `coalesce(current_setting('${name}', true), '')`).join(', ')}];
  begin
    lock table general, role_effort, "time" in share row exclusive mode;
    perform ${quiet.map((name) => `set_config('${name}', 'off', true)`).join(', ')};
    ${itemLevels.map((level) => `perform ${nameOf(level)}(${idsOf(level.kinds)});`).join('\n    ')}
    perform recompute_spans(${idsOf(spanLevels.flatMap(({ kinds }) => kinds))});
    delete from unsettled where ${mine} and level is not null;
    perform ${quiet.map((name, at) => `set_config('${name}', settings[${at + 1}], true)`).join(', ')};
  end $$`;

/** Every change of a row is counted, whoever makes it, unless past or computed data is loaded. */
export const versions = `create or replace function count_version() returns trigger language plpgsql as $$
  begin
    if current_setting('worktrack.versions', true) = 'off' then return new; end if;
    new.entity_version := old.entity_version + 1;
    return new;
  end $$`;
