import { expect, it } from 'vitest';
import type { AccountRow } from './account.js';
import { RightsHistory } from './rights-history.js';

const row = (position: string, project_ids: number[] = [1]): AccountRow =>
  ({ id: 7, kind: 'User', is_administrator: false, is_observer: null, project_ids, team_ids: [], position }) as never;

it.each([
  ['the same rights', row('1-0/2'), 1000, '1-0/1'],
  ['other projects', row('1-0/2', [1, 2]), 1000, '1-0/2'],
  ['fewer projects', row('1-0/2', []), 1000, '1-0/2'],
  ['an administrator', { ...row('1-0/2'), is_administrator: true }, 1000, '1-0/2'],
  ['the same rights after a long time', row('1-0/2'), 20_000, '1-0/2'],
])('%s', (_, later, afterMs, position) => {
  let now = 0;
  const history = new RightsHistory(() => now);
  expect(history.since(row('1-0/1'))).toBe('1-0/1');
  now = afterMs;
  expect(history.since(later)).toBe(position);
});

it('rights that are looked at again and again stay known', () => {
  let now = 0;
  const history = new RightsHistory(() => now);
  for (; now < 60_000; now += 5_000) expect(history.since(row(`1-0/${now}`))).toBe('1-0/0');
});
