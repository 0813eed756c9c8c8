/**
 * Random well-typed expressions of version 2 over the whole model, functions of all types among them. Nobody knows what
 * they are worth; they are for comparing what one expression is worth in several places.
 */
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { type Dice, pick } from './dice.js';

/** What an expression of version 2 is worth. */
export type Worth = 'number' | 'text' | 'flag' | 'moment';

export const worthOf: Record<ScalarField['scalar'], Worth> = {
  text: 'text',
  richText: 'text',
  choice: 'text',
  id: 'number',
  integer: 'number',
  long: 'number',
  decimal: 'number',
  double: 'number',
  flag: 'flag',
  moment: 'moment',
};

const worthOfCustom: Record<string, Worth> = {
  Number: 'number',
  Money: 'number',
  CheckBox: 'flag',
  Date: 'moment',
  Text: 'text',
  RichText: 'text',
  DropDown: 'text',
  TemplatedURL: 'text',
  MultipleSelectionList: 'text',
};

const words = ['the', 'E', 'show', 'a%', '_', "o'", 'ZZ', 'ß', '😀', '', ' ', 'Shared links'];
const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const numbers = ['0', '1', '2', '3', '-1', '2.5', '0.0001', '1200', '1e3', '1234567890'];
const moments = [
  'Today',
  'Today-7',
  "DateTime.Parse('2026-03-29')",
  "DateTime.Parse('2026-10-25T02:30:00')",
  'DateTime.Today.AddMonths(-1)',
];

export interface CustomDefinition {
  kind: string;
  name: string;
  type: string;
}

export class RandomValues {
  constructor(
    private readonly dice: Dice,
    private readonly customs: readonly CustomDefinition[],
  ) {}

  of(worth: Worth, kind: ResourceType, depth: number): string {
    switch (worth) {
      case 'number':
        return this.number(kind, depth);
      case 'text':
        return this.text(kind, depth);
      case 'flag':
        return this.flag(kind, depth);
      case 'moment':
        return this.moment(kind, depth);
    }
  }

  private chance = (percent: number): boolean => this.dice(100) < percent;

  private literal(worth: Worth): string {
    switch (worth) {
      case 'number':
        return pick(this.dice, numbers);
      case 'text':
        return quoted(pick(this.dice, words));
      case 'flag':
        return pick(this.dice, ['true', 'false']);
      case 'moment':
        return pick(this.dice, moments);
    }
  }

  private leaf(worth: Worth, kind: ResourceType): string {
    if (this.chance(20)) return this.literal(worth);
    const path: string[] = [];
    let end = kind;
    for (let steps = pick(this.dice, [0, 0, 0, 1, 1, 2]); steps > 0; steps--) {
      const references = end.fields.filter((field): field is ReferenceField => field.kind === 'reference');
      if (references.length === 0) break;
      const step = pick(this.dice, references);
      path.push(step.name);
      end = step.target;
    }
    const fields = end.fields.filter(
      (field): field is ScalarField => field.kind === 'scalar' && !field.isWriteOnly && worthOf[field.scalar] === worth,
    );
    const customs = this.customs.filter(({ kind: of, type }) => of === end.name && worthOfCustom[type] === worth);
    const names = [
      ...fields.map(({ name }) => name),
      ...(this.chance(50) ? customs.map(({ name }) => `CustomValues[${quoted(name)}]`) : []),
    ];
    if (names.length === 0) return this.literal(worth);
    return [...path, pick(this.dice, names)].join('.');
  }

  /** What every type has: choices, what stands in for nothing, and what is reckoned of a collection. */
  private common(worth: Worth, kind: ResourceType, depth: number): string {
    const one = () => this.of(worth, kind, depth - 1);
    switch (this.dice(6)) {
      case 0:
        return `IIF(${this.flag(kind, depth - 1)},${one()},${one()})`;
      case 1:
        return `(${this.flag(kind, depth - 1)} ? ${one()} : ${one()})`;
      case 2:
      case 3:
        return `IFNONE(${one()},${one()})`;
      default:
        return this.ofItems(worth, kind, depth) ?? one();
    }
  }

  private ofItems(worth: Worth, kind: ResourceType, depth: number): string | undefined {
    const collections = kind.fields.filter((field): field is CollectionField => field.kind === 'collection');
    if (collections.length === 0) return undefined;
    const { name, target } = pick(this.dice, collections);
    const inner = (of: Worth): string => this.of(of, target, depth - 2);
    const some = pick(this.dice, [
      () => name,
      () => `${name}.where(${inner('flag')})`,
      () => `${name}.orderBy(${inner('number')}).take(${this.dice(4)})`,
      () => `${name}.orderByDescending(${inner('text')}).skip(${this.dice(3)})`,
      () => `${name}.skip(1).where(${inner('flag')})`,
    ])();
    switch (worth) {
      case 'number':
        return pick(this.dice, [
          () => `${some}.count()`,
          () => `${some}.count(${inner('flag')})`,
          () => `${some}.${pick(this.dice, ['sum', 'average', 'min', 'max'])}(${inner('number')})`,
          () => `${some}.select(${inner('text')}).distinct().count()`,
          () => `${some}.first().id`,
        ])();
      case 'flag':
        return pick(this.dice, [
          () => `${some}.any(${inner('flag')})`,
          () => `${some}.all(${inner('flag')})`,
          () => `(${some}.any())`,
        ])();
      default:
        return pick(this.dice, [
          () => `${some}.select(${inner(worth)}).first()`,
          () => `${some}.${pick(this.dice, ['min', 'max'])}(${inner(worth)})`,
        ])();
    }
  }

