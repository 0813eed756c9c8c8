/**
 * Random conditions over the whole model: paths through references, collections and custom fields, and values that may
 * exist.
 */
import type { ResourceType, ScalarField } from '../../../src/model/model.js';
import { chance, type Dice, pick } from '../dice.js';
import { isVolatile } from './computed-values.js';
import { type Condition, type Literal, type Operand, operandValue, type Step, type Test } from './conditions.js';
import { customType, definitionsOf } from './custom-values.js';
import { isOfKind, namedFields, Thing, type Value, type World } from './world.js';
import { dateText, localText } from './zone.js';

export class RandomConditions {
  /** The world is that of an administrator: values are taken from all rows, hidden and deleted ones among them. */
  constructor(
    private readonly dice: Dice,
    private readonly world: World,
  ) {}

  condition(resource: ResourceType, depth = 3): Condition {
    const { dice } = this;
    if (depth > 0 && chance(dice, 45)) {
      if (chance(dice, 30)) return { kind: 'not', part: this.condition(resource, depth - 1) };
      const parts = Array.from({ length: 2 + dice(2) }, () => this.condition(resource, depth - 1));
      return { kind: chance(dice, 50) ? 'and' : 'or', parts };
    }
    return this.test(resource);
  }

  private test(resource: ResourceType): Condition {
    const { path, end } = this.walk(resource);
    const isPresence = path.length > 0 && chance(this.dice, 12);
    const operand = isPresence ? undefined : this.operand(end);
    return { kind: 'test', path, operand, test: operand ? this.testOf(operand, end) : this.nullTest() };
  }

  private walk(resource: ResourceType): { path: Step[]; end: ResourceType } {
    const path: Step[] = [];
    let end = resource;
    for (let steps = pick(this.dice, [0, 0, 1, 1, 1, 2, 2, 3, 4]); steps > 0; steps--) {
      const collections = chance(this.dice, 35);
      const fields = namedFields(end).filter(
        ({ kind }) => kind === (collections ? 'collection' : 'reference'),
      ) as Step[];
      if (fields.length === 0) break;
      const step = pick(this.dice, fields);
      path.push(step);
      end = step.target;
    }
    return { path, end };
  }

  operand(resource: ResourceType): Operand {
    const { dice, world } = this;
    const customs = resource.settings.customFields ? definitionsOf(resource, world.dump) : [];
    if (customs.length > 0 && chance(dice, 25)) {
      const { name } = pick(dice, customs);
      return { kind: 'custom', name, type: customType(resource, name, world.dump) };
    }
    const fields = scalarsOf(resource);
    const id = fields.find(({ name }) => name === 'Id');
    return { kind: 'field', field: id && chance(dice, 20) ? id : pick(dice, fields) };
  }

