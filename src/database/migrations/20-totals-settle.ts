/** Brings the totals that a transaction has moved up to date: at its end, or when it asks by \`set constraints all immediate\`. */
import { nameOf } from './5-totals-compute.js';
import {
  firstSpanLevel,
  isLive,
  itemLevels,
  kindOf,
  type Level,
  levelOf,
  levelOfFeatures,
  parentOf,
  spansOf,
} from './5-totals-kinds.js';
import { planning } from './5-totals-notes.js';
import { idsOf, lock, plannedIn, progress, quiet } from './5-totals-settle.js';
import { forget, isConfirmed, isFolding, isSettled, noted, text } from './20-totals-notes.js';

/**
 * What spans have gained since their own numbers were stored. Writers append and wait for nobody; a row counts as one change of the span's
 * version. What lies here for a deleted span is void.
 */
const deltas = [
  `create table span_delta (
     span_id integer not null,
     effort numeric(18,4) not null,
     effort_completed numeric(18,4) not null
   ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1,
     autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000)`,
  'create index ix_span_delta on span_delta (span_id)',
];

const stored = (effort: string, completed: string): string => `effort = ${effort}, effort_completed = ${completed},
      effort_to_do = ${effort} - ${completed}`;

/** Whoever is at a span adds it up another time, so nobody waits here. What is void goes; \`closing\` are spans that are deleted just now. */
const fold = `create function fold_spans(wanted int[], closing boolean default false) returns void language plpgsql ${planning} as $$
  declare
    free int[] := array(select id from general where id = any(wanted) order by ${levelOf('general')}, id for no key update skip locked);
    mode text := coalesce(current_setting('worktrack.totals', true), '');
    counting text := coalesce(current_setting('worktrack.versions', true), '');
  begin
    perform set_config('worktrack.totals', 'settling', true), set_config('worktrack.versions', 'off', true);
    with gone as (delete from span_delta where span_id = any(free) returning *),
    gained as (select span_id, count(*) as changes, sum(effort) as effort, sum(effort_completed) as completed from gone group by span_id)
    update general t set ${stored('n.effort', 'n.completed')}, progress = n.progress, entity_version = t.entity_version + n.changes
    from (select g.id, s.effort, s.completed, s.changes, ${progress('s.effort', 's.completed')} as progress
      from (select i.id, d.changes, i.effort + d.effort as effort, i.effort_completed + d.completed as completed
        from gained d join general i on i.id = d.span_id) s join general g on g.id = s.id) n
    where t.id = n.id and (closing or ${isLive('t')});
    perform set_config('worktrack.totals', mode, true), set_config('worktrack.versions', counting, true);
  end $$`;

/** Of locked spans: what they hold, in place of whatever was appended. */
const recomputeSpans = `create or replace function recompute_spans(wanted int[]) returns void language sql as $$
    with gone as (delete from span_delta where span_id = any(wanted) returning span_id),
    changes as (select span_id as id, count(*) as n from gone group by span_id)
    update general t set ${stored('n.effort', 'n.completed')}, progress = n.progress,
      entity_version = t.entity_version + coalesce((select c.n from changes c where c.id = t.id), 0)
    from (select g.id, s.effort, s.completed, ${progress('s.effort', 's.completed')} as progress
      from general g cross join lateral (select coalesce(sum(effort), 0) as effort, coalesce(sum(effort_completed), 0) as completed
        from (${plannedIn.join('\n      union all ')}) i) s where g.id = any(wanted)) n
    where t.id = n.id and ${isLive('t')} and ((t.effort, t.effort_completed, t.effort_to_do, t.progress)
      is distinct from (n.effort, n.completed, n.effort - n.completed, n.progress) or t.id in (select c.id from changes c))
  $$`;

const variable = (at: number): string => `marked${at}`;

const classified = [...itemLevels.keys()].map((at) => `array_agg(m.id) filter (where m.level = ${at})`);

/** Who is named by a note tells its parent in any case: rows of efforts may be gone, or have come with the right numbers. */
const settled = (level: Level, at: number): string => `
    if ${variable(at)} is not null or above <> '{}' then
      wanted := coalesce(${variable(at)}, '{}') || above;
      ${lock(`id = any(wanted) and ${kindOf('general', level.kinds)}`)};
      ${level.kinds.includes(4) ? 'summed := wanted;\n      ' : ''}wanted := ${nameOf(level)}(wanted);
      if ${variable(at)} is not null then
        wanted := wanted || array(select ${parentOf('g')} from general g where g.id = any(${variable(at)}) and ${parentOf('g')} is not null);
      end if;
      -- A feature may lie in a portfolio epic without an epic between them.
      above := ${at === levelOfFeatures + 1 ? "above || coalesce(wanted, '{}')" : "coalesce(wanted, '{}')"};
    end if;`;

const settle = `create function settle_totals() returns void language plpgsql ${planning} as $$
  declare
    ${itemLevels.map((_, at) => `${variable(at)} int[];`).join(' ')}
    spans int[];
    wanted int[];
    above int[] := '{}';
    summed int[];
    mode text := coalesce(current_setting('worktrack.totals', true), '');
    setting text;
  begin
    if ${isSettled} then return; end if;
    setting := set_config('worktrack.totals', 'settling', true);
    if not (${isConfirmed}) then
    wanted := array(select unnest(${noted('noted')}) union (select unnest(${noted('made')}) except select unnest(${noted('confirmed')})));
      select ${classified.join(', ')}, array_agg(m.id) filter (where m.level >= ${firstSpanLevel})
        into ${itemLevels.map((_, at) => variable(at)).join(', ')}, spans
        from (select g.id, ${levelOf('g')} as level from general g where g.id = any(wanted)) m;
      ${itemLevels.map(settled).join('')}
      if spans is not null then
        ${lock('id = any(spans)')};
        perform recompute_spans(spans);
      end if;
    end if;
    if ${isFolding} and summed is not null then
      perform fold_spans(array(select distinct s.span from general g cross join lateral ${spansOf('g')} where g.id = any(summed) and s.span is not null));
    end if;
    if ${text('folded')} <> '' then perform fold_spans(${noted('folded')}); end if;
    ${forget}
    setting := set_config('worktrack.totals', mode, true);
  end $$`;

/**
 * Triggers of rows come before those of statements, which note what has moved. So where there is nothing to settle, constraints are immediate
 * by now, or the transaction ends: whoever notes more settles it.
 */
const settleAtEnd = `create or replace function settle() returns trigger language plpgsql as $$ declare setting text; begin
    if ${isSettled} then
      setting := set_config('worktrack.immediate', 'on', true);
    else
      perform settle_totals();
    end if;
    return null;
  end $$`;

/** For repair and for mass loading. Writers wait, versions are not counted, histories are not written. */
const recompute = `create or replace function recompute_totals() returns void language plpgsql ${planning} as $$
  declare
    setting text;
    settings text[] := array[${quiet.map((name) => `coalesce(current_setting('${name}', true), '')`).join(', ')}];
  begin
    lock table general, role_effort, "time", span_delta in share row exclusive mode;
    perform ${quiet.map((name) => `set_config('${name}', 'off', true)`).join(', ')};
    ${itemLevels.map((level) => `perform ${nameOf(level)}(${idsOf(level.kinds)});`).join('\n    ')}
    perform recompute_spans(${idsOf([1, 2, 3, 24])});
    ${forget}
    perform ${quiet.map((name, at) => `set_config('${name}', settings[${at + 1}], true)`).join(', ')};
  end $$`;

export const settling = [...deltas, fold, recomputeSpans, settle, settleAtEnd, recompute];
