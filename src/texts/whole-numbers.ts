/** Whole numbers, however they are written: `26`, `26.0` and `2.6e1` are one. */

const form = /^\s*([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?\s*$/i;

/** Its digits, with a minus where it is below zero; undefined for what is no whole number. */
export function wholeNumber(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = form.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  const point = Math.max(0, whole.length + Number(exponent));
  if (/[1-9]/.test(digits.slice(point))) return undefined;
  const number = digits.slice(0, point).padEnd(point, '0').replace(/^0+/, '');
  if (number === '') return '0';
  return sign === '-' ? `-${number}` : number;
}
