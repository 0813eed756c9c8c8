import { expect, it } from 'vitest';
import { codingFor } from './content-coding.js';

it.each([
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0.500,gzip;q=0.4', 'br'],
  ['br ; q=0, gzip;q=0.001', 'gzip'],
  ['*', 'br'],
  ['*;q=0.1, br;q=0', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['identity', undefined],
  ['deflate', undefined],
  ['', undefined],
  ['identity;q=1, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0', undefined],
  ['gzip;q=2', undefined],
  ['gzip;q=', undefined],
  ['gzip;level=1;q=0', undefined],
  [`gzip${','.repeat(2000)}`, undefined],
])('%j prefers %s', (accepted, coding) => {
  expect(codingFor(accepted)).toBe(coding);
  expect(codingFor(accepted)).toBe(coding);
});
