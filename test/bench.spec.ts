/** What the benchmark does apart from measuring. */
import { expect, it } from 'vitest';
import { slowestOfNonsense } from '../bench/expressions.mjs';

it('texts of no sense are refused or compiled, whatever is in them', () => {
  expect(slowestOfNonsense(200)).toBeGreaterThan(0);
});
