/**
 * Conditions as a tree that neither language owns, and whether one holds for a thing: what both languages are measured
 * by.
 */
import type { CollectionField, ReferenceField, ScalarField } from '../../../src/model/model.js';
import type { Comparison } from '../../../src/query/operators.js';
import { holdsFor, holdsPart } from './comparing.js';
import { customValue, hasCustomValue } from './custom-values.js';
import type { Thing, Value } from './world.js';
import { midnight } from './zone.js';

export type Step = ReferenceField | CollectionField;

/** A value at the end of a path. */
export type Operand = { kind: 'field'; field: ScalarField } | { kind: 'custom'; name: string; type: string };

/** A value as it can be written, and what it means: a date in milliseconds, today as the days that lie between. */
export interface Literal {
  kind: 'text' | 'number' | 'flag' | 'moment' | 'today';
  text: string;
  value: NonNullable<Value>;
}

const meaningOf = ({ kind, value }: Literal, now: number): Value =>
  kind === 'today' ? midnight(now, Number(value)) : value;

export type Test =
  | { kind: 'compare'; operator: Comparison; value: Literal }
  | { kind: 'in'; negated: boolean; values: readonly Literal[] }
  | { kind: 'contains'; negated: boolean; part: string }
  /** One of the tags, as a whole or a part of it. */
  | { kind: 'tagged'; negated: boolean; part: string; start: boolean; end: boolean }
  | { kind: 'null'; negated: boolean };

export type Condition =
  /** Without an operand it asks whether there is anything at the end of the path. */
  | { kind: 'test'; path: readonly Step[]; operand?: Operand; test: Test }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition };

export function holds(condition: Condition, thing: Thing): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => holds(part, thing));
    case 'or':
      return condition.parts.some((part) => holds(part, thing));
    case 'not':
      return !holds(condition.part, thing);
    case 'test':
      return holdsTest(condition, thing);
  }
}

/**
 * Through collections a test asks for an item that it holds for. What a collection at the end holds is what is tested.
 */
export function itemsAndRest({ path, operand }: Extract<Condition, { kind: 'test' }>): [Step[], Step[]] {
  const tested = operand ? path : path.slice(0, -1);
  const items = tested.findLastIndex((step) => step.kind === 'collection') + 1;
  return [path.slice(0, items), path.slice(items)];
}

function holdsTest(condition: Extract<Condition, { kind: 'test' }>, thing: Thing): boolean {
  const [toItems, rest] = itemsAndRest(condition);
  return reached(toItems, thing).some((item) => {
    const ends = reached(rest, item);
    if (!condition.operand) return holdsNull(condition.test, ends.length === 0);
    return holdsAt(condition.operand, condition.test, ends[0] ?? null, thing.world.dump.now);
  });
}

/** All that a path leads to. */
function reached(path: readonly Step[], thing: Thing): Thing[] {
  let things = [thing];
  for (const step of path)
    things = things.flatMap((one) => (step.kind === 'collection' ? one.items(step) : (one.target(step) ?? [])));
  return things;
}

function holdsNull(test: Test, isMissing: boolean): boolean {
  if (test.kind !== 'null') throw new Error('a reference can only be tested for null');
  return test.negated !== isMissing;
}

/** A missing thing has no values: what is negated holds for it. */
function holdsAt(operand: Operand, test: Test, thing: Thing | null, now: number): boolean {
  const value = thing && operandValue(operand, thing);
  switch (test.kind) {
    case 'null':
      return holdsNull(test, !thing || isMissing(operand, thing));
    case 'compare':
      return test.operator === 'ne'
        ? !holdsFor('eq', value, meaningOf(test.value, now))
        : holdsFor(test.operator, value, meaningOf(test.value, now));
    case 'in':
      return test.negated !== test.values.some((one) => holdsFor('eq', value, meaningOf(one, now)));
    case 'contains':
      return test.negated !== holdsPart(value, test.part);
    case 'tagged':
      return test.negated !== (thing !== null && isTagged(thing, test));
  }
}

export const operandValue = (operand: Operand, thing: Thing): Value =>
  operand.kind === 'field' ? thing.value(operand.field) : customValue(thing, operand.name);

const isMissing = (operand: Operand, thing: Thing): boolean =>
  operand.kind === 'field' ? thing.value(operand.field) === null : !hasCustomValue(thing, operand.name);

function isTagged(thing: Thing, { part, start, end }: Extract<Test, { kind: 'tagged' }>): boolean {
  const tags = thing.resource.field('TagObjects');
  if (tags?.kind !== 'collection') throw new Error(`${thing.resource.name} has no tags`);
  const name = tags.target.nameField!;
  return thing.items(tags).some((tag) => holdsPart(tag.value(name), part, start, end));
}
