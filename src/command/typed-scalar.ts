/**
 * Turns the value of a member into the type of its field. Numbers may come as digit strings; XML knows nothing else.
 */
import { badMember, nulCharacter, unwritableText } from '../errors.js';
import { greatestId } from '../model/ids.js';
import type { ScalarField } from '../model/model.js';
import type { ScalarKind } from '../model/scalars.js';
import { isXmlText } from '../texts/characters.js';
import { isInCalendar, occurrencesOf, zonedInstant } from '../texts/local-times.js';
import { parseInstant } from '../texts/moments.js';
import { mostPlaces, numberText, numeral } from '../texts/numbers.js';
import { wholeNumber } from '../texts/whole-numbers.js';
import type { ScalarValue } from './command.js';
import type { PayloadValue } from './payload.js';

interface ScalarContext {
  path: string;
  timeZone: string;
}

export function typedScalar(value: PayloadValue, field: ScalarField, place: ScalarContext): ScalarValue {
  if (value.kind === 'null' || isNothing(value, field)) {
    if (!isNullSendable(field)) throw badMember(place.path, 'a value is required.');
    return null;
  }
  if (value.kind === 'object' || value.kind === 'list')
    throw badMember(place.path, `${expectation(field, '')} is needed.`);
  const text = value.kind === 'boolean' ? String(value.value) : value.text;
  const typed = readers[field.scalar](text, field, place, value.kind);
  if (typed === undefined) throw badMember(place.path, `${expectation(field, text)} is needed${choices(field)}.`);
  return typed;
}

/**
 * A private or write-only field is answered as null to those who may not read it, so they may send null back; whether
 * the actor may write the field is checked before. So is a date that cannot be shown: `assignValues` knows.
 */
export const isNullSendable = ({ isRequired, isPrivate, isWriteOnly, scalar }: ScalarField): boolean =>
  !isRequired || isPrivate || isWriteOnly || scalar === 'moment';

/** An empty element means no value, except for text; an Id of 0 is none, as in references. */
const isNothing = (value: PayloadValue, { scalar }: ScalarField): boolean =>
  'text' in value &&
  !isText(scalar) &&
  (value.text.trim() === '' || (scalar === 'id' && wholeNumber(value.text) === '0'));

/** The later instants that a local time can mean as well, where clocks go back. */
export function laterOccurrences(value: PayloadValue, { scalar }: ScalarField, { timeZone }: ScalarContext): Date[] {
  const instant = scalar === 'moment' && value.kind === 'text' ? parseInstant(value.text) : undefined;
  return instant ? occurrencesOf(instant.text, timeZone).slice(1) : [];
}

/** How long a number may be helps only whoever has sent a longer one. */
function expectation({ scalar }: ScalarField, text: string): string {
  const number = scalar === 'decimal' || scalar === 'double' ? numeral(text) : undefined;
  if (!number) return scalar === 'decimal' ? 'a number' : expected[scalar];
  return number.fraction.length > mostPlaces ? `a number with at most ${mostPlaces} decimal places` : expected[scalar];
}

const isText = (kind: ScalarKind): boolean => kind === 'text' || kind === 'richText';

const choices = ({ choices: names }: ScalarField): string => (names ? `: ${names.join(', ')}` : '');

const expected: Record<ScalarKind, string> = {
  text: 'a text',
  richText: 'a text',
  id: 'a whole number',
  integer: 'a whole number',
  long: 'a whole number',
  decimal: 'a number with at most 14 digits before the point',
  double: 'a number',
  flag: 'true or false',
  moment: 'a date such as 2026-01-31, 2026-01-31T12:00:00 or /Date(1767225600000)/',
  choice: 'one of the known names',
};

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

type Reader = (
  text: string,
  field: ScalarField,
  place: ScalarContext,
  kind: PayloadValue['kind'],
) => ScalarValue | undefined;

const text: Reader = (value, _field, place, kind) => {
  if (kind === 'boolean') return undefined;
  if (value.includes('\0')) throw nulCharacter(place.path);
  if (!isXmlText(value)) throw unwritableText(place.path);
  return value;
};

const readers: Record<ScalarKind, Reader> = {
  text,
  richText: text,
  id: (input) => whole(input, BigInt(greatestId), Number),
  integer: (input) => whole(input, 2_147_483_647n, Number),
  long: (input) => whole(input, 9_223_372_036_854_775_807n, String),
  decimal: (input) => {
    const number = numberText(input);
    return number === undefined ? undefined : decimalOf(number);
  },
  double: (input) => {
    const number = numberText(input);
    return number === undefined ? undefined : Number(number);
  },
  flag: (input) => flags.get(input.trim().toLowerCase()),
  moment: (input, _field, { timeZone }) => {
    const instant = parseInstant(input);
    const date = instant && zonedInstant(instant.text, timeZone);
    return date && isInCalendar(date, timeZone) ? date : undefined;
  },
  choice: (input, field) => field.choices?.find((choice) => choice.toLowerCase() === input.trim().toLowerCase()),
};

/** The digits of the greatest, a minus among them. */
const mostDigits = 20;

function whole(input: string, greatest: bigint, convert: (value: bigint) => ScalarValue): ScalarValue | undefined {
  const digits = wholeNumber(input);
  if (digits === undefined || digits.length > mostDigits) return undefined;
  const value = BigInt(digits);
  return value > greatest || value < -greatest - 1n ? undefined : convert(value);
}

/** More places than these tell nothing of the four that are stored. */
const tellingPlaces = 30;

/** If what it means has few enough digits before the point, when it is rounded to four places. */
function decimalOf(number: string): string | undefined {
  const { isNegative, whole, fraction, hasExponent } = numeral(number)!;
  if (hasExponent) return Math.abs(Number(number)) < 1e14 ? Number(number).toFixed(4) : undefined;
  const digits = whole.replace(/^0+/, '') || '0';
  if (digits.length > 14 || /^9{14}\.9999[5-9]/.test(`${digits}.${fraction}`)) return undefined;
  const places = fraction && `.${fraction.slice(0, tellingPlaces)}`;
  return `${isNegative ? '-' : ''}${digits}${places}`;
}
