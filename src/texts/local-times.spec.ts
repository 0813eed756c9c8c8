import { expect, it } from 'vitest';
import { hasClocks } from './clocks.js';
import {
  firstOfDay,
  isInCalendar,
  lastSecondOfDay,
  occurrencesOf,
  startOfDay,
  withOffset,
  zonedInstant,
} from './local-times.js';

it.each([
  ['2026-01-31 00:00:00', 'UTC', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31 00:00:00', 'Europe/Berlin', '2026-01-30T23:00:00.000Z'],
  ['2026-07-31 00:00:00', 'Europe/Berlin', '2026-07-30T22:00:00.000Z'],
  ['2026-07-31 12:30:15.123', 'America/New_York', '2026-07-31T16:30:15.123Z'],
  ['2026-01-31 00:00:00', 'Asia/Kolkata', '2026-01-30T18:30:00.000Z'],
  // The clocks go forward at 02:00 and back at 03:00 on these days.
  ['2026-03-29 01:59:00', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25 01:59:00', 'Europe/Berlin', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25 04:00:00', 'Europe/Berlin', '2026-10-25T03:00:00.000Z'],
  // An hour that is skipped: an hour later.
  ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-08 02:30:00', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-10-04 02:10:00', 'Australia/Lord_Howe', '2026-10-03T15:40:00.000Z'],
  ['2011-12-30 12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  // An hour that occurs twice: the first.
  ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-11-01 01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['2026-11-01 01:30:00.250', 'America/New_York', '2026-11-01T05:30:00.250Z'],
  ['2026-04-05 01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ['2026-10-25 00:00:00', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
  ['2018-02-17 23:30:00', 'America/Sao_Paulo', '2018-02-18T01:30:00.000Z'],
  // Clocks that skip midnight.
  ['2026-04-24 00:00:00', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2018-11-04 00:00:00', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2026-03-29 00:00:00', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  // A text with an offset names one instant.
  ['2026-01-31 00:00:00+00', 'Asia/Kolkata', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31 00:00:00-05:30', 'Europe/Berlin', '2026-01-31T05:30:00.000Z'],
  ['2026-11-01 01:30:00-05:00', 'America/New_York', '2026-11-01T06:30:00.000Z'],
  ['0001-01-01 00:00:00', 'UTC', '0001-01-01T00:00:00.000Z'],
])('%s in %s', (text, zone, instant) => expect(zonedInstant(text, zone).toISOString()).toBe(instant));

it.each([
  ['2026-11-01 01:30:00', 'America/New_York', ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z']],
  ['2026-11-01 02:00:00', 'America/New_York', ['2026-11-01T07:00:00.000Z']],
  ['2026-03-08 02:30:00', 'America/New_York', ['2026-03-08T07:30:00.000Z']],
  ['2026-11-01 01:30:00-05', 'America/New_York', ['2026-11-01T06:30:00.000Z']],
])('the instants that %s in %s can mean', (text, zone, instants) =>
  expect(occurrencesOf(text, zone).map((one) => one.toISOString())).toEqual(instants));

it.each([
  ['UTC', '2026-04-24T12:00:00Z', '2026-04-24T00:00:00.000Z', '2026-04-24T23:59:59.000Z'],
  // Begins at 01:00, lasts 23 hours.
  ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.000Z'],
  ['Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-22T22:00:00.000Z', '2026-04-23T21:59:59.000Z'],
  // The last hour occurs twice.
  ['America/Sao_Paulo', '2018-02-17T12:00:00Z', '2018-02-17T02:00:00.000Z', '2018-02-18T02:59:59.000Z'],
  // The first hour occurs twice.
  ['Atlantic/Azores', '2026-10-25T12:00:00Z', '2026-10-25T00:00:00.000Z', '2026-10-26T00:59:59.000Z'],
  // The day behind it is skipped as a whole.
  ['Pacific/Apia', '2011-12-29T22:00:00Z', '2011-12-29T10:00:00.000Z', '2011-12-30T09:59:59.000Z'],
])('the day of %s that %s lies in', (zone, instant, first, last) => {
  expect(startOfDay(new Date(instant), zone).toISOString()).toBe(first);
  expect(lastSecondOfDay(new Date(instant), zone).toISOString()).toBe(last);
});

it.each([
  ['UTC', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z'],
  ['America/New_York', '0001-01-01T04:56:02.000Z', '9999-12-31T23:59:59.000Z'],
  ['Asia/Tokyo', '0001-01-01T00:00:00.000Z', '9999-12-31T14:59:59.000Z'],
])('the first and the last day in %s stay in the calendar', (zone, first, last) => {
  expect(firstOfDay(new Date('0001-01-01T12:00:00Z'), zone).toISOString()).toBe(first);
  expect(lastSecondOfDay(new Date('9999-12-31T12:00:00Z'), zone).toISOString()).toBe(last);
  for (const date of [first, last]) expect(isInCalendar(new Date(date), zone)).toBe(true);
});

it.each([
  ['2026-11-01 01:30:00', 'America/New_York', '2026-11-01 01:30:00-04:00:00'],
  ['2026-03-08 02:30:00.5', 'America/New_York', '2026-03-08 02:30:00.5-05:00:00'],
  ['2026-01-31 00:00:00', 'Asia/Kolkata', '2026-01-31 00:00:00+05:30:00'],
  ['0001-01-01 00:00:00', 'Europe/Berlin', '0001-01-01 00:00:00+00:53:28'],
  ['9999-12-31 23:59:59-05:00', 'Europe/Berlin', '9999-12-31 23:59:59-05:00'],
  ['2026-01-31 00:00:00', 'UTC', '2026-01-31 00:00:00'],
])('%s in %s as the database reads it', (text, zone, written) => expect(withOffset(text, zone)).toBe(written));

it.each([
  ['0001-01-01T00:00:00Z', 'UTC', true],
  ['0000-12-31T23:59:59Z', 'UTC', false],
  ['9999-12-31T23:59:59.999Z', 'UTC', true],
  ['+010000-01-01T00:00:00Z', 'UTC', false],
  ['9999-12-31T22:59:59Z', 'Europe/Berlin', true],
  ['9999-12-31T23:00:00Z', 'Europe/Berlin', false],
  ['0001-01-01T00:00:00Z', 'Europe/Berlin', true],
  ['9999-12-31T23:59:59Z', 'America/New_York', true],
  ['0001-01-01T00:00:00Z', 'America/New_York', false],
  ['0001-01-01T04:56:02Z', 'America/New_York', true],
  ['0001-01-01T04:56:01Z', 'America/New_York', false],
  ['2026-01-31T00:00:00Z', 'Asia/Tokyo', true],
  ['', 'Asia/Tokyo', false],
])('%s in %s is in the calendar: %s', (text, zone, expected) =>
  expect(isInCalendar(new Date(text), zone)).toBe(expected));

const zones = Intl.supportedValuesOf('timeZone');

/** The instants at which the clocks of a zone change from 2010 to 2029. */
function changesIn(zone: string): number[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsetOf = (at: number): string | undefined =>
    format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  const changes: number[] = [];
  const week = 7 * 86_400_000;
  for (let from = Date.UTC(2010, 0); from < Date.UTC(2030, 0); from += week) {
    if (offsetOf(from) === offsetOf(from + week)) continue;
    let [before, after] = [from, from + week];
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000;
      if (offsetOf(middle) === offsetOf(from)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

const clockOf = (zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });

it('reads what clocks show around their changes as an instant at which they show it', { timeout: 240_000 }, () => {
  // Zones of which a service of another spec has read the clocks go by the database.
  for (const zone of zones.filter((one, index) => index % 12 === 0 && !hasClocks(one))) {
    const clock = clockOf(zone);
    for (const change of changesIn(zone)) {
      for (const minutes of [-181, -60, -30, -1, 0, 1, 29, 59, 60, 119, 181]) {
        const at = change + minutes * 60_000;
        const text = clock.format(at);
        const occurrences = occurrencesOf(text, zone).map((one) => one.getTime());
        expect(occurrences, `${text} in ${zone}`).toContain(at);
        expect(Math.min(...occurrences), `${text} in ${zone}`).toBe(occurrences[0]);
        for (const one of occurrences) expect(clock.format(one)).toBe(text);
      }
    }
  }
});
