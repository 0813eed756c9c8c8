/**
 * Narrows what is meant to what the actor may see: no deleted rows, and for members only what their projects and teams hold. One
 * pass over the whole tree of either version - root, nested, counted, filtered, sorted and shown alike - so that no route can
 * forget it. What values lead to is compiled only once it has been here (`seenOf`).
 */
import { type ActorShape, isMember } from '../actor.js';
import type { CollectionField, ReferenceField, ScalarField } from '../model/model.js';
import type {
  Chain,
  Condition,
  CustomFieldGroup,
  Operand,
  Order,
  Plan,
  PointerTarget,
  Shown,
  Value,
} from './meaning.js';
import { inContext, referable, sees, visible, visibleItems } from './visible.js';

export const scope = (plan: Plan, shape: ActorShape): Plan => scopeRows(scopeItems(plan, shape), shape);

/** Which rows are there for the actor, and what they may be sorted by. */
export function scopeRows(plan: Plan, shape: ActorShape): Plan {
  const listsDeleted = plan.asksForDeleted && !isMember(shape);
  const innerRoute = plan.where.find((part) => part.kind === 'inside');
  const listed = innerRoute?.kind === 'inside' ? visibleItems(innerRoute.field, shape) : visible(plan.resource, shape);
  const root = listsDeleted ? sees(plan.resource, shape) : listed;
  return {
    ...plan,
    privacy: privacyOf(shape),
    where: [...plan.where.map((part) => scopeValue(part, shape)), ...root, ...inContext(plan.resource, shape)],
    order: scopeOrder(plan.order, shape),
  };
}

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
const seenBy = (shape: ActorShape, { resource }: PointerTarget): PointerTarget => ({
  resource,
  where: visible(resource, shape),
});

function scopeOperand<T extends Operand>(operand: T, shape: ActorShape): T;
function scopeOperand(operand: Operand, shape: ActorShape): Operand {
  if (operand.kind === 'field') return scopeField(operand, shape);
  return operand.target ? { ...operand, target: seenBy(shape, operand.target) } : operand;
}

/** A change is told to those who see what the reference was or is; what was deleted since then counts. */
function scopeField<T extends { field: ScalarField; seen?: readonly Condition[] }>(holder: T, shape: ActorShape): T {
  const { changeOf } = holder.field;
  return changeOf ? { ...holder, seen: sees(changeOf.reference.target, shape) } : holder;
}

const referenced = (field: ReferenceField, plan: Plan, shape: ActorShape): Plan => ({
  ...scopeItems(plan, shape),
  where: referable(field, shape),
});

// --- values ---------------------------------------------------------------------------------------------------------------------

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

export function scopeValue<T extends Value>(value: T, shape: ActorShape): T;
export function scopeValue(value: Value, shape: ActorShape): Value {
  const scoped = <T extends Value>(part: T): T => scopeValue(part, shape);
  switch (value.kind) {
    case 'literal':
    case 'late':
    case 'row':
    case 'me':
    case 'element':
    case 'key':
    case 'deleted':
    case 'deletedBefore':
    case 'mine':
    case 'linkedToMine':
    case 'ofKind':
      return value;
    case 'related':
      return { ...value, where: [...value.where.map(scoped), ...referable(value.field, shape)] };
    case 'inside':
      return { ...value, where: visible(value.owner, shape) };
    case 'field': {
      const [of, operand] = [scoped(value.of), scopeOperand(value.operand, shape)];
      return of === value.of && operand === value.operand ? value : { ...value, of, operand };
    }
    case 'reference':
      return { ...value, of: scoped(value.of), seen: referable(value.field, shape) };
    case 'pointed':
      return {
        ...value,
        of: scoped(value.of),
        operand: scopeOperand(value.operand, shape),
        // People are remembered, even when they are deleted.
        seen: value.resource.settings.remembered ? sees(value.resource, shape) : visible(value.resource, shape),
      };
    case 'near':
      return { ...value, of: scoped(value.of), seen: visible(value.resource, shape) };
    case 'cast':
    case 'null':
    case 'not':
    case 'in':
      return { ...value, of: scoped(value.of) };
    case 'some':
    case 'first':
      return { ...value, of: scoped(value.of) };
    case 'aggregate':
      return { ...value, of: scoped(value.of), value: value.value && scoped(value.value) };
    case 'chain':
      return scopeChain(value, shape);
    case 'mapped':
      return { ...value, of: scoped(value.of), body: scoped(value.body) };
    case 'chosen': {
      const [one, other] = value.options;
      return { ...value, test: value.test && scoped(value.test), options: [scoped(one), scoped(other)] };
    }
    case 'item':
      return { ...value, of: scoped(value.of), shown: scopeItems(value.plan, shape) };
    case 'customFields':
      return { ...value, of: scoped(value.of), groups: scopeGroups(value.groups, shape) };
    case 'object':
      return { ...value, members: value.members.map((member) => ({ ...member, value: scoped(member.value) })) };
    case 'compare': {
      const [left, right] = [scoped(value.left), scoped(value.right)];
      return left === value.left && right === value.right ? value : { ...value, left, right };
    }
    case 'contains':
      return { ...value, of: scoped(value.of), part: scoped(value.part) };
    case 'and':
    case 'or':
      return { ...value, parts: value.parts.map(scoped) };
    case 'conditional':
      return { ...value, test: scoped(value.test), yes: scoped(value.yes), no: scoped(value.no) };
    case 'call':
      return { ...value, args: value.args.map(scoped) };
  }
}

function scopeChain(chain: Chain, shape: ActorShape): Chain {
  const scoped = <T extends Value>(part: T): T => scopeValue(part, shape);
  const { source, within, projection, filters, order, isInContext } = chain;
  const itemsSeen = isInContext ? listedItems : visibleItems;
  return {
    ...chain,
    source: source === 'root' ? source : { ...source, owner: scoped(source.owner) },
    seen: source === 'root' || source.kind === 'values' ? [] : itemsSeen(source.field, shape),
    within: within && scoped(within),
    projection: projection && scoped(projection),
    filters: filters.map(scoped),
    order: order.map((one) => ({ ...one, by: scoped(one.by) })),
  };
}
