/** What one caller sees of a dump, worked out row by row from what the contract says, in the plainest way. */

import { camelCase } from '../../../src/model/camel-case.js';
import { columnName } from '../../../src/model/declarations.js';
import type {
  CollectionField,
  Field,
  Model,
  ReferenceField,
  ResourceType,
  ScalarField,
} from '../../../src/model/model.js';
import { computedValue, isReadOtherwise } from './computed-values.js';
import type { Dump, Row } from './dump.js';

/** A date is a number of milliseconds. */
export type Value = string | number | boolean | null;

export interface Caller {
  login: string;
  userId: number;
  isAdministrator: boolean;
  projects: ReadonlySet<number>;
  teams: ReadonlySet<number>;
}

/** Members of a project are its members, and those of the teams that work on it. */
export function callerOf(dump: Dump, login: string): Caller {
  const user = dump.rows('general_user').find((row) => row.login === login && row.delete_date === null);
  if (!user) throw new Error(`nobody has the login ${login}`);
  const isLive = (id: unknown): boolean => dump.row('general', id)?.delete_date === null;
  const teams = dump
    .having('team_member', 'user_id', user.id)
    .map((row) => Number(row.team_id))
    .filter(isLive);
  const projects = [
    ...dump.having('project_member', 'user_id', user.id),
    ...teams.flatMap((team) => dump.having('team_project', 'team_id', team)),
  ].map((row) => Number(row.project_id));
  return {
    login,
    userId: user.id,
    isAdministrator: user.is_administrator === true,
    projects: new Set(projects.filter(isLive)),
    teams: new Set(teams),
  };
}

export class World {
  private readonly seen = new Map<string, Map<Row, boolean>>();
  private readonly lists = new Map<ResourceType, readonly Thing[]>();

  constructor(
    readonly model: Model,
    readonly dump: Dump,
    readonly caller: Caller,
  ) {}

  /** All that the caller sees of a kind, deleted ones among them. */
  withDeleted(resource: ResourceType): readonly Thing[] {
    const rows = this.dump.rows(resource.table).filter((row) => this.sees(resource, row));
    return rows.map((row) => new Thing(this, resource, row));
  }

  /** All that is there for the caller of a kind. */
  things(resource: ResourceType): readonly Thing[] {
    const cached = this.lists.get(resource);
    if (cached) return cached;
    const list = this.dump.rows(resource.table).flatMap((row) => this.thingOf(resource, row) ?? []);
    this.lists.set(resource, list);
    return list;
  }

  thing(resource: ResourceType, id: unknown): Thing | undefined {
    const things = this.dump.having(resource.table, 'id', id).flatMap((row) => this.thingOf(resource, row) ?? []);
    return things.toSorted((a, b) => a.rowKey - b.rowKey)[0];
  }

  thingOf(resource: ResourceType, row: Row): Thing | undefined {
    return this.isThere(resource, row) ? new Thing(this, resource, row) : undefined;
  }

  /** `owner` is a column that refers to what the row was reached from, which is there. */
  isThere(resource: ResourceType, row: Row, owner?: string): boolean {
    return isLive(resource, row) && this.sees(resource, row, owner);
  }

  /** Whether the caller may see a row of a kind, if only it is not deleted. */
  sees(resource: ResourceType, row: Row, owner?: string): boolean {
    const key = owner === undefined ? resource.name : `${resource.name} of ${owner}`;
    const seen = this.seen.get(key) ?? new Map<Row, boolean>();
    this.seen.set(key, seen);
    const cached = seen.get(row);
    if (cached !== undefined) return cached;
    const answer = isOfKind(resource, row) && this.isVisible(resource, row, owner);
    seen.set(row, answer);
    return answer;
  }

