import { expect, it } from 'vitest';
import type { WalPosition } from '../wal-position.js';
import { PrimaryHistory } from './lag.js';

const at = (lsn: number, timeline = 1): WalPosition => ({ timeline, lsn });

/** A primary that writes ten bytes in each tenth of a second. */
function writing(seconds: number, reachMs = 10_000): PrimaryHistory {
  const history = new PrimaryHistory(reachMs);
  for (let ms = 0; ms <= seconds * 1000; ms += 100) history.note(at(ms / 10), ms);
  return history;
}

it.each([
  ['at its end', 500, 0],
  ['beyond its end', 501, 0],
  ['a second ago', 400, 1000],
  ['between two samples', 409, 1000],
  ['longer ago than what is kept', -1, Number.POSITIVE_INFINITY],
])('a replica that was the primary %s', (_, lsn, lag) => expect(writing(5).lagOf(at(lsn))).toBe(lag));

it('is unknown before the primary was asked', () =>
  expect(new PrimaryHistory(1000).lagOf(at(9))).toBe(Number.POSITIVE_INFINITY));

it('of an idle primary does not grow', () => {
  const history = new PrimaryHistory(1000);
  for (let ms = 0; ms <= 60_000; ms += 100) history.note(at(7), ms);
  expect([history.lagOf(at(7)), history.lagOf(at(6))]).toEqual([0, Number.POSITIVE_INFINITY]);
});

it('is unlimited on a timeline that the primary has left', () => {
  const history = writing(1);
  history.note(at(105, 2), 1100);
  expect([history.lagOf(at(999, 1)), history.lagOf(at(105, 2))]).toEqual([100, 0]);
});

it.each([
  [0, 500],
  [300, 470],
  [350, 460],
  // No more is kept.
  [5000, 360],
])('knows where it was %i ms before', (ms, lsn) => expect(writing(5).before(ms)).toEqual(at(lsn)));

it('keeps about a hundred samples, whatever they reach back', () => {
  const history = writing(600, 300_000) as unknown as { samples: unknown[] };
  expect(history.samples.length).toBeLessThan(110);
});
