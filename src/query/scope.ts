/**
 * Narrows what is meant to what the actor may see: no deleted rows, and for members only what their projects and teams
 * hold. One pass over the whole tree of either version - root, nested, counted, filtered, sorted and shown alike - so
 * that no route can forget it. What values lead to is compiled only once it has been here (`seenOf`).
 */
import { type ActorShape, isMember } from '../actor.js';
import type { CollectionField, ReferenceField, ScalarField } from '../model/model.js';
import type { Condition, CustomFieldGroup, Of, Operand, Order, Plan, PointerTarget, Shown, Value } from './meaning.js';
import { type Leading, leadsToRows, withParts } from './parts.js';
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

/** What each kind that leads to rows is told of them, once its parts are scoped. */
const leading: { [Kind in Leading]: (node: Of<Kind>, shape: ActorShape) => Of<Kind> } = {
  related: (node, shape) => ({ ...node, where: [...node.where, ...referable(node.field, shape)] }),
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
  near: (node, shape) => ({ ...node, seen: visible(node.resource, shape) }),
  chain: (node, shape) => {
    const { source, isInContext } = node;
    if (source === 'root' || source.kind === 'values') return { ...node, seen: [] };
    return { ...node, seen: isInContext ? listedItems(source.field, shape) : visibleItems(source.field, shape) };
  },
  item: (node, shape) => ({ ...node, shown: scopeItems(node.plan, shape) }),
  customFields: (node, shape) => ({ ...node, groups: scopeGroups(node.groups, shape) }),
};

export function scopeValue<T extends Value>(value: T, shape: ActorShape): T {
  const scoped = withParts(value, (part) => scopeValue(part, shape));
  return leadsToRows(scoped) ? (leading[scoped.kind](scoped as never, shape) as unknown as T) : scoped;
}
