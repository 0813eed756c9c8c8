/**
 * When a row exists for an actor: which kinds come into sight by which way, and what hangs on what. Each rule of `visible` in `@Resource` has
 * its conditions here.
 */
import { type ActorShape, isInContext, isMember } from '../actor.js';
import type { CollectionField, ReferenceField, ResourceType } from '../model/model.js';
import type { Visibility } from '../model/visibility.js';
import type { ActorSet, Condition, ContextSet } from './meaning.js';
import { withConditions } from './parts.js';
import { idOf } from './resolve-order.js';

/** The conditions under which a row of a resource exists for the actor. */
export function visible(resource: ResourceType, shape: Sight): Condition[] {
  return [...notDeleted(resource), ...sees(resource, shape)];
}

/** The same as of the last day: rows that were hidden since then by a deletion of what they hang on are among them. */
export const latelyVisible = (resource: ResourceType, shape: ActorShape): Condition[] =>
  sees(resource, shape).map((condition) => changed(condition, asOfYesterday));

const asOfYesterday = (condition: Condition): Condition =>
  condition.kind === 'deleted' ? { kind: 'deletedBefore' } : condition;

/** The conditions under which a row is listed in the context that is asked for. They limit rows only: references stay what the actor sees. */
export const inContext = (resource: ResourceType, shape: ActorShape): Condition[] =>
  isInContext(shape) ? sees(resource, 'context').map((condition) => changed(condition, ofContext)) : [];

const contextSets: Partial<Record<ActorSet, ContextSet>> = { projects: 'context projects', teams: 'context teams' };

const ofContext = (condition: Condition): Condition =>
  condition.kind === 'mine' || condition.kind === 'linkedToMine'
    ? { ...condition, set: contextSets[condition.set] ?? condition.set }
    : condition;

/** A condition with each of its parts changed that has no parts of its own. */
function changed(condition: Condition, change: (part: Condition) => Condition): Condition {
  const inner = withConditions(condition, (part) => changed(part, change));
  return inner === condition ? change(condition) : inner;
}

/** The same for the items of a collection: the owner, by whose key they are found, was found visible before. */
export function visibleItems({ target, via }: CollectionField, shape: ActorShape): Condition[] {
  return [...notDeleted(target), ...sees(target, shape, via.kind === 'key' ? via.column : undefined)];
}
/** A reference shows what it points at unless that is deleted; who did a thing is remembered even then. */
export function referable(field: ReferenceField, shape: ActorShape): Condition[] {
  const { target } = field;
  return target.settings.remembered ? sees(target, shape) : visible(target, shape);
}

const notDeleted = (resource: ResourceType): Condition[] =>
  resource.settings.softDelete ? [{ kind: 'not', part: { kind: 'deleted' } }] : [];

/** Whose rows are meant: those that an actor sees, or those of a context, whoever asks for it. */
type Sight = ActorShape | 'context';

const seesAll = (sight: Sight): boolean => sight !== 'context' && !isMember(sight);
const seesLess = (sight: Sight): boolean => sight !== 'context' && isMember(sight);

/** What hangs on a deleted or invisible entity is as hidden as that. `visibleColumn` refers to what was found visible before. */
export function sees(resource: ResourceType, shape: Sight, visibleColumn?: string): Condition[] {
  const rule = resource.settings.visible;
  switch (rule.kind) {
    case 'everyone':
      return [];
    case 'administrators':
      return seesLess(shape) ? [{ kind: 'or', parts: [] }] : [];
    case 'owned':
      return seesLess(shape) ? [mine(resource.referenceOf(rule.reference).column, 'user')] : [];
    case 'through':
      return [
        ...rule.references
          .filter((property) => resource.referenceOf(property).column !== visibleColumn)
          .flatMap((property) => related(resource, property, shape)),
        ...(rule.remembered ?? []).flatMap((property) => related(resource, property, shape, sees)),
      ];
    case 'throughEither': {
      const [first, second] = rule.references;
      if (resource.referenceOf(first).column === visibleColumn) return [];
      const field = resource.referenceOf(first);
      const other: Condition = { kind: 'and', parts: [lacks(field), ...related(resource, second, shape)] };
      return [{ kind: 'or', parts: [...related(resource, first, shape), other] }];
    }
    case 'correspondence':
      return seesAll(shape) ? [] : [{ kind: 'or', parts: correspondences(resource, rule, shape) }];
    case 'membership':
      return seesAll(shape) ? [] : [{ kind: 'or', parts: memberships(resource) }];
  }
}

