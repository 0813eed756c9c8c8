/** Writes a condition in version 1 and in version 2. */
import { comparisons } from '../../../src/query/operators.js';
import { chance, type Dice, pick } from '../dice.js';
import { type Condition, itemsAndRest, type Literal, type Operand, type Step, type Test } from './conditions.js';
import type { OrderTerm } from './requests.js';

type TestCondition = Extract<Condition, { kind: 'test' }>;

// --- version 1 -------------------------------------------------------------------------------------------------------

/** The dice choose among the ways to write the same: letter case, quotes, parentheses, words for null. */
export class SpellingV1 {
  constructor(private readonly dice: Dice) {}

  where(condition: Condition): string {
    const { dice } = this;
    switch (condition.kind) {
      case 'and':
      case 'or': {
        const parts = condition.parts.map((part) =>
          part.kind === 'test' && chance(dice, 30) ? this.where(part) : `(${this.where(part)})`,
        );
        return parts.join(` ${this.word(condition.kind)} `).replaceAll(') and (', pick(dice, [') and (', ')and(']));
      }
      case 'not':
        return `${this.word('not')} (${this.where(condition.part)})`;
      case 'test':
        return `${this.path(condition)} ${this.test(condition.test)}`;
    }
  }

  path({ path, operand }: Pick<TestCondition, 'path' | 'operand'>): string {
    const names = path.map(({ name }) => this.word(name));
    if (operand?.kind !== 'custom') return [...names, ...(operand ? [this.word(operand.field.name)] : [])].join('.');
    const whole = [...names, this.word('CustomFields'), this.word(operand.name)].join('.');
    return /^[\w.]+$/.test(whole) && chance(this.dice, 70) ? whole : `'${whole}'`;
  }

  private word(word: string): string {
    return chance(this.dice, 85) ? word : pick(this.dice, [word.toUpperCase(), word.toLowerCase()]);
  }

  private test(test: Test): string {
    const contains = 'negated' in test && test.negated ? 'not contains' : 'contains';
    switch (test.kind) {
      case 'null':
        return this.word(pick(this.dice, test.negated ? isSome : isNone));
      case 'compare':
        return `${this.word(test.operator)} ${this.value(test.value)}`;
      case 'in':
        return `${this.word(test.negated ? 'not in' : 'in')} (${test.values.map((one) => this.value(one)).join(',')})`;
      case 'contains':
        return `${this.word(contains)} ${this.quoted(test.part)}`;
      case 'tagged': {
        const tag = `${test.start ? '' : '*'}${test.part}${test.end ? '' : '*'}`;
        return `${this.word(contains)} ${this.quoted(tag.includes(' ') ? `'${tag}'` : tag)}`;
      }
    }
  }

  private value({ kind, text }: Literal): string {
    return kind === 'text' || kind === 'moment' || kind === 'today' ? this.quoted(text) : text;
  }

  private quoted(text: string): string {
    const quote = pick(this.dice, ["'", '"']);
    const escaped = pick(this.dice, [`\\${quote}`, quote + quote]);
    return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, escaped) + quote;
  }
}

const isNone = ['is null', 'is null', 'eq null', "eq 'null'"];
const isSome = ['is not null', 'is not null', 'ne null', 'ne "null"'];

// --- version 2 -------------------------------------------------------------------------------------------------------

export function whereV2(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.map((part) => `(${whereV2(part)})`).join(` ${condition.kind} `);
    case 'not':
      return `not(${whereV2(condition.part)})`;
    case 'test':
      return testConditionV2(condition);
  }
}

/** `feature.bugs.any(iteration.name=='x')` */
function testConditionV2(condition: TestCondition): string {
  const [toItems, rest] = itemsAndRest(condition);
  let open = '';
  let close = '';
  for (const step of toItems) {
    open += step.kind === 'collection' ? `${nameV2(step)}.any(` : `${nameV2(step)}.`;
    close += step.kind === 'collection' ? ')' : '';
  }
  return `${open}${restV2(rest, condition)}${close}`;
}

const nameV2 = ({ name }: { name: string }): string => name.charAt(0).toLowerCase() + name.slice(1);

function restV2(rest: readonly Step[], { operand, test }: TestCondition): string {
  const path = rest.map(nameV2);
  if (!operand) return `${path.join('.')} ${nullV2(test)}`;
  const before = rest.length > 0 ? `${path.join('.')}.` : '';
  return testV2(test, `${before}${operandV2(operand)}`, before);
}

function operandV2(operand: Operand): string {
  if (operand.kind === 'field') return nameV2(operand.field);
  return `CustomValues[${quotedV2(operand.name)}]${operand.type === 'Entity' ? '.id' : ''}`;
}

/** `feature.name desc` */
export const orderV2 = ({ path, operand, descending }: OrderTerm): string =>
  `${[...path.map(nameV2), operandV2(operand!)].join('.')}${descending ? ' desc' : ''}`;

const nullV2 = (test: Test): string => (test.kind === 'null' && test.negated ? 'is not null' : 'is null');

function testV2(test: Test, of: string, before: string): string {
  switch (test.kind) {
    case 'null':
      return `${of} ${nullV2(test)}`;
    case 'compare':
      return `${of}${comparisons[test.operator].signs[0]}${valueV2(test.value)}`;
    case 'in':
      return negatedV2(test, inV2(test.values, of));
    case 'contains':
      return negatedV2(test, `${of}.Contains(${quotedV2(test.part)})`);
    case 'tagged': {
      const method = test.start ? (test.end ? '' : 'StartsWith') : test.end ? 'EndsWith' : 'Contains';
      const holds = method === '' ? `name==${quotedV2(test.part)}` : `name.${method}(${quotedV2(test.part)})`;
      return negatedV2(test, `${before}tagObjects.any(${holds})`);
    }
  }
}

/** A list has no room for what is worked out, as today is. */
const inV2 = (values: readonly Literal[], of: string): string =>
  values.some(({ kind }) => kind === 'today')
    ? `(${values.map((one) => `${of}==${valueV2(one)}`).join(' or ')})`
    : `${of} in [${values.map(valueV2).join(',')}]`;

const negatedV2 = ({ negated }: { negated: boolean }, text: string): string => (negated ? `not(${text})` : text);

const valueV2 = ({ kind, text, value }: Literal): string => {
  if (kind === 'number') return String(value);
  return kind === 'flag' ? String(value) : quotedV2(text);
};

const quotedV2 = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
