/** Triggers that note, a statement at a time, whose totals a change may have moved. They sum up nothing themselves. */
import { isFinal, kindOf, levelOf, levelOfParent, numbers, of, parentOf, planned, spansOf } from './5-totals-kinds.js';

/**
 * A note is of the transaction that wrote it and gone before it ends. It names rows of a level to sum up anew, or says what
 * one span gains. New items claim that their numbers are right; whoever adds their efforts confirms it, or the claim is a
 * note like any other. A note without a level wakes `settle`, once for all others.
 */
export const notes = [
  `create unlogged table unsettled (xid xid8 not null default pg_current_xact_id(), level smallint, ids int[], claim text,
     effort numeric, effort_completed numeric)`,
  // Notes of other transactions may lie there dead, in any number.
  'create index ix_unsettled on unsettled (xid, level)',
];

export const mine = 'xid = pg_current_xact_id()';

// Plans are made once in a session, maybe while the tables are empty, and must be good for ever: by key, whatever the number.
export const planning = 'set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off';

type Operation = 'insert' | 'update' | 'delete';

const transitions: Record<Operation, string> = {
  insert: 'new table as fresh',
  update: 'old table as stale new table as fresh',
  delete: 'old table as stale',
};

const wake = `if found then
    insert into unsettled (level) select null where not exists (select 1 from unsettled where ${mine} and level is null);
  end if;`;

/** Loading large or past data sums up at its end; what is being settled needs no notes. */
const unlessOff = `if current_setting('worktrack.totals', true) <> '' then return null; end if;`;

function noting(table: string, operation: Operation, statement: string): string[] {
  const name = `note_${table}_${operation}`;
  return [
    `create function ${name}() returns trigger language plpgsql ${planning} as $$ begin ${unlessOff} ${statement}; ${wake} return null; end $$`,
    // Named to come behind the triggers of the history, which has to know of an item before it can know of its changes.
    `create trigger ${table}_totals_${operation} after ${operation} on "${table}" referencing ${transitions[operation]}
       for each statement execute function ${name}()`,
  ];
}

const totals = [...numbers, 'progress'];
const places = ['project_id', 'release_id', 'iteration_id', 'team_iteration_id'];
const above = ['user_story_id', 'feature_id', 'epic_id', 'portfolio_epic_id'];
const relevant = ['id', 'entity_type_id', 'entity_state_id', 'units', 'delete_date', ...above, ...totals, ...places];

/** What the spans of rows gain, summed up by where the rows lie before the places are told apart. */
const gains = (rows: string): string => `
  select s.level, array[s.span], null, sum(v.effort), sum(v.effort_completed) from (
    select ${places}, sum(sign * coalesce(effort, 0)) as effort, sum(sign * coalesce(effort_completed, 0)) as effort_completed
    from (${rows}) r where r.delete_date is null and ${kindOf('r', planned)} group by ${places}) v
    cross join lateral ${spansOf('v')}
  where s.span is not null group by s.level, s.span having sum(v.effort) <> 0 or sum(v.effort_completed) <> 0`;

const noteGeneral = 'insert into unsettled (level, ids, claim, effort, effort_completed)';
const marks = (rows: string): string =>
  `select level, array_agg(distinct id), null::text, null::numeric, null::numeric from (${rows}) m where level is not null group by level`;
const parents = (rows: string): string =>
  `select ${parentOf('p')} as id, ${levelOfParent('p')} as level from (${rows}) p where ${parentOf('p')} is not null`;

const isEmpty = `(${of('v', totals)}) is not distinct from (${numbers.map(() => 0)}, ${isFinal('v')}::int)`;
const added = `select v.* from fresh v where v.delete_date is null and not (${isEmpty})`;

const insertGeneral = `${noteGeneral}
  select ${levelOf('v')}, array_agg(id), 'made', null::numeric, null::numeric from (${added}) v
    where ${levelOf('v')} is not null group by 1
  union all ${marks(parents(added))}
  union all ${gains('select 1 as sign, v.* from fresh v')}`;

// No joins: these have one plan for one row and for thousands.
const versions = `select -1 as sign, ${of('v', relevant)} from stale v union all select 1, ${of('v', relevant)} from fresh v`;

// Finality, not the state itself: most changes of state move no totals.
const facts = ['id', 'entity_type_id', 'units', 'delete_date', 'is_final', ...above, ...totals];
// What is the same before and after is there twice.
const changed = `select ${facts} from (select v.*, ${isFinal('v')} as is_final from (${versions}) v) v group by ${facts} having count(*) = 1`;

const updateGeneral = `if not exists (select ${relevant} from fresh except all select ${relevant} from stale) then return null; end if;
  ${noteGeneral}
  with changed as (${changed})
  ${marks(`select id, ${levelOf('c')} as level from changed c union all ${parents('select * from changed')}`)}
  union all ${gains(versions)}`;

