/** Which conditions may be unknown for a row, because a value they compare is missing: their negation has to say so. */
import type { Condition } from './meaning.js';

/** Whether a condition may be neither true nor false for a row, because a value of it is missing. */
export function mayBeUnknown(condition: Condition): boolean {
  switch (condition.kind) {
    case 'null':
    case 'some':
    case 'not':
    case 'deleted':
    case 'deletedBefore':
    case 'linkedToMine':
      return false;
    case 'and':
    case 'or':
      return condition.parts.some(mayBeUnknown);
    case 'related':
      return comparesKey[relation(condition)];
    case 'compare':
    case 'in':
    case 'contains':
    case 'inside':
    case 'mine':
    case 'ofKind':
    case 'values':
      return true;
  }
}

export type Related = Extract<Condition, { kind: 'related' }>;

/** How a condition on what a reference points at is asked. A comparison with a key that is null is unknown. */
type Relation = 'present' | 'byId' | 'configuration' | 'exists';
const comparesKey: Record<Relation, boolean> = { present: false, byId: true, configuration: true, exists: false };

export function relation({ field, where }: Related): Relation {
  if (where.length === 0 && !field.target.discriminator?.values) return 'present';
  if (idTest(where)) return 'byId';
  // Few rows that hardly change are looked up once, so that the key itself can be found in an index.
  return field.target.settings.isConfiguration ? 'configuration' : 'exists';
}

type Compare = Extract<Condition, { kind: 'compare' }>;

/** The one that says which row is meant. */
export const idTest = (conditions: readonly Condition[]): Compare | undefined =>
  conditions.find(
    (condition): condition is Compare =>
      condition.kind === 'compare' &&
      condition.operator === 'eq' &&
      condition.operand.kind === 'field' &&
      condition.operand.field.name === 'Id',
  );