  private isVisible(resource: ResourceType, row: Row, owner?: string): boolean {
    const { visible } = resource.settings;
    const { isAdministrator, userId } = this.caller;
    const key = (property: string): unknown => row[resource.referenceOf(property).column];
    const isThere = (property: string): boolean => {
      const { target, column } = resource.referenceOf(property);
      if (column === owner) return true;
      const row = this.dump.row(target.table, key(property));
      return row !== undefined && this.isThere(target, row);
    };
    switch (visible.kind) {
      case 'everyone':
        return true;
      case 'administrators':
        return isAdministrator;
      case 'owned':
        return isAdministrator || key(visible.reference) === userId;
      case 'through':
        return (
          visible.references.every(isThere) &&
          (visible.remembered ?? []).every((one) => this.isRemembered(resource, row, one))
        );
      case 'throughEither':
        return isThere(visible.references[key(visible.references[0]) === null ? 1 : 0]!);
      case 'correspondence': {
        const isOwn = visible.references.some((property) => key(property) === userId);
        return isAdministrator || isOwn || this.showsItem(resource, row, visible.collection);
      }
      case 'membership':
        return isAdministrator || this.isMembers(row);
    }
  }

  private showsItem(resource: ResourceType, row: Row, property: string): boolean {
    const field = resource.ofProperty(property);
    if (field?.kind !== 'collection') throw new Error(`${resource.name} has no collection ${property}`);
    return new Thing(this, resource, row).items(field).length > 0;
  }

  private isRemembered(resource: ResourceType, row: Row, property: string): boolean {
    const { target, column } = resource.referenceOf(property);
    const remembered = this.dump.row(target.table, row[column]);
    return remembered !== undefined && this.sees(target, remembered);
  }

  /** What lies in a project of the caller's, is shared with one, or is assigned to a team of the caller's. */
  private isMembers(row: Row): boolean {
    const { projects, teams } = this.caller;
    if (projects.has(Number(row.project_id))) return true;
    const kind = this.model.resources.find(
      ({ settings, root }) => root.name === 'General' && settings.entityTypeId === row.entity_type_id,
    );
    switch (kind?.name) {
      case 'Project':
        return projects.has(row.id);
      case 'Program':
        return this.dump.having('general', 'program_id', row.id).some(({ id }) => projects.has(id));
      case 'Release':
        return this.dump
          .having('release_project', 'release_id', row.id)
          .some((one) => projects.has(Number(one.project_id)));
      case 'Milestone':
        return this.dump
          .having('milestone_project', 'milestone_id', row.id)
          .some((one) => projects.has(Number(one.project_id)));
      case 'Team':
      case 'TeamIteration':
        return true;
      case 'PortfolioEpic':
        if (row.project_id === null) return true;
    }
    return this.dump.having('team_assignment', 'assignable_id', row.id).some((one) => teams.has(Number(one.team_id)));
  }
}

/** A row as one of a kind: a reference that is declared as a work item shows a work item, whatever the row is. */
export class Thing {
  constructor(
    readonly world: World,
    readonly resource: ResourceType,
    readonly row: Row,
  ) {}

  get id(): number {
    return this.row.id;
  }

  /**
   * The same row as one of its very kind, if what is asked of it is a field of some kinds only; nothing where its kind
   * has no such field.
   */
  private asKind<F extends Field>(field: F): { thing: Thing; field: F } | undefined {
    if (this.resource.fields.includes(field)) return { thing: this, field };
    const kind = kindOf(this.resource, this.row);
    const own = kind?.field(field.name);
    return kind && own?.kind === field.kind
      ? { thing: new Thing(this.world, kind, this.row), field: own as F }
      : undefined;
  }

  /** Tells it apart from others with the same Id. */
  get rowKey(): number {
    return Number(this.row[this.resource.settings.rowKey]);
  }

  value(field: ScalarField): Value {
    const own = this.asKind(field);
    return own ? own.thing.ownValue(own.field) : null;
  }

