import { describe, expect, it } from 'vitest';
import { conflict } from '../errors.js';
import { retrying } from './retrying.js';
import { RolledBack } from './transaction.js';

const sqlError = (code: string) => Object.assign(new Error(code), { code });
const cut = new Error('Connection terminated unexpectedly');
const silent = new Error('Query read timeout');

/** How often a transaction runs that fails each time, and with what it ends. */
async function runs(failure: unknown): Promise<[number, unknown]> {
  let count = 0;
  const error = await retrying(async () => {
    count += 1;
    throw failure;
  }).catch((caught: unknown) => caught);
  return [count, error];
}

describe('a transaction that was rolled back', () => {
  it.each<[string, Error, boolean, number]>([
    ['lost against another one', sqlError('40001'), true, 6],
    ['was deadlocked', sqlError('40P01'), true, 6],
    ['got no lock', sqlError('55P03'), true, 6],
    ['lost its prepared statement', sqlError('26000'), true, 6],
    ['was cut off', cut, true, 6],
    ['was ended by an administrator', sqlError('57P01'), true, 6],
    ['made the same row as another one', sqlError('23505'), true, 2],
    ['refers to what another one deleted', sqlError('23503'), true, 2],
    ['was stopped by a protocol violation', sqlError('08P01'), true, 1],
    ['was in a failed transaction', sqlError('25P02'), true, 1],
    ['met an internal error', sqlError('XX000'), true, 1],
    ['took too long', sqlError('57014'), true, 1],
    ['met a fault of ours', new TypeError('no such thing'), true, 1],
    ['waited for nothing', silent, true, 1],
    ['did not begin', sqlError('08P01'), false, 6],
    ['did not begin where nothing answers', silent, false, 1],
  ])('%s', async (_, cause, wasBegun, count) => {
    expect(await runs(new RolledBack(cause, wasBegun))).toEqual([count, cause]);
  });
});

it.each([
  ['a refusal', conflict('taken')],
  ['an error of which nobody knows what it left', sqlError('40001')],
])('%s is final', async (_, error) => {
  expect(await runs(error)).toEqual([1, error]);
});
