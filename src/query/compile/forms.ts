/**
 * Chooses how a condition is asked: what a field at the end of references is compared with becomes a condition on what
 * these refer to, which an index may answer. Both languages have the same forms.
 */
import { askedByCount, isAskedAsOne, isLongText } from '../costly-values.js';
import type { Chain, Condition, Of, Plan, Seen, Value } from '../meaning.js';
import { comparisons } from '../operators.js';
import { boolean } from '../types.js';
import { compare, condition, isTest, literal, negation, ofSorts, partsOf, rowOf, series } from '../values.js';

const neverConstant = ofSorts('test', 'either', 'shape');

/** The same rows, all conditions in the forms in which they are asked. */
export const inForms = (plan: Plan): Plan => ({ ...plan, where: plan.where.map(everyForm) });

function everyForm(node: Condition): Condition {
  if (node.kind === 'and' || node.kind === 'or') return series(node.kind, node.parts.map(everyForm));
  if (node.kind !== 'not') return formOf(node);
  const of = everyForm(node.of);
  return of.kind === 'not' ? of.of : of === node.of ? node : negation(of);
}

/**
 * Unknown is as good as false, so what denies a denial is the thing itself; however many there are, each is passed
 * once.
 */
function denied(node: Of<'not'>): Condition {
  let of: Condition = node;
  let isDenied = false;
  for (; of.kind === 'not'; of = of.of) isDenied = !isDenied;
  const form = formOf(of);
  if (!isDenied) return form;
  if (form.kind === 'not') return formOf(form.of);
  return of === node.of ? node : negation(of);
}

/** The condition itself, where there is no better form. */
export function formOf(node: Condition): Condition {
  if (node.kind === 'field') return node.type.kind === 'boolean' ? compared({ ...isTrue, left: node }) : node;
  if (!isTest(node)) return node;
  switch (node.kind) {
    case 'compare':
      return node.left.kind === 'aggregate' ? (counted(node) ?? compared(node)) : compared(node);
    case 'in':
      return asked(node);
    case 'contains':
      return isConstant(node.part) ? asked(node) : node;
    case 'null':
      return missing(node);
    case 'some':
      return some(node) ?? node;
    case 'not':
      return denied(node);
    case 'and':
    case 'or':
    case 'near':
    case 'related':
    case 'inside':
    case 'deleted':
    case 'deletedBefore':
    case 'mine':
    case 'linkedToMine':
    case 'ofKind':
      return node;
  }
}

const yes = literal(true, boolean, 'boolean');
const isTrue = compare('eq', [yes, yes]);

/** It is the same for every row, and something. */
export function isConstant(node: Value): boolean {
  if (neverConstant(node)) return false;
  switch (node.kind) {
    case 'literal':
      return node.value !== null;
    case 'late':
    case 'me':
      return true;
    case 'call':
      return !node.nullable && node.args.every(isConstant);
    case 'field':
    case 'element':
    case 'aggregate':
    case 'row':
    case 'reference':
    case 'pointed':
    case 'cast':
    case 'chosen':
      return false;
  }
}

/** A condition on what references lead to, led back to the row at hand. Undefined where something else leads there. */
function led(to: Value, innermost: readonly Condition[]): Condition | undefined {
  let where = innermost;
  for (let at = to; at.kind !== 'row'; at = at.of) {
    if (at.kind !== 'reference') return undefined;
    where = [condition({ kind: 'related', field: at.field, where: [...where, ...seenOf(at)] })];
  }
  return where[0];
}

/**
 * What a field of what is referred to is asked; of a field of the row at hand, the question itself. Long texts are
 * looked up, which is done of what the actor sees alone: how long they take would tell of others.
 */
function tested(of: Value, question: (own: Of<'field'>) => Condition): Condition | undefined {
  if (of.kind !== 'field') return undefined;
  if (of.of.kind === 'row') return question(of);
  if (isLongText(of)) return undefined;
  return of.of.kind === 'reference' ? led(of.of, [question({ ...of, of: rowOf(of.of.field.target) })]) : undefined;
}

const asked = (node: Of<'in' | 'contains'>): Condition =>
  tested(node.of, (of) => (of === node.of ? node : { ...node, of })) ?? node;