const deleteGeneral = `${noteGeneral}
  ${marks(parents('select * from stale'))}
  union all ${gains('select -1 as sign, v.* from stale v')}`;

/** Items found by the rows that hang on them: a look-up by key for each, whatever their number. */
const owners = (rows: string, claim?: string): string => `insert into unsettled (level, ids${claim ? ', claim' : ''})
  select level, array_agg(id)${claim ? `, ${claim}` : ''} from (
    select r.id, (select ${levelOf('o')} from general o where o.id = r.id) as level
    from (select distinct assignable_id as id from (${rows}) r where assignable_id is not null) r) m
  where level is not null group by level`;

const touched = (columns: string[]): string => `select assignable_id from (
    select ${columns} from stale union all select ${columns} from fresh) v group by ${columns.join(', ')}, assignable_id having count(*) = 1`;

const effortColumns = ['id', 'assignable_id', 'role_id', 'own_effort', ...numbers];
const timeColumns = ['id', 'assignable_id', 'role_id', 'spent', 'remain', 'date'];

const isZero = `(${['own_effort', ...numbers].map((it) => `v.${it}`)}) = (${['own_effort', ...numbers].map(() => 0)})`;

/** That a new item has just the sums of its new rows, without parts and times. */
const isRight = `(select g.effort = r.effort and g.effort_completed = r.effort_completed and g.effort_to_do = r.effort - r.effort_completed
    and g.time_spent = 0 and g.time_remain = case when f.is_counting then r.effort else 0 end and g.progress = f.is_final::int
    and case when f.is_final then r.is_done else r.is_open end and case when f.is_counting then r.is_whole else r.is_timeless end
  from general g cross join lateral (select ${isFinal('g')} as is_final) s
    cross join lateral (select s.is_final, g.units is not distinct from 'h' and not s.is_final as is_counting) f
  where g.id = r.id)`;

// Once only: rows that come later are not in the numbers that were confirmed.
const noted = (claim: string): string => `select unnest(ids) from unsettled where ${mine} and claim = '${claim}'`;
const claimed = `${noted('made')} except ${noted('confirmed')}`;

// A row of zeros changes nothing but where times of its role are waiting for it.
const insertEffort = (claim?: string): string => `insert into unsettled (level, ids, claim)
  select level, array_agg(id), case when is_right then 'confirmed'${claim ? ` else ${claim}` : ''} end from (
    select r.id, (select ${levelOf('o')} from general o where o.id = r.id) as level,
      case when r.is_written and r.id in (${claimed}) then ${isRight} else false end as is_right
    from (select assignable_id as id, sum(effort) as effort, sum(effort_completed) as effort_completed,
        bool_and(own_effort = effort and time_spent = 0 and effort_to_do = effort - effort_completed) as is_written,
        bool_and(effort_completed = effort) as is_done, bool_and(effort_completed = 0) as is_open,
        bool_and(time_remain = effort) as is_whole, bool_and(time_remain = 0) as is_timeless
      from fresh v group by assignable_id
      having bool_or(not ${isZero} or exists (select 1 from time t where t.assignable_id = v.assignable_id and t.role_id = v.role_id))) r) m
  where level is not null group by level, is_right`;

/** A state of another finality moves the totals of all that is in it. */
const updateState = `insert into unsettled (level, ids)
  select level, array_agg(id) from (
    select g.id, ${levelOf('g')} as level from general g where g.entity_state_id in (
      select id from (select id, is_final from stale union all select id, is_final from fresh) v group by id, is_final having count(*) = 1)) m
  where level is not null group by level`;

/** For migration 19: what is written as completed moves totals, too. */
export const noteOwnCompleted = noting(
  'role_effort',
  'update',
  owners(touched([...effortColumns, 'own_completed']), `'own'`),
)[0]!.replace('create function', 'create or replace function');

/** Efforts, states and times of items; `claim` is what the notes of their efforts and times say. */
const noteWork = (claim?: string): string[][] => [
  noting('role_effort', 'insert', insertEffort(claim)),
  noting('role_effort', 'update', owners(touched(effortColumns), claim)),
  noting('role_effort', 'delete', owners('select assignable_id from stale', claim)),
  noting('entity_state', 'update', updateState),
  noting('time', 'insert', owners('select assignable_id from fresh', claim)),
  noting('time', 'update', owners(touched(timeColumns), claim)),
  noting('time', 'delete', owners('select assignable_id from stale', claim)),
];

export const noteTriggers = [
  ...noting('general', 'insert', insertGeneral),
  ...noting('general', 'update', updateGeneral),
  ...noting('general', 'delete', deleteGeneral),
  ...noteWork().flat(),
];

/** For migration 15: the notes tell which items have efforts or times of their own that changed, and not only parts. */
export const noteOwnWork = noteWork(`'own'`).map(([text]) =>
  text!.replace('create function', 'create or replace function'),
);
