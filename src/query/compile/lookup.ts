/**
 * One statement that looks entities of several types up by id: those that exist for the actor, with what rules need to
 * know.
 */
import type { ActorShape } from '../../actor.js';
import type { ResourceType } from '../../model/model.js';
import { type FactName, factTypes } from '../../model/resource-settings.js';
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
  return { condition: all(conditionsOf(resource, row, shape)), process: processOfGeneral(resource, row) };
}

const conditionsOf = (resource: ResourceType, row: Row, shape: ActorShape): Sql[] =>
  rowConditions(resource, visible(resource, shape), row);

export const factColumns = Object.keys(factTypes) as FactName[];

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
  const facts = factsOf(resource, row);
  const shown = factColumns.map((fact) => facts[fact] ?? raw(`null::${factTypes[fact]}`));
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
const markedLately = ({ isGeneral }: ResourceType, { alias }: Row): Sql =>
  isGeneral
    ? sql`${column(alias, 'deleted_with_id')} is not null and ${column(alias, 'delete_date')} >= now() - interval '1 day'`
    : raw('false');

/** What its columns tell; what has custom fields has those of the process of its project. */
function factsOf(resource: ResourceType, row: Row): Partial<Record<FactName, Sql>> {
  const { facts, customFields } = resource.settings;
  const ofColumns = Object.entries(facts).map(([fact, held]) => [fact, column(row.alias, held)] as const);
  if (resource.isGeneral) return { ...Object.fromEntries(ofColumns), process: processOfGeneral(resource, row) };
  if (customFields !== 'project') return Object.fromEntries(ofColumns);
  const project = column(row.alias, 'project_id');
  return { project, process: processOfProject(project, row) };
}

/** The process of an item is that of its project; a project has its own. */
function processOfGeneral({ root }: ResourceType, row: Row): Sql {
  const { settings } = root.kindsBelow.find((kind) => kind.settings.customFields === 'own')!;
  const isOwn = sql`${column(row.alias, 'entity_type_id')} = ${raw(String(settings.entityTypeId))}`;
  return sql`case when ${isOwn} then ${column(row.alias, 'process_id')} else ${processOfProject(column(row.alias, 'project_id'), row)} end`;
}
