/**
 * Triggers that note, a statement at a time, whose totals a change may have moved. They sum up nothing themselves. Notes are held in
 * settings of the transaction, so that nothing is written only to be deleted, and a savepoint that is taken back takes its notes along.
 */
import { firstSpanLevel, kindOf, levelOf, numbers, of, parentOf, planned, spansOf } from './5-totals-kinds.js';
import { planning } from './5-totals-notes.js';

/**
 * `noted` are Generals to sum up anew; `own` those of them whose own efforts or times changed; `made` new items that claim that their
 * numbers are right, and `confirmed` those of them whose efforts have come and say the same; `folded` spans whose differences this
 * transaction adds up.
 */
export type Note = 'noted' | 'own' | 'made' | 'confirmed' | 'folded';

export const settingOf = (note: Note): string => `worktrack.${note}`;

export const text = (note: Note): string => `coalesce(current_setting('${settingOf(note)}', true), '')`;

/** The ids of a note, as an array. */
export const noted = (note: Note): string => `string_to_array(ltrim(${text(note)}, ','), ',')::int[]`;

/** An assignment is evaluated without a query. */
export const set = (name: Note, value: string): string =>
  `setting := set_config('${settingOf(name)}', ${value}, true);`;

/** Adds a variable that holds ids to a note, unless it is null. */
const note = (name: Note, ids: string): string =>
  `if ${ids} is not null then ${set(name, `${text(name)} || ',' || array_to_string(${ids}, ',')`)} end if;`;

const notes: readonly Note[] = ['noted', 'own', 'made', 'confirmed', 'folded'];

export const forget = notes.map((name) => set(name, `''`)).join('\n    ');

/** That all that was made was confirmed, as it was made. */
export const isConfirmed = `${text('noted')} = '' and ${text('made')} = ${text('confirmed')}`;

/** That there is nothing to settle. What is confirmed was made, and what is own is noted. */
export const isSettled = `${text('noted')} || ${text('made')} || ${text('folded')} = ''`;

type Operation = 'insert' | 'update' | 'delete';

/** Loading large or past data sums up at its end; what is being settled needs no notes. */
const isOff = `current_setting('worktrack.totals', true) <> ''`;

