/**
 * Whether the best way to run a Plan depends on the values in its filter. A date may be yesterday or years ago and a part of a
 * name rare or everywhere: one way, found once for all values, would be a hundred times too slow for some. Equality is much the
 * same for all values, and planning for each costs more than it gains.
 */

import type { Plan, Value } from '../meaning.js';
import { partsOf } from '../parts.js';
import { isConstant } from './forms.js';

export const valuesMatter = ({ where }: Pick<Plan, 'where'>): boolean => where.some(matters);

function matters(node: Value): boolean {
  if (
    node.kind === 'compare' &&
    isOrdered(node.operator) &&
    (isDate(node.left, node.right) || isDate(node.right, node.left))
  )
    return true;
  return (node.kind === 'contains' && isConstant(node.part)) || partsOf(node).some(matters);
}

const isOrdered = (operator: string): boolean => operator !== 'eq' && operator !== 'ne';

const isDate = (of: Value, other: Value): boolean =>
  of.kind === 'field' && of.operand.kind === 'field' && of.operand.field.scalar === 'moment' && isConstant(other);
