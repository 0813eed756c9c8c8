import { expect, it } from 'vitest';
import { zonedInstant } from './zoned-instant.js';

it.each([
  ['2026-01-31 00:00:00', 'UTC', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31 00:00:00', 'Europe/Berlin', '2026-01-30T23:00:00.000Z'],
  ['2026-07-31 00:00:00', 'Europe/Berlin', '2026-07-30T22:00:00.000Z'],
  ['2026-07-31 12:30:15.123', 'America/New_York', '2026-07-31T16:30:15.123Z'],
  ['2026-01-31 00:00:00', 'Asia/Kolkata', '2026-01-30T18:30:00.000Z'],
  // The clocks go forward at 02:00 and back at 03:00 on these days.
  ['2026-03-29 01:59:00', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25 04:00:00', 'Europe/Berlin', '2026-10-25T03:00:00.000Z'],
  // What says its zone is not placed again.
  ['2026-01-31 00:00:00+00', 'Asia/Kolkata', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31 00:00:00-05:30', 'Europe/Berlin', '2026-01-31T05:30:00.000Z'],
  ['0001-01-01 00:00:00', 'UTC', '0001-01-01T00:00:00.000Z'],
])('%s in %s', (text, zone, instant) => expect(zonedInstant(text, zone).toISOString()).toBe(instant));
