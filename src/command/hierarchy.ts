/** SQL of how kinds of Generals stand to one another, spelled from what their entities declare, once for a model. */
import type { Model, ReferenceField, ResourceType } from '../model/model.js';
import type { Placement } from '../model/resource-settings.js';

export interface Hierarchy {
  /** Of a row of `general`: how far up its kind stands. */
  readonly level: string;
  /** The live Generals that are parts of those with the ids `$1`, and are deleted with them. */
  readonly parts: string;
  /** The live Generals that lie in the projects with the ids `$1`, and are deleted with them. */
  readonly contents: string;
  /** The kinds of parts, with the reference to what they are a part of. */
  readonly kindsOfParts: readonly { readonly type: ResourceType; readonly field: ReferenceField }[];
  /** Of a row: what it is a part of, and lies with in one project. */
  owner(row: string): string;
  /** Of a row: what it cannot be without, topmost first, as `(values (1, id), …)`. */
  owners(row: string): string;
  /** Of a row: the project that it lies in, or is. */
  readonly project: string;
  /** The kinds that others lie in. */
  readonly projects: readonly number[];
  /** The kinds above projects that lie in none: of a project that they were given they are no parts. */
  readonly besideProjects: readonly number[];
}

const ofModels = new WeakMap<Model, Hierarchy>();

export function hierarchyOf(model: Model): Hierarchy {
  const hierarchy = ofModels.get(model) ?? spell(model);
  ofModels.set(model, hierarchy);
  return hierarchy;
}

interface Kind {
  readonly id: number;
  readonly type: ResourceType;
}

function spell(model: Model): Hierarchy {
  const kinds = model.resources.flatMap((type): Kind[] => {
    const id = type.settings.entityTypeId;
    return type.isGeneral && id !== undefined && type.derived.length === 0 ? [{ id, type }] : [];
  });
  const needed = kinds.flatMap(({ id, type }) => needs(type).map((field) => ({ id, type, field })));
  const parts = needed.filter(({ field }) => field.isPart);
  const others = needed.filter(({ field }) => !field.isPart);
  const placed = (as: Placement): number[] => kinds.filter(({ type }) => type.settings.lies === as).map(({ id }) => id);
  const [besideProjects, projects] = [placed('aboveProjects'), placed('asProject')];
  return {
    besideProjects,
    projects,
    contents: `select id from general where delete_date is null and project_id = any($1::bigint[])
      and entity_type_id not in (${[...projects, ...besideProjects].join(', ')})`,
    level: `case entity_type_id ${kinds.map(({ id, type }) => `when ${id} then ${type.settings.level}`).join(' ')} end`,
    parts: `select id from general where delete_date is null and (${parts
      .map(({ id, field }) => `"${field.column}" = any($1::bigint[]) and entity_type_id = ${id}`)
      .join(' or ')})`,
    kindsOfParts: parts,
    owner: (row) => caseOf(row, parts),
    owners: (row) => {
      const owner = caseOf(row, parts);
      // A part lies where its owner lies, which may have moved while the part was deleted.
      const ofProject = `case when ${row}.entity_type_id in (${parts.map(({ id }) => id).join(', ')})
        then (select w.project_id from general w where w.id = ${owner})
        when ${row}.entity_type_id not in (${besideProjects.join(', ')}) then ${row}.project_id end`;
      return `(values (1, ${ofProject}), (2, ${caseOf(row, others)}), (3, ${owner}))`;
    },
    project: `case when entity_type_id in (${projects.join(', ')}) then id else project_id end`,
  };
}

/** References without which there is no item of the kind, its project aside. */
const needs = (type: ResourceType): ReferenceField[] =>
  type.fields.filter(
    (field): field is ReferenceField =>
      field.kind === 'reference' &&
      field.isRequired &&
      field.target.isGeneral &&
      field.target.settings.lies !== 'asProject',
  );

const caseOf = (row: string, all: readonly { id: number; field: ReferenceField }[]): string =>
  `case ${row}.entity_type_id ${all.map(({ id, field }) => `when ${id} then ${row}."${field.column}"`).join(' ')} end`;
