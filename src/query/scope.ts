/**
 * Narrows what is meant to what the actor may see: no deleted rows, and for members only what their projects and teams
 * hold. One pass over the whole tree of either version - root, nested, counted, filtered, sorted and shown alike - so
 * that no route can forget it. What values lead to is compiled only once it has been here (`seenOf`).
 */
import { type ActorShape, isInContext, isMember } from '../actor.js';
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import type { Visibility } from '../model/visibility.js';
import { takesLong } from './costly-values.js';
import { kept } from './limits.js';
import type {
  ActorSet,
  Condition,
  CustomFieldGroup,
  Of,
  Operand,
  Order,
  Plan,
  PointerTarget,
  Shown,
  Value,
} from './meaning.js';
import {
  choice,
  collectionOf,
  condition,
  conjuncts,
  fieldOf,
  keyOf,
  type Leading,
  leadsToRows,
  negation,
  ofKinds,
  rowOf,
  series,
  withParts,
} from './values.js';

export const scope = (plan: Plan, shape: ActorShape): Plan => scopeRows(scopeItems(plan, shape), shape);

/** Which rows are there for the actor, and what they may be sorted by. */
export function scopeRows(plan: Plan, shape: ActorShape): Plan {
  const listsDeleted = plan.asksForDeleted && !isMember(shape);
  const innerRoute = plan.where.find((part) => part.kind === 'inside');
  const listed = innerRoute?.kind === 'inside' ? visibleItems(innerRoute.field, shape) : visible(plan.resource, shape);
  const root = listsDeleted ? sees(plan.resource, shape) : listed;
  const asked = plan.where.map((part) => scopeValue(part, shape));
  return {
    ...plan,
    privacy: privacyOf(shape),
    where: [...behind(root, asked, shape), ...root, ...inContext(plan.resource, shape)],
    order: scopeOrder(plan.order, shape),
  };
}

/**
 * What is asked of rows, where it takes long only of those that the actor sees: the database looks at the cheapest of
 * several conditions first, and how long it takes would tell what hidden rows hold.
 */
function behind(seen: readonly Condition[], asked: readonly Condition[], shape: ActorShape): Condition[] {
  if (!isMember(shape) || seen.length === 0 || !asked.some(takesLong)) return [...asked];
  const conditions = asked.flatMap(conjuncts);
  const test = series('and', seen);
  const yes = series('and', conditions.filter(takesLong));
  return [...conditions.filter((one) => !takesLong(one)), choice(test, yes, never)];
}

const never = series('or', []);

const scopeOrder = (orders: readonly Order[], shape: ActorShape): Order[] =>
  orders.map((order) => ({ ...order, by: scopeValue(order.by, shape) }));

const listedItems = (field: CollectionField, shape: ActorShape): Condition[] => [
  ...visibleItems(field, shape),
  ...inContext(field.target, shape),
];

/** Administrators see private values of everyone; others their own. */
const privacyOf = (shape: ActorShape): Plan['privacy'] => (isMember(shape) ? 'self' : 'everyone');

/** What items show. */
export function scopeItems(plan: Plan, shape: ActorShape): Plan {
  return {
    ...plan,
    privacy: privacyOf(shape),
    members: plan.members.map((member) =>
      member.kind === 'scalar'
        ? scopeField(member, shape)
        : { ...member, plan: referenced(member.field, member.plan, shape) },
    ),
    collections: plan.collections.map((member) => ({
      ...member,
      plan: {
        ...scopeItems(member.plan, shape),
        where: listedItems(member.field, shape),
        order: scopeOrder(member.plan.order, shape),
      },
    })),
    aggregates: plan.aggregates.map(({ name, value }) => ({ name, value: scopeValue(value, shape) })),
    customFields: plan.customFields && scopeGroups(plan.customFields, shape),
  };
}

const scopeGroups = (groups: readonly CustomFieldGroup[], shape: ActorShape): CustomFieldGroup[] =>
  groups.map((group) => ({
    ...group,
    fields: group.fields.map((field) => (field.target ? { ...field, target: seenBy(shape, field.target) } : field)),
  }));

