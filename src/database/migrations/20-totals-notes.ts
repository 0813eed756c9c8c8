/**
 * Triggers that note, a statement at a time, whose totals a change may have moved. They sum up nothing themselves. Notes are held in
 * settings of the transaction, so that nothing is written only to be deleted, and a savepoint that is taken back takes its notes along.
 */
import { isFinal, kindOf, levelOf, numbers, of, parentOf, planned, spansOf } from './5-totals-kinds.js';
import { planning } from './5-totals-notes.js';

/**
 * `noted` are Generals to sum up anew; `own` those of them whose own efforts or times changed; `made` new items that claim that their
 * numbers are right, and `confirmed` those of them whose efforts have come and say the same; `folded` spans whose differences this
 * transaction adds up.
 */
export type Note = 'noted' | 'own' | 'made' | 'confirmed' | 'folded';

export const settingOf = (note: Note): string => `worktrack.${note}`;

const text = (note: Note): string => `coalesce(current_setting('${settingOf(note)}', true), '')`;

/** The ids of a note, as an array. */
export const noted = (note: Note): string => `string_to_array(ltrim(${text(note)}, ','), ',')::int[]`;

/** Adds an array of ids, which may be null, to a note. */
const note = (name: Note, ids: string): string =>
  `perform set_config('${settingOf(name)}', ${text(name)} || ',' || array_to_string(${ids}, ','), true)`;

const notes: readonly Note[] = ['noted', 'own', 'made', 'confirmed', 'folded'];

export const forget = notes.map((name) => `perform set_config('${settingOf(name)}', '', true);`).join('\n    ');

/** That there is something to settle. What is confirmed was made, and what is own is noted. */
export const isSettled = `${text('noted')} || ${text('made')} || ${text('folded')} = ''`;

type Operation = 'insert' | 'update' | 'delete';

/** Loading large or past data sums up at its end; what is being settled needs no notes. */
const isOff = `current_setting('worktrack.totals', true) <> ''`;

function noting(table: string, operation: Operation, statements: string, variables: readonly string[]): string[] {
  const name = `note_${table}_${operation}`;
  return [
    `create or replace function ${name}() returns trigger language plpgsql ${planning} as $$
     declare ${variables.map((variable) => `${variable};`).join(' ')}
     begin
       if ${isOff} then return null; end if;
       ${statements}
       if current_setting('worktrack.immediate', true) = 'on' then perform settle_totals(); end if;
       return null;
     end $$`,
    // Once at the end of the transaction, whatever the number of rows: the first of these triggers settles for all.
    `create constraint trigger ${table}_settle_${operation} after ${operation} on "${table}" deferrable initially deferred
       for each row when (coalesce(current_setting('worktrack.totals', true), '') = '') execute function settle()`,
  ];
}

const ids = 'ids int[]';
const owners = 'owners int[]';
const spans = 'spans int[]';

const totals = [...numbers, 'progress'];
const places = ['project_id', 'release_id', 'iteration_id', 'team_iteration_id'];
const above = ['user_story_id', 'feature_id', 'epic_id', 'portfolio_epic_id'];
const relevant = ['id', 'entity_type_id', 'entity_state_id', 'units', 'delete_date', ...above, ...totals, ...places];

/** One transaction of these many adds up what the spans that it moves have gained. */
const foldEvery = 64;

/** Appends what the spans of rows gain, summed up by where the rows lie before the places are told apart. */
const gain = (rows: string): string => `with gained as (
      insert into span_delta (span_id, effort, effort_completed)
      select s.span, sum(v.effort), sum(v.effort_completed) from (
        select ${places}, sum(sign * coalesce(effort, 0)) as effort, sum(sign * coalesce(effort_completed, 0)) as effort_completed
        from (${rows}) r where r.delete_date is null and ${kindOf('r', planned)} group by ${places}) v
        cross join lateral ${spansOf('v')}
      where s.span is not null group by s.span having sum(v.effort) <> 0 or sum(v.effort_completed) <> 0
      returning span_id)
    select array_agg(span_id) into spans from gained;
    ${foldNow}`;

/** By the number of the transaction, mixed so that no regular pattern of writes is passed over. */
export const foldNow = `if spans is not null and hashint8(pg_current_xact_id()::text::bigint) & ${foldEvery - 1} = 0 then
      ${note('folded', 'spans')};
    end if;`;

const noteAll = (name: Note, variable: string, query: string): string =>
  `${variable} := array(${query});
    if ${variable} <> '{}' then ${note(name, variable)}; end if;`;

const parents = (rows: string): string =>
  `select ${parentOf('p')} as id from (${rows}) p where ${parentOf('p')} is not null`;

const isEmpty = `(${of('v', totals)}) is not distinct from (${numbers.map(() => 0)}, ${isFinal('v')}::int)`;
const added = `select v.* from fresh v where v.delete_date is null and not (${isEmpty})`;
const isSpan = (row: string): string => `${levelOf(row)} >= 5`;

const insertGeneral = `${noteAll('made', 'ids', `select v.id from (${added}) v where not ${isSpan('v')}`)}
    if ids <> '{}' or exists (select from fresh where ${isSpan('fresh')}) then
      ${noteAll('noted', 'owners', `select v.id from (${added}) v where ${isSpan('v')} union ${parents(added)}`)}
      ${gain('select 1 as sign, v.* from fresh v')}
    end if;`;