function noting(table: string, operation: Operation, statements: string, variables: readonly string[]): string[] {
  const name = `note_${table}_${operation}`;
  return [
    `create or replace function ${name}() returns trigger language plpgsql ${planning} as $$
     declare setting text; ${variables.map((variable) => `${variable} int[];`).join(' ')}
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

/** A look-up by key: most statements write one row. */
const isFinal = (row: string): string =>
  `coalesce((select e.is_final from entity_state e where e.id = ${row}.entity_state_id), false)`;

const totals = [...numbers, 'progress'];
const places = ['project_id', 'release_id', 'iteration_id', 'team_iteration_id'];
const above = ['user_story_id', 'feature_id', 'epic_id', 'portfolio_epic_id'];
const relevant = ['id', 'entity_type_id', 'entity_state_id', 'units', 'delete_date', ...above, ...totals, ...places];

/** One transaction of these many adds up what the spans that it moves have gained. */
const foldEvery = 64;

/** By the number of the transaction, mixed so that no regular pattern of writes is passed over. */
export const isFolding = `hashint8(pg_current_xact_id()::text::bigint) & ${foldEvery - 1} = 0`;

/** What the spans of rows gain, summed up by where the rows lie before the places are told apart. */
const gains = (rows: string): string => `insert into span_delta (span_id, effort, effort_completed)
      select s.span, sum(v.effort), sum(v.effort_completed) from (
        select ${places}, sum(sign * coalesce(effort, 0)) as effort, sum(sign * coalesce(effort_completed, 0)) as effort_completed
        from (${rows}) r where r.delete_date is null and ${kindOf('r', planned)} group by ${places}) v
        cross join lateral ${spansOf('v')}
      where s.span is not null group by s.span having sum(v.effort) <> 0 or sum(v.effort_completed) <> 0`;

const gain = (rows: string): string => `if ${isFolding} then
      with gained as (${gains(rows)} returning span_id) select array_agg(span_id) into spans from gained;
      ${note('folded', 'spans')}
    else
      ${gains(rows)};
    end if;`;

const parents = (rows: string): string =>
  `select ${parentOf('p')} as id from (${rows}) p where ${parentOf('p')} is not null`;

const isEmpty = `(${of('v', totals)}) is not distinct from (${numbers.map(() => 0)}, ${isFinal('v')}::int)`;
const isSpan = (row: string): string => `${levelOf(row)} >= ${firstSpanLevel}`;
const isItem = (row: string): string => `${levelOf(row)} < ${firstSpanLevel}`;

const insertGeneral = `select array_agg(v.id) filter (where ${isItem('v')}),
        array_agg(${parentOf('v')}) filter (where ${parentOf('v')} is not null) || array_agg(v.id) filter (where ${isSpan('v')})
      into ids, owners from fresh v where v.delete_date is null and not (${isEmpty});
    ${note('made', 'ids')}
    ${note('noted', 'owners')}
    if ids is not null then
      ${gain('select 1 as sign, v.* from fresh v')}
    end if;`;

// No joins: these have one plan for one row and for thousands.
const versions = `select -1 as sign, ${of('v', relevant)} from stale v union all select 1, ${of('v', relevant)} from fresh v`;

// Finality, not the state itself: most changes of state move no totals.
const facts = ['id', 'entity_type_id', 'units', 'delete_date', 'is_final', ...above, ...totals];
// What is the same before and after is there twice.
const changed = `select ${facts} from (select v.*, ${isFinal('v')} as is_final from (${versions}) v) v group by ${facts} having count(*) = 1`;

// What a span has gained belongs to it when it is deleted; what it gains later is not its own any more.
const closeSpans = `select array_agg(n.id) into ids from fresh n where n.delete_date is not null and ${isSpan('n')}
      and n.id in (select o.id from stale o where o.delete_date is null and ${isSpan('o')});
    if ids is not null then perform fold_spans(ids, true); end if;`;

const updateGeneral = `if not exists (select ${relevant} from fresh except all select ${relevant} from stale) then return null; end if;
    ${closeSpans}
    with changed as (${changed})
    select array_agg(id) into ids from (
      select c.id from changed c where ${levelOf('c')} is not null union ${parents('select * from changed')}) n;
    ${note('noted', 'ids')}
    ${gain(versions)}`;

const deleteGeneral = `select array_agg(id) into ids from (${parents('select * from stale')}) n;
    ${note('noted', 'ids')}
    ${gain('select -1 as sign, v.* from stale v')}`;

/** Items by the rows that hang on them. */
const noteOwners = (rows: string): string => `select array_agg(distinct assignable_id) into ids
      from (${rows}) r where assignable_id is not null;
    ${note('noted', 'ids')}
    ${note('own', 'ids')}`;

const touched = (columns: string[]): string => `select assignable_id from (
    select ${columns} from stale union all select ${columns} from fresh) v group by ${columns.join(', ')}, assignable_id having count(*) = 1`;

const effortColumns = ['id', 'assignable_id', 'role_id', 'own_effort', 'own_completed', ...numbers];
const timeColumns = ['id', 'assignable_id', 'role_id', 'spent', 'remain', 'date'];

const isZero = `(${['own_effort', ...numbers].map((it) => `v.${it}`)}) = (${['own_effort', ...numbers].map(() => 0)})`;

/** That a new item, `g` in the state `e`, has just the sums of its new rows, without parts and times. */
const isRight = `g.effort = r.effort and g.effort_completed = r.effort_completed and g.effort_to_do = r.effort - r.effort_completed
    and g.time_spent = 0 and case when e.is_final is true
      then g.progress = 1 and r.is_done and g.time_remain = 0 and r.is_timeless
      else g.progress = 0 and r.is_open and case when g.units is not distinct from 'h'
        then g.time_remain = r.effort and r.is_whole else g.time_remain = 0 and r.is_timeless end end`;

/**
 * A row of zeros changes nothing but where times of its role are waiting for it. Rows confirm a claim once: those that come later are not
 * in the numbers that were confirmed.
 */
const insertEffort = `if ${text('confirmed')} = '' then claims := ${noted('made')};
    else claims := array(select unnest(${noted('made')}) except select unnest(${noted('confirmed')}));
    end if;
    select array_agg(r.id) filter (where r.is_right), array_agg(r.id) filter (where not r.is_right) into ids, owners from (
      select r.id, coalesce(r.is_written and r.id in (select unnest(claims)) and ${isRight}, false) as is_right
      from (select assignable_id as id, sum(effort) as effort, sum(effort_completed) as effort_completed,
          bool_and(own_effort = effort and own_completed is null and time_spent = 0 and effort_to_do = effort - effort_completed) as is_written,
          bool_and(effort_completed = effort) as is_done, bool_and(effort_completed = 0) as is_open,
          bool_and(time_remain = effort) as is_whole, bool_and(time_remain = 0) as is_timeless
        from fresh v group by assignable_id
        having bool_or(not ${isZero} or own_completed is not null
          or exists (select 1 from time t where t.assignable_id = v.assignable_id and t.role_id = v.role_id))) r
        join general g on g.id = r.id left join entity_state e on e.id = g.entity_state_id offset 0) r;
    ${note('confirmed', 'ids')}
    ${note('noted', 'owners')}
    ${note('own', 'owners')}`;

/** A state of another finality moves the totals of all that is in it. */
const updateState = `select array_agg(g.id) into ids from general g where ${levelOf('g')} is not null and g.entity_state_id in (
      select id from (select id, is_final from stale union all select id, is_final from fresh) v group by id, is_final having count(*) = 1);
    ${note('noted', 'ids')}`;

export const noteTriggers = [
  noting('general', 'insert', insertGeneral, ['ids', 'owners', 'spans']),
  noting('general', 'update', updateGeneral, ['ids', 'spans']),
  noting('general', 'delete', deleteGeneral, ['ids', 'spans']),
  noting('role_effort', 'insert', insertEffort, ['ids', 'owners', 'claims']),
  noting('role_effort', 'update', noteOwners(touched(effortColumns)), ['ids']),
  noting('role_effort', 'delete', noteOwners('select assignable_id from stale'), ['ids']),
  noting('entity_state', 'update', updateState, ['ids']),
  noting('time', 'insert', noteOwners('select assignable_id from fresh'), ['ids']),
  noting('time', 'update', noteOwners(touched(timeColumns)), ['ids']),
  noting('time', 'delete', noteOwners('select assignable_id from stale'), ['ids']),
].flat();