/** What a custom field points at is as hidden as what a reference does. */
const seenBy = (shape: ActorShape, target: PointerTarget): PointerTarget => ({
  ...target,
  where: visible(target.resource, shape),
});

function scopeOperand<T extends Operand>(operand: T, shape: ActorShape): T;
function scopeOperand(operand: Operand, shape: ActorShape): Operand {
  if (operand.kind === 'field') return scopeField(operand, shape);
  return operand.target ? { ...operand, target: seenBy(shape, operand.target) } : operand;
}

/** A change is shown to those who see what the reference was or is; what was deleted since then counts. */
function scopeField<T extends { field: ScalarField; seen?: readonly Condition[] }>(holder: T, shape: ActorShape): T {
  const { changeOf } = holder.field;
  return changeOf ? { ...holder, seen: sees(changeOf.reference.target, shape) } : holder;
}

const referenced = (field: ReferenceField, plan: Plan, shape: ActorShape): Plan => ({
  ...scopeItems(plan, shape),
  where: referable(field, shape),
});

// --- values ----------------------------------------------------------------------------------------------------------

export function scopeShown(shown: Shown, shape: ActorShape): Shown {
  switch (shown.kind) {
    case 'whole':
      return shown;
    case 'items':
      return { ...shown, item: scopeValue(shown.item, shape) };
    case 'result':
      return { ...shown, result: scopeValue(shown.result, shape) };
    case 'groups': {
      const keys = shown.keys.map((key) => scopeValue(key, shape));
      const members = shown.members.map((member) => ({ ...member, value: scopeValue(member.value, shape) }));
      return { ...shown, keys, members, order: scopeOrder(shown.order, shape) };
    }
  }
}

/** What each kind that leads to rows learns of them, once its parts are scoped. */
const leading: { [Kind in Leading]: (node: Of<Kind>, shape: ActorShape) => Of<Kind> } = {
  related: (node, shape) => {
    const seen = referable(node.field, shape);
    return { ...node, where: [...behind(seen, node.where, shape), ...seen] };
  },
  inside: (node, shape) => ({ ...node, where: visible(node.owner, shape) }),
  field: (node, shape) => {
    const operand = scopeOperand(node.operand, shape);
    return operand === node.operand ? node : { ...node, operand };
  },
  reference: (node, shape) => ({ ...node, seen: referable(node.field, shape) }),
  pointed: (node, shape) => ({
    ...node,
    operand: scopeOperand(node.operand, shape),
    // People are remembered, even when they are deleted.
    seen: node.resource.settings.remembered ? sees(node.resource, shape) : visible(node.resource, shape),
  }),
  // Those of one owner that the actor does not see look like those of another.
  near: (node, shape) => ({
    ...node,
    seen: [...visible(node.resource, shape), ...related(node.resource, node.owner.property, sightOf(shape))],
  }),
  chain: (node, shape) => {
    const { source, isInContext } = node;
    if (source === 'root' || source.kind === 'values') return { ...node, seen: [] };
    const seen = visibleItems(source.field, shape);
    const filters = behind(seen, node.filters, shape);
    const asksOwn = isMember(shape) && source.field.via.kind === 'key' && filters.some(takesLong);
    return { ...node, filters, asksOwn, seen: isInContext ? listedItems(source.field, shape) : seen };
  },
  item: (node, shape) => ({ ...node, shown: scopeItems(node.plan, shape) }),
  customFields: (node, shape) => ({ ...node, groups: scopeGroups(node.groups, shape) }),
};

export function scopeValue<T extends Value>(value: T, shape: ActorShape): T {
  const scoped = withParts(value, (part) => scopeValue(part, shape));
  return leadsToRows(scoped) ? (leading[scoped.kind](scoped as never, shape) as unknown as T) : scoped;
}

// --- when a row exists for an actor: each rule of `visible` in `@Resource` -------------------------------------------

/** The conditions under which a row of a resource exists for the actor. */
export const visible = (resource: ResourceType, shape: ActorShape): Condition[] => exists(resource, sightOf(shape));

