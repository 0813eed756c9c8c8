/** Turns the words of a filter into values of the type they are compared with. */
import { Bound } from '../bound.js';
import { badLiteral } from '../errors.js';
import { withOffset } from '../local-times.js';
import { scalars } from '../model/scalars.js';
import type { SqlType } from '../sql.js';
import type { CustomFieldType, Operand, Scalar } from './meaning.js';
import { parseMoment } from './moments.js';
import type { Literal } from './query.js';

type Kind = 'text' | 'integer' | 'decimal' | 'double' | 'flag' | 'moment' | 'choice';

type Compared = Operand & { options?: readonly string[] };

/** A scalar before it is bound. */
type Read =
  | { kind: 'value'; value: string | boolean; type: SqlType; isOption?: boolean }
  | { kind: 'today'; days: number };

export function typedValue({ text, place }: Literal, operand: Compared, timeZone: string): Scalar {
  const name = operand.kind === 'field' ? operand.field.name : `CustomFields.${operand.name}`;
  const read = (word: string): Read => readers[kindOf(operand)](word, name, operand, timeZone);
  const first = read(text);
  if (first.kind !== 'value') return first;
  const again = (word: string): string | boolean | undefined => {
    const other = read(word);
    return other.kind === 'value' && other.isOption === first.isOption ? other.value : undefined;
  };
  return { ...first, value: Bound.word(first.value, place, again) };
}

/** Part of a text, which any text may be. */
export const textOf = ({ text, place }: Literal): Bound<string> => Bound.word(text, place, (word) => word);

type Reader = (text: string, name: string, operand: Compared, timeZone: string) => Read;

const readers: Record<Kind, Reader> = {
  text: (text, _name, operand) => optionOr(text, operand),
  choice: (text, name, operand) => {
    const choices = (operand.kind === 'field' && operand.field.choices) || [];
    const match = choiceIn(text, choices);
    if (match === undefined) throw badLiteral(name, text, `one of ${choices.join(', ')}`);
    return { kind: 'value', value: match, type: 'text' };
  },
  integer: (text, name) => {
    if (!wholeNumber.test(text)) throw badLiteral(name, text, 'a whole number');
    return { kind: 'value', value: withinBigint(text.trim()), type: 'bigint' };
  },
  decimal: (text, name) => ({ kind: 'value', value: number(text, name), type: 'numeric' }),
  double: (text, name) => ({ kind: 'value', value: number(text, name), type: 'double precision' }),
  flag: (text, name) => {
    const value = flags[text.trim().toLowerCase()];
    if (value === undefined) throw badLiteral(name, text, 'true or false');
    return { kind: 'value', value, type: 'boolean' };
  },
  moment: (text, name, _operand, timeZone) => {
    const moment = parseMoment(text);
    if (!moment) throw badLiteral(name, text, "a date such as '2026-01-31', '2026-01-31T12:00:00' or 'Today'");
    if (moment.kind === 'today') return moment;
    return { kind: 'value', value: withOffset(moment.text, timeZone), type: scalars.moment.sqlType };
  },
};

export const wholeNumber = /^\s*[+-]?\d+\s*$/;

/** As it is stored, in whatever letter case it was written. */
export const choiceIn = (text: string, choices: readonly string[]): string | undefined =>
  choices.find((one) => one.toLowerCase() === text.toLowerCase());

/** No row holds the ends of the range, so what lies beyond compares as they do. */
export function withinBigint(digits: string): string {
  if (digits.length <= 18) return digits;
  const number = BigInt(digits);
  return String(BigInt.asIntN(64, number) === number ? number : number < 0n ? -(2n ** 63n) : 2n ** 63n - 1n);
}

export function textScalar(text: string, compared: Compared): Scalar {
  const read = optionOr(text, compared);
  return { ...read, value: Bound.constant<string | boolean>(read.value) };
}

function optionOr(text: string, { options = [] }: Compared): Extract<Read, { kind: 'value' }> {
  const option = choiceIn(text, options);
  return { kind: 'value', value: option ?? text, type: 'text', ...(option === undefined ? {} : { isOption: true }) };
}

const flags: Readonly<Record<string, boolean | undefined>> = Object.assign(Object.create(null), {
  true: true,
  false: false,
  1: true,
  0: false,
});

function number(text: string, name: string): string {
  const trimmed = text.trim();
  const fits = /^[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[+-]?\d{1,2})?$/i.test(trimmed);
  if (!fits || !Number.isFinite(Number(trimmed))) throw badLiteral(name, text, 'a number');
  return trimmed;
}

const customKinds: Record<CustomFieldType, Kind> = {
  Text: 'text',
  DropDown: 'text',
  RichText: 'text',
  URL: 'text',
  TemplatedURL: 'text',
  MultipleSelectionList: 'text',
  MultipleEntities: 'text',
  CheckBox: 'flag',
  Date: 'moment',
  Number: 'decimal',
  Money: 'decimal',
  Entity: 'integer',
};

function kindOf(operand: Operand): Kind {
  if (operand.kind === 'custom') return customKinds[operand.type];
  const { scalar } = operand.field;
  if (scalar === 'richText') return 'text';
  return scalar === 'long' || scalar === 'id' ? 'integer' : scalar;
}