  /** The same condition with other words. */
  reworded(condition: Condition, resource: ResourceType): Condition {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return { ...condition, parts: condition.parts.map((part) => this.reworded(part, resource)) };
      case 'not':
        return { ...condition, part: this.reworded(condition.part, resource) };
      case 'test': {
        const { path, operand, test } = condition;
        if (!operand) return condition;
        return { ...condition, test: this.rewordedTest(test, operand, path.at(-1)?.target ?? resource) };
      }
    }
  }

  private rewordedTest(test: Test, operand: Operand, resource: ResourceType): Test {
    switch (test.kind) {
      case 'compare':
        return { ...test, value: this.literal(operand, resource) };
      case 'in':
        return { ...test, values: test.values.map(() => this.literal(operand, resource)) };
      case 'contains':
        return { ...test, part: this.part(this.literal(operand, resource).text) };
      case 'tagged':
        return this.tagTest();
      case 'null':
        return test;
    }
  }

  private nullTest = (): Test => ({ kind: 'null', negated: chance(this.dice, 50) });

  private testOf(operand: Operand, resource: ResourceType): Test {
    const { dice } = this;
    const kind = kindOf(operand);
    if (kind === 'link' || chance(dice, 12)) return this.nullTest();
    if (operand.kind === 'field' && operand.field.name === 'Tags' && chance(dice, 70)) return this.tagTest();
    const negated = chance(dice, 50);
    const value = (): Literal => this.literal(operand, resource);
    if (kind === 'flag') return { kind: 'compare', operator: negated ? 'ne' : 'eq', value: value() };
    if (chance(dice, 20)) return { kind: 'in', negated, values: Array.from({ length: 1 + dice(4) }, value) };
    if ((kind === 'text' || kind === 'choice') && chance(dice, 40) && !isTags(operand, resource))
      return { kind: 'contains', negated, part: this.part(value().text) };
    const operators = kind === 'choice' ? equality : ([...equality, ...equality, 'gt', 'gte', 'lt', 'lte'] as const);
    return { kind: 'compare', operator: pick(dice, operators), value: value() };
  }

  private tagTest(): Test {
    const { dice } = this;
    const [start, end] = [chance(dice, 60), chance(dice, 60)];
    const name = String(pick(dice, this.world.dump.rows('tag')).name);
    const part = (start && end ? name : this.part(name)).replace(/^[\s'"*]+|[\s'"*]+$/g, '') || 'e';
    return { kind: 'tagged', negated: chance(dice, 40), part, start, end };
  }

  /** A piece of a text, now and then with a character that means something elsewhere. */
  private part(text: string): string {
    const letters = [...text];
    const from = this.dice(Math.max(1, letters.length));
    const piece = letters.slice(from, from + 1 + this.dice(6)).join('');
    return piece.trim() === '' || chance(this.dice, 10)
      ? pick(this.dice, ['%', '_', "'", '\\', 'e', '<p>', 'zz'])
      : piece;
  }

  /** A value that some row of the kind has, whoever may see it, or one near it. */
  literal(operand: Operand, resource: ResourceType): Literal {
    const rows = this.world.dump.rows(resource.table).filter((row) => isOfKind(resource, row));
    const stored =
      rows.length === 0 ? null : operandValue(operand, new Thing(this.world, resource, pick(this.dice, rows)));
    return this.written(operand, stored);
  }

  private written(operand: Operand, stored: Value): Literal {
    switch (kindOf(operand)) {
      case 'flag':
        return this.flag();
      case 'moment':
        return this.moment(typeof stored === 'number' ? stored : null);
      case 'whole':
        return this.number(Math.round(Number(stored ?? this.dice(3000))), true);
      case 'number':
        return this.number(Number(stored ?? this.dice(100)), false);
      case 'choice': {
        const choices = operand.kind === 'field' ? operand.field.choices! : [];
        const text = this.inSomeCase(
          typeof stored === 'string' && chance(this.dice, 70) ? stored : pick(this.dice, choices),
        );
        return { kind: 'text', text, value: text };
      }
      default: {
        const text = this.inSomeCase(
          typeof stored === 'string' && chance(this.dice, 85) ? stored : pick(this.dice, words),
        );
        // A quoted null means null, and an empty text may be left out of a list of tags.
        return text.toLowerCase() === 'null' || text.length > 300
          ? { kind: 'text', text: 'zz', value: 'zz' }
          : { kind: 'text', text, value: text };
      }
    }
  }

  private inSomeCase(text: string): string {
    return pick(this.dice, [text, text, text.toUpperCase(), text.toLowerCase()]);
  }

  private flag(): Literal {
    const value = chance(this.dice, 50);
    return { kind: 'flag', value, text: pick(this.dice, value ? ['true', "'True'", '1'] : ['false', '"false"', '0']) };
  }

  private number(stored: number, isWhole: boolean): Literal {
    const { dice } = this;
    if (isWhole && chance(dice, 5)) return beyond(pick(dice, longNumbers));
    const value = chance(dice, 75)
      ? stored
      : pick(dice, [0, 1, -1, stored + 1, 999_999, isWhole ? 3_000_000_000 : 2.5]);
    const text = String(value);
    const longer = isWhole || text.includes('e') ? text : `${text}${text.includes('.') ? '0' : '.00'}`;
    return { kind: 'number', value, text: pick(dice, [text, text, `'${text}'`, longer]) };
  }

  private moment(stored: number | null): Literal {
    const { dice } = this;
    if (stored === null || chance(dice, 25)) return this.today();
    const shift = pick(dice, [0, 0, 0, 1, -1, 86_400_000]);
    const value = Math.min(stored, Date.UTC(9000, 0)) + shift;
    const [iso, local] = [new Date(value).toISOString(), localText(value)];
    const texts = [
      iso,
      local,
      local.replace('T', ' '),
      iso.replace('Z', '+00:00'),
      `/Date(${value})/`,
      dateText(value),
    ];
    if (local.endsWith('T00:00:00.000')) texts.push(local.slice(0, 10), local.slice(0, 10));
    return { kind: 'moment', value, text: pick(dice, texts) };
  }

  private today(): Literal {
    const days = this.dice(81) - 40;
    if (Math.abs(days) <= 1) return { kind: 'today', value: days, text: ['Yesterday', 'Today', 'Tomorrow'][days + 1]! };
    return { kind: 'today', value: days, text: `Today${days < 0 ? '-' : '+'}${Math.abs(days)}` };
  }
}

export const scalarsOf = (resource: ResourceType): ScalarField[] =>
  namedFields(resource).filter(
    (field): field is ScalarField => field.kind === 'scalar' && !field.isWriteOnly && !isVolatile(field.name),
  );

/** What no Id is, and what no column holds. */
const longNumbers = ['9007199254740993', '9223372036854775807', '-9223372036854775808', '99999999999999999999'];

const beyond = (text: string): Literal => ({ kind: 'number', value: Number(text), text });

const equality = ['eq', 'ne'] as const;

const isTags = (operand: Operand, resource: ResourceType): boolean =>
  operand.kind === 'field' && operand.field.name === 'Tags' && resource.field('TagObjects') !== undefined;

const words = ['zz', 'the', 'Open', 'a%', '_', "o'clock", 'ÄÖ', 'ΟΔΟΣ', 'İstanbul', '"quoted"', 'x\\y', ''];

type Kind = 'text' | 'choice' | 'whole' | 'number' | 'flag' | 'moment' | 'link';

const ofScalar: Record<ScalarField['scalar'], Kind> = {
  text: 'text',
  richText: 'text',
  choice: 'choice',
  id: 'whole',
  integer: 'whole',
  long: 'whole',
  decimal: 'number',
  double: 'number',
  flag: 'flag',
  moment: 'moment',
};

const ofCustom: Record<string, Kind> = {
  Number: 'number',
  Money: 'number',
  CheckBox: 'flag',
  Date: 'moment',
  Entity: 'whole',
  URL: 'link',
};

export const kindOf = (operand: Operand): Kind =>
  operand.kind === 'field' ? ofScalar[operand.field.scalar] : (ofCustom[operand.type] ?? 'text');
