/**
 * One statement that looks entities of several types up by id: those that exist for the actor, with what rules need to
 * know.
 */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import { all, column, join, late, name, raw, type Sql, type Statement, sql, statement, value } from '../../sql.js';
import type { Condition } from '../meaning.js';
import { latelyVisible, visible } from '../scope.js';
import { condition, negation } from '../values.js';
import { Aliases, conditionsSql, type Row, rootRow, rowConditions } from './compiling.js';
import { processOfProject } from './custom.js';
import { compiling } from './page.js';

/** A row that exists for the actor as an entity of a type. */
export interface Existing {
  condition: Sql;
  /** The process of the project that a General lies in, or its own. */
  process: Sql;
}

const everyone = { privacy: 'everyone' } as const;

export function existingAs(resource: ResourceType, alias: Sql, shape: ActorShape): Existing {
  const row = rootRow(everyone, compiling(), alias);
  return { condition: all(conditionsOf(resource, row, shape)), process: processOfGeneral(row) };
}

const conditionsOf = (resource: ResourceType, row: Row, shape: ActorShape): Sql[] =>
  rowConditions(resource, visible(resource, shape), row);

/** What a row tells, in the order of the columns behind type and id, each as null. */
const nothing = {
  kind: 'null::int',
  name: 'null::text',
  project: 'null::bigint',
  process: 'null::bigint',
  release: 'null::bigint',
  iteration: 'null::bigint',
  teamIteration: 'null::bigint',
  userStory: 'null::bigint',
  feature: 'null::bigint',
  testPlan: 'null::bigint',
  role: 'null::bigint',
  active: 'null::boolean',
  person: 'null::text',
};

type FactColumn = keyof typeof nothing;

export const factColumns = Object.keys(nothing) as FactColumn[];

/** Rows: place of the type in `targets`, id, and the fact columns. The ids of each type are given at its place. */
export function compileLookup(targets: readonly ResourceType[], shape: ActorShape): Statement {
  const aliases = new Aliases();
  return statement(
    join(
      targets.map((target, place) => lookUp(target, place, aliases, shape)),
      raw(' union all '),
    ),
  );
}

function lookUp(resource: ResourceType, place: number, aliases: Aliases, shape: ActorShape): Sql {
  const row = rootRow(everyone, compiling(), aliases.next(), aliases);
  const conditions = [
    sql`${column(row.alias, 'id')} = any(${late('ids', place)})`,
    ...conditionsOf(resource, row, shape),
  ];
  const facts = factsOf[resource.root.name]?.(row) ?? factsOfProject(resource, row);
  const shown = factColumns.map((fact) => facts[fact] ?? raw(nothing[fact]));
  return sql`select ${raw(String(place))} as place, ${column(row.alias, 'id')} as id, ${join(shown, raw(', '))}
    from ${name(resource.table)} ${row.alias} where ${all(conditions)}`;
}

/**
 * Ids of entities that a deletion of the last day took along: those that are marked themselves or hang on what is, and
 * those that are gone for good, as far as the actor could see what they were seen through when they went.
 */
export function compileTakenAlong(resource: ResourceType, general: ResourceType, shape: ActorShape): Statement {
  const aliases = new Aliases();
  const hidden = hiddenLately(resource, aliases, shape);
  return statement(
    resource.settings.softDelete ? hidden : sql`${hidden} union all ${goneLately(resource, general, aliases, shape)}`,
  );
}

function hiddenLately(resource: ResourceType, aliases: Aliases, shape: ActorShape): Sql {
  const row: Row = {
    ...rootRow(everyone, compiling(), name('t'), aliases),
    asOf: raw(`'infinity'::timestamptz`),
  };
  const isMarked = resource.settings.softDelete !== undefined;
  const conditions = [
    sql`${column(row.alias, 'id')} = any(${late('ids')})`,
    ...rowConditions(resource, latelyVisible(resource, shape), row),
    ...(isMarked ? [markedLately(resource, row)] : []),
  ];
  return sql`select ${column(row.alias, 'id')} as id from ${name(resource.table)} ${row.alias} where ${all(conditions)}`;
}

function goneLately(resource: ResourceType, general: ResourceType, aliases: Aliases, shape: ActorShape): Sql {
  const wasThere = negation(condition({ kind: 'deletedBefore' }));
  const isSeen = latelyVisible(general, shape);
  const seenThrough = (key: string, conditions: readonly Condition[]): Sql => {
    const row: Row = { ...rootRow(everyone, compiling(), aliases.next(), aliases), asOf: raw('a.date') };
    return sql`(${raw(`a.${key}`)} is null or exists (select 1 from ${name(general.table)} ${row.alias}
      where ${column(row.alias, 'id')} = ${raw(`a.${key}`)} and ${all(conditionsSql(conditions, row))}))`;
  };
  return sql`select a.id from taken_along a where a.kind = ${value(resource.name, 'text')} and a.id = any(${late('ids')})
    and a.date >= now() - interval '1 day'
    and ${seenThrough('general_id', [wasThere, ...isSeen])} and ${seenThrough('remembered_id', isSeen)}`;
}

/** Generals alone remember whose deletion took them along. */
const markedLately = ({ root }: ResourceType, { alias }: Row): Sql =>
  root.name === 'General'
    ? sql`${column(alias, 'deleted_with_id')} is not null and ${column(alias, 'delete_date')} >= now() - interval '1 day'`
    : raw('false');

/** What has custom fields has those of the process of its project. */
function factsOfProject({ settings }: ResourceType, row: Row): Partial<Record<FactColumn, Sql>> {
  if (settings.customFields !== 'project') return {};
  const project = column(row.alias, 'project_id');
  return { project, process: processOfProject(project, row) };
}

/** The process of an item is that of its project; a project has its own. */
const processOfGeneral = (row: Row): Sql =>
  sql`case when ${column(row.alias, 'entity_type_id')} = 1 then ${column(row.alias, 'process_id')} else ${processOfProject(column(row.alias, 'project_id'), row)} end`;

const factsOf: Record<string, ((row: Row) => Partial<Record<FactColumn, Sql>>) | undefined> = {
  General: (row) => {
    const of = (columnName: string) => column(row.alias, columnName);
    return {
      kind: of('entity_type_id'),
      name: of('name'),
      project: of('project_id'),
      process: processOfGeneral(row),
      release: of('release_id'),
      iteration: of('iteration_id'),
      teamIteration: of('team_iteration_id'),
      userStory: of('user_story_id'),
      feature: of('feature_id'),
      testPlan: of('test_plan_id'),
    };
  },
  GeneralUser: (row) => ({
    role: column(row.alias, 'role_id'),
    active: column(row.alias, 'is_active'),
    person: column(row.alias, 'kind'),
  }),
};
