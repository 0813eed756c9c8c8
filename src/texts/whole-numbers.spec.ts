import { expect, it } from 'vitest';
import { wholeNumber } from './whole-numbers.js';

it.each([
  ['26', '26'],
  [' 26 ', '26'],
  ['+26', '26'],
  ['-26', '-26'],
  ['0026', '26'],
  ['26.', '26'],
  ['26.0', '26'],
  ['26.000000000000000000000', '26'],
  ['2.6e1', '26'],
  ['2.60E+1', '26'],
  ['0.26e2', '26'],
  ['2600e-2', '26'],
  ['1e3', '1000'],
  ['-1.471e3', '-1471'],
  ['9007199254740991.0', '9007199254740991'],
  ['9007199254740993', '9007199254740993'],
  ['9.007199254740993e15', '9007199254740993'],
  ['0', '0'],
  ['-0.0', '0'],
  ['0e-999', '0'],
  ['0e999', '0'],
])('%s is %s', (text, digits) => expect(wholeNumber(text)).toBe(digits));

it.each([
  '26.5',
  '2.65e1',
  '26e-1',
  '1e-999',
  '',
  '.',
  '.5e1',
  'e1',
  '1e',
  '1e1000',
  '0x1a',
  '1,000',
  '1 0',
  '--1',
  '²',
  'NaN',
])('%s is none', (text) => expect(wholeNumber(text)).toBeUndefined());

it('reads a long text in one go', () => {
  const zeros = '0'.repeat(1_000_000);
  expect(wholeNumber(`${zeros}7.${zeros}`)).toBe('7');
  expect(wholeNumber(`${zeros}x`)).toBeUndefined();
});
