/**
 * Whether the best way to run a Plan depends on the values in its filter. A date may be yesterday or years ago and a part of a
 * name rare or everywhere: one way, found once for all values, would be a hundred times too slow for some. Equality is much the
 * same for all values, and planning for each costs more than it gains.
 */
import type { Condition, Operand, Plan, Value } from './meaning.js';
import { partsOf } from './parts.js';
import { plainCondition } from './v2/plain-condition.js';

export const valuesMatter = ({ where }: Pick<Plan, 'where'>): boolean => where.some(matters);

function matters(condition: Condition): boolean {
  switch (condition.kind) {
    case 'compare':
      return condition.operator !== 'eq' && condition.operator !== 'ne' && isMoment(condition.operand);
    case 'contains':
      return true;
    case 'and':
    case 'or':
      return condition.parts.some(matters);
    case 'not':
      return matters(condition.part);
    case 'related':
    case 'some':
    case 'inside':
      return condition.where.some(matters);
    case 'values':
      return condition.values.some(valueMatters);
    case 'in':
    case 'null':
    case 'deleted':
    case 'deletedBefore':
    case 'mine':
    case 'linkedToMine':
    case 'ofKind':
      return false;
  }
}

/** Of what version 1 cannot say, its parts. */
function valueMatters(value: Value): boolean {
  const plain = plainCondition(value);
  return plain ? matters(plain) : partsOf(value).some(valueMatters);
}

const isMoment = (operand: Operand): boolean => operand.kind === 'field' && operand.field.scalar === 'moment';
