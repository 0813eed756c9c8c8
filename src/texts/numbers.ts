/** Numbers as texts: one rule of what they look like, for bodies, filters and conversions of both versions. */

/** A double that is written out has up to 1,074 decimal places, as the least above zero; decimal types have fewer. */
export const mostPlaces = 1100;

/** Before the point, in front of an exponent. */
export const mostWholeDigits = 30;

interface Numeral {
  isNegative: boolean;
  whole: string;
  fraction: string;
  hasExponent: boolean;
}

/** What follows the sign has a digit, which a text of blanks has not: that keeps the pattern linear. */
const form = /^\s*([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(e[+-]?\d{1,3})?\s*$/i;

/** A number of any length in its parts. */
export function numeral(text: string): Numeral | undefined {
  const [, sign, whole, fraction = '', exponent] = form.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { isNegative: sign === '-', whole, fraction, hasExponent: exponent !== undefined };
}

/** The number that a text is, with all its digits; undefined where it has too many, or is beyond all doubles. */
export function numberText(text: string): string | undefined {
  const number = numeral(text);
  if (!number || number.whole.length > mostWholeDigits || number.fraction.length > mostPlaces) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  // The database refuses to make a double of what is closer to zero than any.
  return value === 0 ? '0' : text.trim();
}