/** The same of deleted rows. */
export const sees = (resource: ResourceType, shape: ActorShape): Condition[] => isSeen(resource, sightOf(shape));

/** The same as of the last day: rows that were hidden since then by a deletion of what they hang on are among them. */
export const latelyVisible = (resource: ResourceType, shape: ActorShape): Condition[] =>
  isSeen(resource, isMember(shape) ? lately.members : lately.administrators);

/**
 * The conditions under which a row is listed in the context that is asked for. They limit rows only: references stay
 * what the actor sees.
 */
const inContext = (resource: ResourceType, shape: ActorShape): Condition[] =>
  isInContext(shape) ? isSeen(resource, ofContext) : [];

/**
 * The same for the items of a collection: the owner, by whose key they are found, was found visible before. What takes
 * long must wait for that key (`asksOwn`), since the database may ask all items before it looks whose they are.
 */
function visibleItems({ target, via }: CollectionField, shape: ActorShape): Condition[] {
  const sight = sightOf(shape);
  return [...notDeleted(target, sight), ...isSeen(target, sight, via.kind === 'key' ? via.column : undefined)];
}

/** A reference shows what it points at unless that is deleted; who did a thing is remembered even then. */
const referable = ({ target }: ReferenceField, shape: ActorShape): Condition[] =>
  target.settings.remembered ? sees(target, shape) : visible(target, shape);

/** Whose rows are meant: those that an actor sees, or those of a context, whoever asks for it. */
interface Sight {
  /** The projects and teams that hold them; undefined: it does not matter. */
  sets?: { projects: ActorSet; teams: ActorSet };
  /** Administrators and owners see more. */
  isLess: boolean;
  deleted: 'deleted' | 'deletedBefore';
}

const ofAdministrators: Sight = { isLess: false, deleted: 'deleted' };
const ofMembers: Sight = { sets: { projects: 'projects', teams: 'teams' }, isLess: true, deleted: 'deleted' };
const ofContext: Sight = {
  sets: { projects: 'context projects', teams: 'context teams' },
  isLess: false,
  deleted: 'deleted',
};

/** As of the last day. */
const lately = {
  administrators: { ...ofAdministrators, deleted: 'deletedBefore' },
  members: { ...ofMembers, deleted: 'deletedBefore' },
} satisfies Record<string, Sight>;

const sightOf = (shape: ActorShape): Sight => (isMember(shape) ? ofMembers : ofAdministrators);

/** They are the same for every request, and many are asked for by each. */
const existing = new WeakMap<Sight, WeakMap<ResourceType, Condition[]>>();

function exists(resource: ResourceType, sight: Sight): Condition[] {
  const ofSight = kept(existing, sight, () => new WeakMap<ResourceType, Condition[]>());
  return kept(ofSight, resource, () => [...notDeleted(resource, sight), ...isSeen(resource, sight)]);
}

const notDeleted = (resource: ResourceType, { deleted }: Sight): Condition[] =>
  resource.settings.softDelete ? [negation(condition({ kind: deleted }))] : [];

/**
 * What hangs on a deleted or invisible entity is as hidden as that. `visibleColumn` refers to what was found visible
 * before.
 */
function isSeen(resource: ResourceType, sight: Sight, visibleColumn?: string): Condition[] {
  const rule = resource.settings.visible;
  switch (rule.kind) {
    case 'everyone':
      return [];
    case 'administrators':
      return sight.isLess ? [series('or', [])] : [];
    case 'owned':
      return sight.isLess ? [mine(resource.referenceOf(rule.reference).column, 'user')] : [];
    case 'through':
      return [
        ...rule.references
          .filter((property) => resource.referenceOf(property).column !== visibleColumn)
          .flatMap((property) => related(resource, property, sight)),
        ...(rule.remembered ?? []).flatMap((property) => related(resource, property, sight, isSeen)),
      ];
    case 'throughEither': {
      const [first, second] = rule.references;
      if (resource.referenceOf(first).column === visibleColumn) return [];
      const lacks = lacksReference(resource, resource.referenceOf(first));
      const other = series('and', [lacks, ...related(resource, second, sight)]);
      return [series('or', [...related(resource, first, sight), other])];
    }
    case 'correspondence':
      return sight.sets ? [series('or', correspondences(resource, rule, sight))] : [];
    case 'membership':
      return sight.sets ? [series('or', memberships(resource, sight.sets))] : [];
  }
}