  number(kind: ResourceType, depth: number): string {
    if (depth <= 0) return this.leaf('number', kind);
    const one = () => this.number(kind, depth - 1);
    switch (this.dice(12)) {
      case 0:
      case 1:
        return `(${one()}${pick(this.dice, ['+', '-', '*', '/'])}${one()})`;
      case 2:
        return this.common('number', kind, depth);
      case 3:
        return `(${this.text(kind, depth - 1)}).${pick(this.dice, ['Length', 'Length', `IndexOf(${this.literal('text')})`])}`;
      case 4:
        return `(${this.moment(kind, depth - 1)}).${pick(this.dice, ['Year', 'Month', 'Day', 'Hour', 'Minute', 'Second', 'DayOfYear'])}`;
      case 5:
        return `((${this.moment(kind, depth - 1)})-(${this.moment(kind, depth - 1)})).${pick(this.dice, ['TotalDays', 'TotalHours', 'TotalSeconds', 'Days', 'Hours', 'Minutes', 'Seconds'])}`;
      case 6:
        return `Math.${pick(this.dice, ['Abs', 'Ceiling', 'Floor', 'Truncate', 'Round', 'Sign', 'Sqrt', 'Log', 'Log10', 'Exp'])}(${one()})`;
      case 7:
        return pick(this.dice, [
          () => `Math.${pick(this.dice, ['Min', 'Max', 'Pow'])}(${one()},${one()})`,
          () => `Math.Round(${one()},${this.dice(4)})`,
        ])();
      case 8:
        return `${pick(this.dice, ['Convert', 'SafeConvert'])}.${pick(this.dice, ['ToInt32', 'ToInt64', 'ToDecimal', 'ToDouble'])}(${pick(this.dice, [() => one(), () => `${this.leaf('text', kind)}+''`, () => `(${one()}).ToString()`])()})`;
      case 9:
        return `(-(${one()}))`;
      default:
        return this.leaf('number', kind);
    }
  }

  text(kind: ResourceType, depth: number): string {
    if (depth <= 0) return this.leaf('text', kind);
    const one = () => this.text(kind, depth - 1);
    switch (this.dice(10)) {
      case 0:
        return `(${one()}+${one()})`;
      case 1:
        return this.common('text', kind, depth);
      case 2:
        return `(${one()}).${pick(this.dice, ['ToLower()', 'ToUpper()', 'Trim()', 'TrimStart()', 'TrimEnd()', 'ToPlainText()', 'Substring(2)', 'Substring(1,3)'])}`;
      case 3:
        return `(${one()}).Replace(${this.literal('text')},${this.literal('text')})`;
      case 4:
        return `(${this.number(kind, depth - 1)}).ToString()`;
      case 5:
        return `(${this.moment(kind, depth - 1)}).${pick(this.dice, ['ToString()', 'DayOfWeek'])}`;
      case 6:
        return `(${this.flag(kind, depth - 1)}).ToString()`;
      default:
        return this.leaf('text', kind);
    }
  }

  moment(kind: ResourceType, depth: number): string {
    if (depth <= 0) return this.leaf('moment', kind);
    const one = () => this.moment(kind, depth - 1);
    switch (this.dice(8)) {
      case 0:
        return this.common('moment', kind, depth);
      case 1:
        return `(${one()}).Date`;
      case 2:
        return `(${one()}).${pick(this.dice, ['AddDays', 'AddHours', 'AddMinutes'])}(${this.number(kind, depth - 1)})`;
      case 3:
        return `(${one()}).${pick(this.dice, ['AddMonths', 'AddYears'])}(${this.dice(30) - 15})`;
      case 4:
        return `(${one()}${pick(this.dice, ['+', '-'])}${this.number(kind, depth - 1)})`;
      case 5:
        return `SafeConvert.ToDateTime(${pick(this.dice, [() => `(${one()}).ToString()`, () => this.leaf('text', kind)])()})`;
      default:
        return this.leaf('moment', kind);
    }
  }

  flag(kind: ResourceType, depth: number): string {
    if (depth <= 0) return this.compared(kind, 0);
    switch (this.dice(10)) {
      case 0:
        return `(${this.flag(kind, depth - 1)}${pick(this.dice, [' and ', ' or '])}${this.flag(kind, depth - 1)})`;
      case 1:
        return `not(${this.flag(kind, depth - 1)})`;
      case 2:
        return this.common('flag', kind, depth);
      case 3:
        return `(${this.text(kind, depth - 1)}).${pick(this.dice, ['Contains', 'StartsWith', 'EndsWith'])}(${this.text(kind, 0)})`;
      case 4: {
        const worth = pick(this.dice, ['number', 'text'] as const);
        return `(${this.of(worth, kind, depth - 1)} ${pick(this.dice, ['in', 'not in'])} [${this.literal(worth)},${this.literal(worth)}])`;
      }
      case 5:
        return `(${this.of(pick(this.dice, ['number', 'text', 'moment', 'flag']), kind, depth - 1)} is ${pick(this.dice, ['', 'not '])}null)`;
      case 6:
        return `(${this.leaf('flag', kind)}==${this.flag(kind, depth - 1)})`;
      default:
        return this.compared(kind, depth - 1);
    }
  }

  private compared(kind: ResourceType, depth: number): string {
    const worth = pick(this.dice, ['number', 'number', 'text', 'moment'] as const);
    const sign = pick(this.dice, worth === 'text' ? ['==', '!=', '<', '>='] : ['==', '!=', '<', '<=', '>', '>=']);
    return `(${this.of(worth, kind, depth)}${sign}${this.of(worth, kind, depth)})`;
  }
}
