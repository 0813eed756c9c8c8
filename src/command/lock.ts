/**
 * Locks the rows that a transaction will change and reads what they are. Everybody locks in one order - work items from
 * the bottom to the top, then spans and projects, by id within - so that nobody waits for somebody who waits for him.
 */
import { LRUCache } from 'lru-cache';
import { actorShape } from '../actor.js';
import type { Model, ResourceType } from '../model/model.js';
import { versionSql } from '../model/row-version.js';
import type { Existing } from '../query/compile/lookup.js';
import { all, any, column, late, list, name, raw, type Sql, type Statement, sql, statement } from '../sql.js';
import type { Row, Work } from './change.js';
import type { Circumstances, Locked } from './circumstances.js';
import type { Fact } from './facts.js';
import { hierarchyOf } from './hierarchy.js';

/** Columns of Generals that rules ask for, whatever was sent. */
const ruleColumns = [
  'id',
  'entity_type_id',
  'entity_version',
  'delete_date',
  'name',
  'project_id',
  'process_id',
  'entity_state_id',
  'start_date',
  'end_date',
  'planned_start_date',
  'planned_end_date',
  'user_story_id',
  'feature_id',
  'epic_id',
  'portfolio_epic_id',
  'release_id',
  'iteration_id',
  'team_iteration_id',
  'team_id',
  'responsible_team_id',
  'test_plan_id',
  'linked_general_id',
  'linked_test_plan_id',
  'program_id',
];

export interface Wanted {
  root: ResourceType;
  ids: readonly number[];
  /** Those the changes write; rows of other tables are read whole. */
  columns?: ReadonlySet<string>;
  /** Waits for those who are just referring to the rows, and keeps others from beginning to. */
  isToGo?: boolean;
  /** Those that are deleted, in place of those that are not. */
  isDeleted?: boolean;
  /** Generals that exist for the actor as this type alone; what the rows tell is noted. */
  as?: ResourceType;
}

type Locking = Pick<Circumstances, 'actor' | 'checkVersion' | 'columns' | 'facts' | 'ask' | 'existingAs' | 'model'>;

/**
 * Ids that are not there, or have been deleted (or restored) since they were looked up, are not in the answer. Where
 * parts may follow their owner they are locked with it, since they come first in the order.
 */
export async function lock(wanted: Wanted, work: Locking): Promise<Map<number, Locked>> {
  const { root, isDeleted = false, as } = wanted;
  const { text, parameters, names } = statementFor(wanted, work);
  const ids = new Set(wanted.ids);
  const rows = await work.ask({ text, parameters }, [...ids]);
  const present = rows
    .map((columns) => Object.fromEntries(names.map((name, at) => [name, columns[at]])) as LockedRow)
    .filter((row) => ids.has(row.id) && ((row.delete_date ?? null) !== null) === isDeleted)
    .filter((row) => !as || kindOf(root, row, work.model).isA(as));
  if (as) work.facts.note(as, present.map(factOf));
  return new Map(present.map((row) => [row.id, { resource: kindOf(root, row, work.model), row }]));
}

interface LockedRow extends Row {
  id: number;
}

interface LockingStatement extends Statement {
  /** Names of its columns. */
  names: readonly string[];
}

const statements = new LRUCache<string, LockingStatement>({ max: 1000 });

function statementFor(wanted: Wanted, work: Locking): LockingStatement {
  const { root, columns = new Set<string>(), isToGo = false, as } = wanted;
  const key = JSON.stringify([
    root.name,
    [...columns].sort(),
    isToGo,
    as?.name,
    actorShape(work.actor),
    work.checkVersion && work.actor.isAdministrator,
  ]);
  const present = statements.get(key);
  if (present) return present;
  const made = spell(wanted, work);
  statements.set(key, made);
  return made;
}