// No joins: these have one plan for one row and for thousands.
const versions = `select -1 as sign, ${of('v', relevant)} from stale v union all select 1, ${of('v', relevant)} from fresh v`;

// Finality, not the state itself: most changes of state move no totals.
const facts = ['id', 'entity_type_id', 'units', 'delete_date', 'is_final', ...above, ...totals];
// What is the same before and after is there twice.
const changed = `select ${facts} from (select v.*, ${isFinal('v')} as is_final from (${versions}) v) v group by ${facts} having count(*) = 1`;

// What a span has gained belongs to it when it is deleted; what it gains later is not its own any more.
const closeSpans = `ids := array(select n.id from stale o join fresh n on n.id = o.id
      where o.delete_date is null and n.delete_date is not null and ${isSpan('n')});
    if ids <> '{}' then perform fold_spans(ids); end if;`;

const updateGeneral = `if not exists (select ${relevant} from fresh except all select ${relevant} from stale) then return null; end if;
    ${closeSpans}
    ${noteAll(
      'noted',
      'ids',
      `with changed as (${changed})
       select c.id from changed c where ${levelOf('c')} is not null union ${parents('select * from changed')}`,
    )}
    ${gain(versions)}`;

const deleteGeneral = `${noteAll('noted', 'ids', parents('select * from stale'))}
    ${gain('select -1 as sign, v.* from stale v')}`;

/** Items by the rows that hang on them. */
const noteOwners = (rows: string): string => `${noteAll(
  'noted',
  'ids',
  `select distinct assignable_id from (${rows}) r where assignable_id is not null`,
)}
    if ids <> '{}' then ${note('own', 'ids')}; end if;`;

const touched = (columns: string[]): string => `select assignable_id from (
    select ${columns} from stale union all select ${columns} from fresh) v group by ${columns.join(', ')}, assignable_id having count(*) = 1`;

const effortColumns = ['id', 'assignable_id', 'role_id', 'own_effort', 'own_completed', ...numbers];
const timeColumns = ['id', 'assignable_id', 'role_id', 'spent', 'remain', 'date'];

const isZero = `(${['own_effort', ...numbers].map((it) => `v.${it}`)}) = (${['own_effort', ...numbers].map(() => 0)})`;

/** That a new item has just the sums of its new rows, without parts and times. */
const isRight = `(select g.effort = r.effort and g.effort_completed = r.effort_completed and g.effort_to_do = r.effort - r.effort_completed
    and g.time_spent = 0 and g.time_remain = case when f.is_counting then r.effort else 0 end and g.progress = f.is_final::int
    and case when f.is_final then r.is_done else r.is_open end and case when f.is_counting then r.is_whole else r.is_timeless end
  from general g cross join lateral (select ${isFinal('g')} as is_final) s
    cross join lateral (select s.is_final, g.units is not distinct from 'h' and not s.is_final as is_counting) f
  where g.id = r.id)`;

/**
 * A row of zeros changes nothing but where times of its role are waiting for it. Rows confirm a claim once: those that come later are not
 * in the numbers that were confirmed.
 */
const insertEffort = `select array_agg(r.id) filter (where r.is_right), array_agg(r.id) filter (where not r.is_right) into ids, owners from (
      select r.id, case when r.is_written and r.id in (select unnest(${noted('made')})) and r.id not in (select unnest(${noted('confirmed')})) then ${isRight} else false end as is_right
      from (select assignable_id as id, sum(effort) as effort, sum(effort_completed) as effort_completed,
          bool_and(own_effort = effort and own_completed is null and time_spent = 0 and effort_to_do = effort - effort_completed) as is_written,
          bool_and(effort_completed = effort) as is_done, bool_and(effort_completed = 0) as is_open,
          bool_and(time_remain = effort) as is_whole, bool_and(time_remain = 0) as is_timeless
        from fresh v group by assignable_id
        having bool_or(not ${isZero} or own_completed is not null
          or exists (select 1 from time t where t.assignable_id = v.assignable_id and t.role_id = v.role_id))) r) r;
    if ids is not null then ${note('confirmed', 'ids')}; end if;
    if owners is not null then ${note('noted', 'owners')}; ${note('own', 'owners')}; end if;`;

/** A state of another finality moves the totals of all that is in it. */
const updateState = noteAll(
  'noted',
  'ids',
  `select g.id from general g where ${levelOf('g')} is not null and g.entity_state_id in (
      select id from (select id, is_final from stale union all select id, is_final from fresh) v group by id, is_final having count(*) = 1)`,
);

export const noteTriggers = [
  noting('general', 'insert', insertGeneral, [ids, owners, spans]),
  noting('general', 'update', updateGeneral, [ids, spans]),
  noting('general', 'delete', deleteGeneral, [ids, spans]),
  noting('role_effort', 'insert', insertEffort, [ids, owners]),
  noting('role_effort', 'update', noteOwners(touched(effortColumns)), [ids]),
  noting('role_effort', 'delete', noteOwners('select assignable_id from stale'), [ids]),
  noting('entity_state', 'update', updateState, [ids]),
  noting('time', 'insert', noteOwners('select assignable_id from fresh'), [ids]),
  noting('time', 'update', noteOwners(touched(timeColumns)), [ids]),
  noting('time', 'delete', noteOwners('select assignable_id from stale'), [ids]),
].flat();
