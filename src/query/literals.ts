/** Reads written texts as values of a type: the words of filters, and the texts of expressions. */

import { scalars } from '../model/scalars.js';
import type { SqlType } from '../sql.js';
import { withOffset } from '../texts/local-times.js';
import { parseMoment } from '../texts/moments.js';
import type { Type } from './types.js';

/** A day is so many days from today. */
export type Written = { value: string | boolean; sqlType: SqlType; isOption?: boolean } | { days: number };

/** Undefined: the text is no value of the type. */
export function written(text: string, type: Type, timeZone: string): Written | undefined {
  switch (type.kind) {
    case 'text':
      return type.choices ? chosen(text, type.choices) : optional(text, type.options);
    case 'link':
      return { value: text, sqlType: 'text' };
    case 'integer':
      return wholeNumber.test(text) ? { value: withinBigint(text.trim()), sqlType: 'bigint' } : undefined;
    case 'decimal':
      return number(text, 'numeric');
    case 'double':
      return number(text, 'double precision');
    case 'boolean': {
      const value = flags.get(text.trim().toLowerCase());
      return value === undefined ? undefined : { value, sqlType: 'boolean' };
    }
    case 'moment': {
      const moment = parseMoment(text);
      if (moment?.kind !== 'moment') return moment;
      return { value: withOffset(moment.text, timeZone), sqlType: scalars.moment.sqlType };
    }
    case 'span':
    case 'null':
    case 'object':
    case 'entity':
    case 'collection':
    case 'customValues':
      return undefined;
  }
}

/** As it is stored, in whatever letter case it was written. */
const spelledAs = (text: string, choices: readonly string[]): string | undefined =>
  choices.find((one) => one.toLowerCase() === text.toLowerCase());

function chosen(text: string, choices: readonly string[]): Written | undefined {
  const value = spelledAs(text, choices);
  return value === undefined ? undefined : { value, sqlType: 'text' };
}

function optional(text: string, options: readonly string[] = []): Written {
  const option = spelledAs(text, options);
  return option === undefined ? { value: text, sqlType: 'text' } : { value: option, sqlType: 'text', isOption: true };
}

const wholeNumber = /^\s*[+-]?\d+\s*$/;

/** No row holds the ends of the range, so what lies beyond compares as they do. */
function withinBigint(digits: string): string {
  if (digits.length <= 18) return digits;
  const number = BigInt(digits);
  return String(BigInt.asIntN(64, number) === number ? number : number < 0n ? -(2n ** 63n) : 2n ** 63n - 1n);
}

function number(text: string, sqlType: SqlType): Written | undefined {
  const value = text.trim();
  const fits = /^[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[+-]?\d{1,2})?$/i.test(value);
  return fits && Number.isFinite(Number(value)) ? { value, sqlType } : undefined;
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);