function spell({ root, columns, isToGo, as }: Wanted, work: Locking): LockingStatement {
  const { isGeneral } = root;
  const names = isGeneral ? [...new Set([...ruleColumns, ...(columns ?? [])])].sort() : ownColumns(root, work);
  const existing = as && work.existingAs(as, alias);
  const named = wantedRows(alias, existing);
  const parts = columns ? partsOf({ root, as, columns }, work) : [];
  // What may move waits as well for those who are adding to it: they would else have to wait for one another.
  const mode = isToGo || (isGeneral && columns?.has('project_id')) ? 'update' : 'no key update';
  const extra = { process: existing?.process, row_version: versionColumn(root, work) };
  const extras = Object.entries(extra).flatMap(([key, expression]) => (expression ? [{ key, expression }] : []));
  const shown = [...names.map((own) => column(alias, own)), ...extras.map(({ expression }) => expression)];
  return {
    ...statement(
      sql`select ${list(shown)} from ${name(root.table)} ${alias}
     where ${any([named, ...parts])}
     order by ${raw(isGeneral ? `${hierarchyOf(work.model).level}, id` : 'id')} for ${raw(mode)} of ${alias}`,
    ),
    names: [...names, ...extras.map(({ key }) => key)],
  };
}

const wantedRows = (row: Sql, existing: Pick<Existing, 'condition'> | undefined): Sql =>
  all([sql`${column(row, 'id')} = any(${late('ids')})`, ...(existing ? [existing.condition] : [])]);

/**
 * Parts that may follow what is written of their owner, as far as they exist for the actor, as that does: to wait for
 * the writer of another would show it.
 */
function partsOf(
  { root, as, columns }: Required<Pick<Wanted, 'columns'>> & Pick<Wanted, 'root' | 'as'>,
  { model, existingAs }: Locking,
): Sql[] {
  if (!root.isGeneral) return [];
  const type = as ?? root;
  const owner = name('o');
  const owners = wantedRows(owner, as && existingAs(as, owner));
  return hierarchyOf(model)
    .kindsOfParts.filter(({ field: { target } }) => target.isA(type) || type.isA(target))
    .filter(({ field: { target, follows } }) =>
      ['project', ...follows].some((property) => columns.has(target.referenceOf(property).column)),
    )
    .map(({ type: part, field }) =>
      all([
        sql`${column(alias, field.column)} = any(array(select ${column(owner, 'id')}
          from ${name(root.table)} ${owner} where ${owners}))`,
        existingAs(part, alias).condition,
      ]),
    );
}

const factOf = (row: LockedRow): Fact => ({
  id: row.id,
  kind: row.entity_type_id as number,
  name: row.name as string | null,
  project: row.project_id as number | null,
  process: row.process as number | null,
  release: row.release_id as number | null,
  iteration: row.iteration_id as number | null,
  teamIteration: row.team_iteration_id as number | null,
  userStory: row.user_story_id as number | null,
  feature: row.feature_id as number | null,
  testPlan: row.test_plan_id as number | null,
});

const alias = name('r');

/** As the caller has read it. */
function versionColumn(
  root: ResourceType,
  { actor, checkVersion }: Pick<Circumstances, 'actor' | 'checkVersion'>,
): Sql | undefined {
  if (!checkVersion) return undefined;
  return versionSql(root, alias, actor.isAdministrator ? undefined : late('actor.user'));
}

/** All columns of a table but its files. */
const ownColumns = ({ entity }: ResourceType, { columns }: Pick<Work, 'columns'>): string[] =>
  columns
    .getMetadata(entity)
    .columns.map((column) => column.databaseName)
    .filter((name) => name !== 'content');

/** The kind that a row of a shared table is of; the root itself where it is of none that is served. */
export function kindOf(root: ResourceType, row: Row, model: Model): ResourceType {
  const { discriminator } = root;
  if (!discriminator) return root;
  const value = row[discriminator.column] as string | number;
  return (
    model.resources.find(
      ({ root: own, discriminator: kind, derived }) =>
        own === root && derived.length === 0 && kind?.values?.length === 1 && kind.values[0] === value,
    ) ?? root
  );
}
