import { expect, it } from 'vitest';
import { mostPlaces, mostWholeDigits, numberText } from './numbers.js';

it.each([
  ['12.5', '12.5'],
  [' +12.5 ', '+12.5'],
  ['.5', '.5'],
  ['5.', '5.'],
  ['1.5E+100', '1.5E+100'],
  ['5e-324', '5e-324'],
  ['-0.0', '0'],
  ['1e-400', '0'],
  [`0.${'1'.repeat(mostPlaces)}`, `0.${'1'.repeat(mostPlaces)}`],
  ['9'.repeat(mostWholeDigits), '9'.repeat(mostWholeDigits)],
])('%s is a number', (text, number) => expect(numberText(text)).toBe(number));

it.each([
  ...['', ' ', '.', '+', 'e5', '1e', '1,5', '1.5.2', '1 2', '0x10', 'NaN', 'Infinity', '١٢', '1e309', '1e1000'],
  `0.${'1'.repeat(mostPlaces + 1)}`,
  '9'.repeat(mostWholeDigits + 1),
])('%s is none', (text) => expect(numberText(text)).toBeUndefined());

it('has room for the smallest double, written out in full', () => {
  const digits = String(5n ** 1074n);
  const written = `0.${digits.padStart(1074, '0')}`;
  expect([numberText(written), Number(written)]).toEqual([written, 5e-324]);
});
