/** Which conditions of version 2 are such as version 1 has: a field at the end of references, compared with a literal. */
import { Bound } from '../../bound.js';
import { textScalar } from '../literals.js';
import type { Chain, Condition, Literal, Of, Operand, Plan, Scalar, Value } from '../meaning.js';
import type { Comparison } from '../query.js';
import { seenOf } from './compile-rows.js';

/** The same rows: what version 1 can say of the row itself is said as it does, so that the same forms are chosen. */
export const plainRows = (plan: Plan): Plan => ({ ...plan, where: plan.where.flatMap(plainConditions) });

function plainConditions(condition: Condition): Condition[] {
  if (condition.kind !== 'values') return [condition];
  return condition.values
    .flatMap(parts)
    .map((value): Condition => plainComparison(value) ?? { kind: 'values', values: [value] });
}

const parts = (value: Value): Value[] => (value.kind === 'and' ? value.parts.flatMap(parts) : [value]);

/** Undefined: version 1 cannot say it. */
export function plainCondition(node: Value): Condition | undefined {
  switch (node.kind) {
    case 'compare':
      return counted(node) ?? compared(node);
    case 'field':
    case 'in':
      return plainComparison(node);
    case 'null':
      return missing(node.of);
    case 'contains': {
      const { part, wholeStart, wholeEnd } = node;
      if (part.kind !== 'literal' || typeof part.value !== 'string') return undefined;
      const text = Bound.constant(part.value);
      return tested(node.of, (operand) => ({ kind: 'contains', operand, text, wholeStart, wholeEnd }), false);
    }
    case 'some':
      return some(node.of);
    default:
      return undefined;
  }
}

/** What asks for no items. */
function plainComparison(node: Value): Condition | undefined {
  switch (node.kind) {
    case 'compare':
      return compared(node);
    case 'field':
      return tested(node, (operand) => ({ kind: 'compare', operand, operator: 'eq', value: isTrue }), false);
    case 'in':
      return tested(node.of, (operand) => ({ kind: 'in', operand, values: node.values.map(scalarOf) }), false);
    default:
      return undefined;
  }
}

const isTrue: Scalar = { kind: 'value', value: Bound.constant(true), type: 'boolean' };

const scalarOf = ({ value, sqlType }: Literal): Scalar => ({
  kind: 'value',
  value: Bound.constant(value!),
  type: sqlType,
});

type Path = readonly Of<'reference'>[];

/** References from the row to an entity. */
function pathTo(node: Value): Path | undefined {
  if (node.kind === 'row') return [];
  if (node.kind !== 'reference') return undefined;
  const path = pathTo(node.of);
  return path && [...path, node];
}

function led(path: Path, innermost: Condition[], negated: boolean): Condition {
  let where = innermost;
  for (const step of [...path].reverse())
    where = [{ kind: 'related', field: step.field, where: [...where, ...seenOf(step)] }];
  const [condition] = where;
  return negated ? { kind: 'not', part: condition! } : condition!;
}

/** Negated, it also holds where a reference on the way is missing. */
function tested(of: Value, test: (operand: Operand) => Condition, negated: boolean): Condition | undefined {
  if (of.kind !== 'field') return undefined;
  const path = pathTo(of.of);
  return path && led(path, [test(of.operand)], negated);
}

const flipped: Record<Comparison, Comparison> = { eq: 'eq', ne: 'ne', gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte' };

function compared({ left, right, operator }: Of<'compare'>): Condition | undefined {
  const [of, constant] = right.kind === 'literal' ? [left, right] : [right, left];
  if (constant.kind !== 'literal' || constant.value === null) return undefined;
  const asked = right.kind === 'literal' ? operator : flipped[operator];
  const value = (operand: Operand): Scalar =>
    operand.kind === 'custom' && constant.type.kind === 'text'
      ? textScalar(String(constant.value), operand)
      : scalarOf(constant);
  const isNot = asked === 'ne';
  return tested(
    of,
    (operand) => ({ kind: 'compare', operand, operator: isNot ? 'eq' : asked, value: value(operand) }),
    isNot,
  );
}

function missing(of: Value): Condition | undefined {
  if (of.kind === 'reference') {
    const path = pathTo(of);
    return path && led(path, [], true);
  }
  return tested(of, (operand) => ({ kind: 'not', part: { kind: 'null', operand } }), true);
}

const itemsOf = ({ filters }: Chain): Condition[] =>
  filters.length === 0 ? [] : [{ kind: 'values', values: filters }];

function some(chain: Chain): Condition | undefined {
  const { source, take, skip, within } = chain;
  if (source === 'root' || source.kind === 'values' || take === 0 || skip !== undefined || within) return undefined;
  const path = pathTo(source.owner);
  const where = [...itemsOf(chain), ...seenOf(chain)];
  return path && led(path, [{ kind: 'some', field: source.field, where }], false);
}

/** `tasks.count() > 0` asks whether there is one, which needs no counting. */
function counted(node: Of<'compare'>): Condition | undefined {
  const { left, right, operator } = node;
  if (left.kind !== 'aggregate' || left.function !== 'count' || right.kind !== 'literal') return undefined;
  const asks = questions[`${operator} ${right.value}`];
  const exists = asks && some(left.of);
  if (!exists) return undefined;
  // Where there is nobody to have items, their number is unknown, which is neither none nor some.
  if (asks === 'none' && left.nullable) return undefined;
  return asks === 'none' ? { kind: 'not', part: exists } : exists;
}

const questions: Readonly<Record<string, 'some' | 'none' | undefined>> = {
  'gt 0': 'some',
  'gte 1': 'some',
  'ne 0': 'some',
  'eq 0': 'none',
  'lt 1': 'none',
  'lte 0': 'none',
};
