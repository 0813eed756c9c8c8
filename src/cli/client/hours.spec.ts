import { expect, it } from 'vitest';
import { parseHours } from './hours.js';

it.each<[string, number | undefined]>([
  ['2h', 2],
  ['2', undefined],
  ['90', undefined],
  ['1.5', undefined],
  ['1.5h', 1.5],
  ['1,5h', 1.5],
  ['30m', 0.5],
  ['1h30m', 1.5],
  ['20m', 0.3333],
  ['0h', 0],
  ['0m', 0],
  ['', undefined],
  ['h', undefined],
  ['m', undefined],
  ['1h30', undefined],
  ['1 30m', undefined],
  ['130m', 2.1667],
  ['-1h', undefined],
  ['1e3', undefined],
  ['two', undefined],
])('%j', (text, hours) => expect(parseHours(text)).toBe(hours));