type Correspondence = Extract<Visibility, { kind: 'correspondence' }>;

function correspondences(resource: ResourceType, rule: Correspondence, sight: Sight): Condition[] {
  const field = resource.collectionOf(rule.collection);
  const own = rule.references.map((property) => mine(resource.referenceOf(property).column, 'user'));
  const seen = { ...collectionOf(rowOf(resource), field), seen: exists(field.target, sight) };
  return [...own, condition({ kind: 'some', of: seen })];
}

/** Nothing where every row of the target exists for the actor. */
function related(resource: ResourceType, property: string, sight: Sight, rule = exists): Condition[] {
  const field = resource.referenceOf(property);
  const where = rule(field.target, sight);
  return where.length === 0 ? [] : [condition({ kind: 'related', field, where })];
}

/** The row refers to nothing, not even to what is hidden. */
const lacksReference = (resource: ResourceType, field: ReferenceField): Condition =>
  condition({ kind: 'null', of: fieldOf(rowOf(resource), { kind: 'field', field: keyOf(field) }) });

const mine = (column: string, set: ActorSet): Condition => condition({ kind: 'mine', column, set });

type Sets = NonNullable<Sight['sets']>;

function memberships(resource: ResourceType, sets: Sets): Condition[] {
  const kinds = [resource, ...resource.bases, ...resource.kindsBelow];
  const ways = kinds.flatMap((kind) => waysTo(kind, resource, sets));
  const inProject = resource.settings.lies === 'asProject' ? [] : [mine('project_id', sets.projects)];
  return [...inProject, ...ways.sort(cheapestFirst).map(({ test }) => test)];
}

interface Way {
  kind: ResourceType;
  cost: number;
  test: Condition;
}

const cheapestFirst = (one: Way, other: Way): number =>
  one.cost - other.cost || (one.kind.settings.entityTypeId ?? 0) - (other.kind.settings.entityTypeId ?? 0);

/** How a kind of General comes into sight besides lying in a project of one's own, as far as it says so itself. */
function waysTo(kind: ResourceType, resource: ResourceType, sets: Sets): Way[] {
  const { visible: rule, lies } = kind.settings;
  const way = (cost: number, ...tests: Condition[]): Way[] => [
    { kind, cost, test: tests.length === 1 ? tests[0]! : series('and', tests) },
  ];
  const isOfKind = ofKinds([kind]);
  // In a mixed list a way belongs to its own kind only: a story's id is no project's.
  const narrow = resource.isA(kind) || kind.isAbstract ? [] : [isOfKind];
  if (lies === 'asProject') return way(0, ...narrow, mine('id', sets.projects));
  if (lies === 'inOrAboveProjects') return way(4, isOfKind, lacksReference(kind, kind.referenceOf('project')));
  if (rule.kind !== 'membership' || rule === kind.base?.settings.visible) return [];
  if (rule.isOpen) return way(4, isOfKind);
  if (!rule.of) return [];
  const { target, via } = kind.collectionOf(rule.of.collection);
  const item = rule.of.reference === undefined ? undefined : target.referenceOf(rule.of.reference);
  const set = (item?.target ?? target).settings.lies === 'asProject' ? sets.projects : sets.teams;
  return via.kind === 'link'
    ? way(2, ...narrow, linked(via.table, via.from, via.to, set))
    : way(item ? 3 : 1, ...narrow, linked(target.table, via.column, item?.column ?? 'id', set));
}

function linked(table: string, from: string, column: string, set: ActorSet): Condition {
  return condition({ kind: 'linkedToMine', table, from, column, set });
}
