import { describe, expect, it } from 'vitest';
import { dateIn, distance } from './dates.js';

describe('a moment', () => {
  it('is read as the API spells it', () => {
    expect(dateIn('/Date(1784039038000+0200)/')?.toISOString()).toBe('2026-07-14T14:23:58.000Z');
    expect(dateIn('/Date(-1000)/')?.toISOString()).toBe('1969-12-31T23:59:59.000Z');
    for (const nothing of [null, undefined, '', '2026-07-14']) expect(dateIn(nothing)).toBeUndefined();
  });

  it.each([
    [0, 'just now'],
    [-59, 'just now'],
    [30, 'in less than a minute'],
    [-60, '1 minute ago'],
    [-3_599, '59 minutes ago'],
    [-3_600, '1 hour ago'],
    [-86_400, 'yesterday'],
    [-29 * 86_400, '29 days ago'],
    [-45 * 86_400, 'last month'],
    [600, 'in 10 minutes'],
    [400 * 86_400, 'next year'],
  ])('%i seconds off is %s', (seconds, words) => {
    const now = new Date('2026-07-14T12:00:00Z');
    expect(distance(new Date(now.getTime() + seconds * 1000), now)).toBe(words);
  });
});