function compared(node: Of<'compare'>): Condition {
  const { left, right, operator } = node;
  if (isOwn(left) && operator !== 'ne' && isConstant(right)) return node;
  const asked = isConstant(right)
    ? node
    : { ...node, left: right, right: left, operator: comparisons[operator].flipped };
  return (isConstant(asked.right) && comparedWith(asked)) || node;
}

/** What differs is what is not the same, so that it also holds where something on the way is missing. */
function comparedWith(node: Of<'compare'>): Condition | undefined {
  const isNot = node.operator === 'ne';
  const operator = isNot ? 'eq' : node.operator;
  const form = tested(node.left, (left) => (left === node.left && !isNot ? node : { ...node, operator, left }));
  return form && isNot ? negation(form) : form;
}

function missing(node: Of<'null'>): Condition {
  const { of } = node;
  if (of.kind === 'reference') {
    const form = led(of, []);
    return form ? negation(form) : node;
  }
  if (of.kind !== 'field' || of.of.kind === 'row') return node;
  const form = tested(of, (own) => negation({ ...node, of: own }));
  return form ? negation(form) : node;
}

/** Whether a collection has items, where it is asked nothing more. */
function some(node: Of<'some'>): Condition | undefined {
  const { source } = node.of;
  if (!isAskedAsOne(node.of) || source === 'root' || source.kind === 'values') return undefined;
  const { owner } = source;
  if (owner.kind === 'row') return node;
  if (owner.kind !== 'reference') return undefined;
  const own: Chain = { ...node.of, source: { ...source, owner: rowOf(owner.field.target) } };
  return led(owner, [{ ...node, of: own }]);
}

function counted(node: Of<'compare'>): Condition | undefined {
  const { left } = node;
  const asks = askedByCount(node);
  const form = asks && left.kind === 'aggregate' && some(condition({ kind: 'some', of: left.of }));
  if (!form) return undefined;
  return asks === 'none' ? negation(form) : form;
}

/** What a value without scope would show is nobody's to see. */
export function seenOf({ seen }: Seen): NonNullable<Seen['seen']> {
  if (!seen) throw new Error('an expression was compiled before it was scoped');
  return seen;
}

// --- which are unknown -----------------------------------------------------------------------------------------------

/** Whether a condition may be neither true nor false for a row, because a value of it is missing. */
export function mayBeUnknown(of: Condition): boolean {
  const node = formOf(of);
  if (!isTest(node)) return true;
  switch (node.kind) {
    case 'null':
    case 'not':
    case 'deleted':
    case 'deletedBefore':
    case 'linkedToMine':
      return false;
    case 'some':
      return some(node) !== node;
    case 'and':
    case 'or':
      return node.parts.some(mayBeUnknown);
    case 'related':
      return comparesKey[relation(node)];
    case 'compare':
    case 'in':
    case 'contains':
    case 'near':
    case 'inside':
    case 'mine':
    case 'ofKind':
      return true;
  }
}

export type Related = Of<'related'>;

/** How a condition on what a reference points at is asked. A comparison with a key that is null is unknown. */
type Relation = 'present' | 'byId' | 'configuration' | 'exists';
const comparesKey: Record<Relation, boolean> = { present: false, byId: true, configuration: true, exists: false };

export function relation({ field, where }: Related): Relation {
  if (where.length === 0 && !field.target.discriminator?.values) return 'present';
  if (idTest(where)) return 'byId';
  // Few rows that hardly change are looked up once, so that the key itself can be found in an index.
  return field.target.settings.isConfiguration ? 'configuration' : 'exists';
}

/** The one that says which row is meant. */
export const idTest = (conditions: readonly Condition[]): Of<'compare'> | undefined =>
  conditions.find(
    (one): one is Of<'compare'> =>
      one.kind === 'compare' && one.operator === 'eq' && isOwnId(one.left) && isConstant(one.right),
  );

export const isOwnId = (of: Value): boolean =>
  isOwn(of) && of.operand.kind === 'field' && of.operand.field.name === 'Id';

/** A field of the row at hand. */
export const isOwn = (of: Value): of is Of<'field'> => of.kind === 'field' && of.of.kind === 'row';

// --- for which values matter -----------------------------------------------------------------------------------------

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