  private ownValue(field: ScalarField): Value {
    const { caller } = this.world;
    if (field.isPrivate && !caller.isAdministrator && this.id !== caller.userId) return null;
    if (field.column === undefined || isReadOtherwise(field.name, this)) return computedValue(field.name, this);
    const stored = plainValue(field, this.row[field.column]);
    const changed = /^IsChanged(Project|Release|Iteration|PortfolioEpic|Epic|Feature|UserStory|Build)$/.exec(
      field.name,
    )?.[1];
    return changed && !caller.isAdministrator ? stored && this.seesChange(changed) : stored;
  }

  /** A history tells that a reference changed to who sees what it was or is, deleted or not. */
  private seesChange(kind: string): boolean {
    const { dump, model } = this.world;
    const { table } = this.resource;
    const records = dump.having(table, 'general_id', this.row.general_id).toSorted(byDate);
    const before = records[records.indexOf(this.row) - 1];
    return [this.row, before].some((record) => {
      const target = record && dump.row('general', record[`${columnName(camelCase(kind))}_id`]);
      return target !== undefined && this.world.sees(model.resource(kind), target);
    });
  }

  /**
   * What a reference points at: an entity of its own kind that the caller sees. People are remembered when they are
   * deleted.
   */
  target(field: ReferenceField): Thing | null {
    const own = this.asKind(field);
    if (!own) return null;
    const { target, column } = own.field;
    const row = this.world.dump.row(target.table, this.row[column]);
    if (!row) return null;
    const isThere = target.settings.remembered ? this.world.sees(target, row) : this.world.isThere(target, row);
    return isThere ? new Thing(this.world, target, row) : null;
  }

  has(field: Field): boolean {
    return this.asKind(field) !== undefined;
  }

  items(field: CollectionField, { withDeleted = false } = {}): Thing[] {
    const own = this.asKind(field);
    if (!own) return [];
    const { target, via } = own.field;
    const owner = via.kind === 'key' ? via.column : undefined;
    const rows = this.rowsOf(own.field).filter((row) =>
      withDeleted ? this.world.sees(target, row) : this.world.isThere(target, row, owner),
    );
    return rows.map((row) => new Thing(this.world, target, row));
  }

  /** An item that is linked twice is one item. */
  private rowsOf({ target, via }: CollectionField): readonly Row[] {
    const { dump } = this.world;
    if (via.kind === 'key') return dump.having(target.table, via.column, this.id);
    const ids = new Set(dump.having(via.table, via.from, this.id).map((link) => link[via.to]));
    return [...ids].flatMap((id) => dump.row(target.table, id) ?? []);
  }
}

const byDate = (a: Row, b: Row): number => Number(a.date) - Number(b.date) || a.id - b.id;

function isLive({ settings: { softDelete } }: ResourceType, row: Row): boolean {
  return softDelete === undefined || row[softDelete] === null;
}

/**
 * The derived type that a row is of, if it is of one; of a view with the fields of another entity, that of the entity.
 */
function kindOf(resource: ResourceType, row: Row): ResourceType | undefined {
  const kind = (resource.like ?? resource).derived.find((one) => isOfKind(one, row));
  return kind && (kindOf(kind, row) ?? kind);
}

/** What can be named of a resource: its fields, and those of its kinds. */
export const namedFields = (resource: ResourceType): Field[] => [...resource.fields, ...resource.commonKindFields];

export function isOfKind({ discriminator }: ResourceType, row: Row): boolean {
  return !discriminator?.values || discriminator.values.includes(row[discriminator.column] as string | number);
}

function plainValue({ scalar }: ScalarField, stored: unknown): Value {
  if (stored === null || stored === undefined) return null;
  switch (scalar) {
    case 'moment':
      return (stored as Date).getTime();
    case 'id':
    case 'integer':
    case 'long':
    case 'decimal':
    case 'double':
      return Number(stored);
    case 'flag':
      return stored === true;
    case 'text':
    case 'richText':
    case 'choice':
      return String(stored);
  }
}
