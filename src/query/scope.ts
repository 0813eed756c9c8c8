/**
 * Narrows a Plan to what the actor may see: no deleted rows, and for members only what their projects and teams hold. One
 * pass over the whole plan - root, nested, counted, filtered and sorted alike - so that no route can forget it.
 */
import { type ActorShape, isMember } from '../actor.js';
import type { CollectionField, ReferenceField, ScalarField } from '../model/model.js';
import type { Condition, Operand, Order, Plan, PointerTarget } from './meaning.js';
import { inContext, referable, sees, visible, visibleItems } from './visible.js';

export const scope = (plan: Plan, shape: ActorShape): Plan => scopeRows(scopeItems(plan, shape), shape);

/** Which rows are there for the actor, and what they may be sorted by. */
export function scopeRows(plan: Plan, shape: ActorShape): Plan {
  const listsDeleted = plan.namesDeleteDate && !isMember(shape);
  const innerRoute = plan.where.find((part) => part.kind === 'inside');
  const listed = innerRoute?.kind === 'inside' ? visibleItems(innerRoute.field, shape) : visible(plan.resource, shape);
  const root = listsDeleted ? sees(plan.resource, shape) : listed;
  return {
    ...plan,
    where: [...plan.where.map((part) => scopeCondition(part, shape)), ...root, ...inContext(plan.resource, shape)],
    order: scopeOrder(plan.order, shape),
  };
}

const listedItems = (field: CollectionField, shape: ActorShape): Condition[] => [
  ...visibleItems(field, shape),
  ...inContext(field.target, shape),
];

/** Administrators see private values of everyone; others their own. */
export const privacyOf = (shape: ActorShape): Plan['privacy'] => (isMember(shape) ? 'self' : 'everyone');

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
    aggregates: plan.aggregates.map((aggregate) => ({
      ...aggregate,
      collections: aggregate.collections.map((one) => ({ ...one, where: listedItems(one.collection, shape) })),
    })),
    customFields: plan.customFields?.map((group) => ({
      ...group,
      fields: group.fields.map((field) => (field.target ? { ...field, target: seenBy(shape, field.target) } : field)),
    })),
  };
}

/** What a custom field points at is as hidden as what a reference does. */
export const seenBy = (shape: ActorShape, { resource }: PointerTarget): PointerTarget => ({
  resource,
  where: visible(resource, shape),
});

export function scopeOperand(operand: Operand, shape: ActorShape): Operand {
  if (operand.kind === 'field') return scopeField(operand, shape);
  return operand.target ? { ...operand, target: seenBy(shape, operand.target) } : operand;
}

/** A change is told to those who see what the reference was or is; what was deleted since then counts. */
function scopeField<T extends { field: ScalarField; seen?: readonly Condition[] }>(holder: T, shape: ActorShape): T {
  const { changeOf } = holder.field;
  return changeOf ? { ...holder, seen: sees(changeOf.reference.target, shape) } : holder;
}

const scopeOrder = (orders: readonly Order[], shape: ActorShape): Order[] =>
  orders.map((order) =>
    order.kind === 'value'
      ? order
      : {
          ...order,
          operand: scopeOperand(order.operand, shape),
          path: order.path.map((step) => ({ ...step, where: referable(step.field, shape) })),
        },
  );

const referenced = (field: ReferenceField, plan: Plan, shape: ActorShape): Plan => ({
  ...scopeItems(plan, shape),
  where: referable(field, shape),
});

function scopeCondition(condition: Condition, shape: ActorShape): Condition {
  const all = (parts: readonly Condition[]) => parts.map((part) => scopeCondition(part, shape));
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, parts: all(condition.parts) };
    case 'not':
      return { ...condition, part: scopeCondition(condition.part, shape) };
    case 'related':
      return { ...condition, where: [...all(condition.where), ...referable(condition.field, shape)] };
    case 'some':
      return { ...condition, where: [...all(condition.where), ...visibleItems(condition.field, shape)] };
    case 'inside':
      return { ...condition, where: visible(condition.owner, shape) };
    case 'compare':
    case 'in':
    case 'contains':
    case 'null':
      return { ...condition, operand: scopeOperand(condition.operand, shape) };
    default:
      return condition;
  }
}
