import { describe, expect, it } from 'vitest';
import { parseInstant, parseMoment } from './moments.js';

describe('parseInstant', () => {
  it.each([
    ['2026-01-31', '2026-01-31 00:00:00'],
    [' 2026-01-31 ', '2026-01-31 00:00:00'],
    ['2026-01-31T12:30', '2026-01-31 12:30:00'],
    ['2026-01-31T12:30:15', '2026-01-31 12:30:15'],
    ['2026-01-31 12:30:15.1239', '2026-01-31 12:30:15.123'],
    ['2026-01-31T12:30:15Z', '2026-01-31 12:30:15+00'],
    ['2026-01-31T12:30:15+02:00', '2026-01-31 12:30:15+02:00'],
    ['2026-01-31T12:30:15-0530', '2026-01-31 12:30:15-05:30'],
    ['2024-02-29', '2024-02-29 00:00:00'],
    ['24-Oct-2015', '2015-10-24 00:00:00'],
    ['4-oct-2015', '2015-10-04 00:00:00'],
    ['/Date(1198908717056)/', '2007-12-29 06:11:57.056+00'],
    ['/Date(1198908717056+0300)/', '2007-12-29 06:11:57.056+00'],
    ['\\/Date(1198908717056-0500)\\/', '2007-12-29 06:11:57.056+00'],
  ])('reads %s', (input, text) => expect(parseInstant(input)).toEqual({ kind: 'moment', text }));

  it.each([
    '2023-02-29',
    '1900-02-29',
    '0000-00-00',
    '0000-01-01',
    '2023-1-1',
    '2023-13-01',
    '2023-00-10',
    '2023-01-32',
    '2023-01-01T25:00:00',
    '2023-01-01T10:60:00',
    '2023-01-01T10:00:60',
    '2023-01-01T10:00:00+15:00',
    '+275760-09-13',
    '24-Okt-2015',
    '31-Feb-2015',
    '/Date(1e99)/',
    '/Date(999999999999999)/',
    '/Date()/',
    'today',
    '',
    'x',
    '2023-01-01x',
    "2023-01-01'; drop table general;--",
  ])('refuses %j', (input) => expect(parseInstant(input)).toBeUndefined());
});

describe('parseMoment', () => {
  it.each([
    ['Today', 0],
    ['@Today', 0],
    ['TODAY', 0],
    ['today-7', -7],
    ['Today + 14', 14],
    ['tomorrow', 1],
    ['Yesterday', -1],
    ['tomorrow-3', -2],
  ])('reads %s', (input, days) => expect(parseMoment(input)).toEqual({ kind: 'today', days }));

  it.each(['Today-', 'Today-x', 'todays', 'Today--7', 'Today-999999'])('refuses %s', (input) => {
    expect(parseMoment(input)).toBeUndefined();
  });
});

it('refuses what is far too long at once', () => expect(parseInstant('9'.repeat(100_000))).toBeUndefined());