type Correspondence = Extract<Visibility, { kind: 'correspondence' }>;

function correspondences(resource: ResourceType, rule: Correspondence, shape: Sight): Condition[] {
  const field = resource.collectionOf(rule.collection);
  const own = rule.references.map((property) => mine(resource.referenceOf(property).column, 'user'));
  return [...own, { kind: 'some', field, where: visible(field.target, shape) }];
}

/** Nothing where every row of the target exists for the actor. */
function related(resource: ResourceType, property: string, shape: Sight, rule = visible): Condition[] {
  const field = resource.referenceOf(property);
  const where = rule(field.target, shape);
  return where.length === 0 ? [] : [{ kind: 'related', field, where }];
}

/** The row refers to nothing, not even to what is hidden. */
const lacks = (field: ReferenceField): Condition => ({ kind: 'null', operand: { kind: 'field', field: idOf(field) } });

const mine = (column: string, set: ActorSet): Condition => ({ kind: 'mine', column, set });

/** How each kind of General comes into sight, besides lying in a project of one's own. */
const ways: Record<string, Condition[]> = {
  Project: [mine('id', 'projects')],
  Program: [linked('general', 'program_id', 'id')],
  Release: [linked('release_project', 'release_id', 'project_id')],
  Milestone: [linked('milestone_project', 'milestone_id', 'project_id')],
  Assignable: [
    { kind: 'linkedToMine', table: 'team_assignment', from: 'assignable_id', column: 'team_id', set: 'teams' },
  ],
};

/** Teams and their calendars are known to everyone, as are portfolio epics above all projects. */
const open: Record<string, (resource: ResourceType) => Condition> = {
  Team: ofKind,
  TeamIteration: ofKind,
  PortfolioEpic: (resource) => ({
    kind: 'and',
    parts: [ofKind(resource), lacks(resource.referenceOf('project'))],
  }),
};

function memberships(resource: ResourceType): Condition[] {
  const kinds = family(resource);
  const parts: Condition[] = resource.name === 'Project' ? [] : [mine('project_id', 'projects')];
  for (const [kind, conditions] of Object.entries(ways)) {
    const type = kinds.get(kind);
    if (!type) continue;
    // In a mixed list a way belongs to its own kind only: a story's id is no project's.
    const narrow = resource !== type && !resource.isA(type);
    for (const condition of conditions) {
      parts.push(narrow && kind !== 'Assignable' ? { kind: 'and', parts: [ofKind(type), condition] } : condition);
    }
  }
  for (const [kind, condition] of Object.entries(open)) {
    const type = kinds.get(kind);
    if (type) parts.push(condition(type));
  }
  return parts;
}

function ofKind(resource: ResourceType): Condition {
  return { kind: 'ofKind', values: resource.discriminator?.values ?? [] };
}

function linked(table: string, from: string, column: string): Condition {
  return { kind: 'linkedToMine', table, from, column, set: 'projects' };
}

/** The resource with all it derives from and all derived from it, by name. */
function family(resource: ResourceType): Map<string, ResourceType> {
  const types = new Map<string, ResourceType>();
  for (let up: ResourceType | undefined = resource; up; up = up.base) types.set(up.name, up);
  const down = (type: ResourceType): void => {
    types.set(type.name, type);
    type.derived.forEach(down);
  };
  down(resource);
  return types;
}
