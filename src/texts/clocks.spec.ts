import { expect, it } from 'vitest';
import { disagreement, offsetAt, setClocks } from './clocks.js';

const now = Date.parse('2026-11-27T12:00:00Z');
const since = Date.parse('2027-10-31T01:00:00Z') / 1000;

it('tells that Node.js has other clocks than the database, whose count', () => {
  // A zone that no other spec asks for: these clocks stay.
  const zone = 'Pacific/Palau';
  expect(disagreement(zone, now)).toBeUndefined();
  setClocks(zone, [{ since: 0, ahead: 32_400 }]);
  expect(disagreement(zone, now)).toBeUndefined();
  setClocks(zone, [
    { since: 0, ahead: 32_400 },
    { since, ahead: 12_600 },
  ]);
  expect([since * 1000 - 1, since * 1000].map((at) => offsetAt(at, zone))).toEqual([32_400_000, 12_600_000]);
  expect(disagreement(zone, now)).toBe(
    'The clocks of Pacific/Palau are at +03:30 on 2027-10-31 by the time-zone data of PostgreSQL, which count, and at ' +
      '+09:00 by those of Node.js: one of them is old.',
  );
  expect(disagreement(zone, Date.parse('2010-01-01T00:00:00Z'))).toBeUndefined();
});
