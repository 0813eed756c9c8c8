/** The database reads local times as the service does, and what it shows of an instant is read as that instant. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readClocks } from '../../src/database/zone-clocks.js';
import { offsetAt } from '../../src/texts/clocks.js';
import { occurrencesOf, startOfDay, zonedInstant } from '../../src/texts/local-times.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await ScratchDatabase.create();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Clocks that change by half an hour, at midnight, around midnight, by a whole day, and not at all. */
const zones = [
  ...['UTC', 'America/New_York', 'Africa/Cairo', 'Asia/Beirut', 'America/Sao_Paulo', 'Atlantic/Azores'],
  ...['America/Havana', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kolkata', 'Europe/Dublin'],
  ...['Asia/Gaza', 'Africa/Casablanca', 'America/Nuuk', 'Antarctica/Troll', 'Asia/Tehran', 'America/Asuncion'],
];

/** Instants around all changes of the clocks of the session's zone in twenty years, as the database shows them. */
const instants = `with hours as (
    select t, extract(timezone from t) <> extract(timezone from t - interval '1 hour') as changes
    from generate_series('2006-01-01Z'::timestamptz, '2026-01-01Z', interval '1 hour') t)
  select extract(epoch from at) * 1000 as at, at::timestamp::text as shown,
    extract(epoch from local_instant(at::timestamp)) * 1000 as meant,
    extract(epoch from local_instant(at::timestamp - interval '1 hour')) * 1000 as hour_before,
    (at::timestamp - interval '1 hour')::text as shown_before,
    extract(epoch from local_instant(at::date::timestamp)) * 1000 as day
  from hours, lateral (select t + n * interval '20 minutes' as at from generate_series(-10, 10) n) as near
  where changes or t = '2010-05-05Z'`;

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

it.each(zones)('%s', async (zone) => {
  await client.query(`set timezone = '${zone}'`);
  const { rows } = await client.query(instants);
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const at = Number(row.at);
    expect(occurrencesOf(row.shown, zone).map(Number), `${row.shown} ${iso(at)}`).toContain(at);
    expect(iso(Number(row.meant)), row.shown).toBe(zonedInstant(row.shown, zone).toISOString());
    expect(iso(Number(row.hour_before)), row.shown_before).toBe(zonedInstant(row.shown_before, zone).toISOString());
    expect(iso(Number(row.day)), row.shown).toBe(startOfDay(new Date(at), zone).toISOString());
  }
});

/** Every five days and two hours, from before clocks went by zones to where rules alone are left; and much later. */
const looks = `select extract(epoch from t)::float8 * 1000 as at, extract(timezone from t)::int * 1000 as ahead
  from (select generate_series('1790-01-01Z'::timestamptz, '2120-01-01Z', interval '122 hours') as t
    union all select generate_series('5000-01-01Z'::timestamptz, '5030-01-01Z', interval '122 hours')
    union all values ('0001-01-03Z'::timestamptz), ('2499-12-31 23:59Z'), ('2500-01-01Z'), ('9999-12-30Z')) as looks`;

it.each([
  ...zones.slice(1),
  'America/Vancouver',
  'Europe/Paris',
  'Africa/Monrovia',
  'Asia/Manila',
  'Africa/Freetown',
])('the clocks of %s, once they are read', async (zone) => {
  await client.query(`set timezone = '${zone}'`);
  await readClocks(zone, async (text) => (await client.query(text)).rows);
  const { rows } = await client.query(looks);
  expect(rows.filter(({ at, ahead }) => offsetAt(at, zone) !== ahead)).toEqual([]);
  const changes = await client.query(instants);
  for (const { shown, at } of changes.rows) expect(occurrencesOf(shown, zone).map(Number), shown).toContain(Number(at));
});

it.each([
  'Etc/UTC',
  'utc',
  'UCT',
  'GMT',
  'gmt+0',
  'Etc/GMT-0',
  'GMT0',
  'Greenwich',
  'Etc/Universal',
  'Zulu',
])('the clocks of %s are those of UTC, which takes no statement', async (zone) => {
  await client.query(`set timezone = '${zone}'`);
  await readClocks(zone, () => Promise.reject(new Error('it was asked for')));
  const { rows } = await client.query(looks);
  expect(rows.filter(({ at, ahead }) => ahead !== 0 || offsetAt(at, zone) !== 0)).toEqual([]);
});

it.each([
  ['Africa/Cairo', "'2026-04-23 22:00Z', 1.0, interval '1 day'", '2026-04-24T21:00:00.000Z'],
  ['Africa/Cairo', "'2026-04-24 21:00Z', -1.0, interval '1 day'", '2026-04-23T22:00:00.000Z'],
  ['Africa/Cairo', "'2026-04-23 12:00Z', 1.0, interval '1 day'", '2026-04-24T11:00:00.000Z'],
  ['Africa/Cairo', "'2026-04-23 12:00Z', 24.0, interval '1 hour'", '2026-04-24T12:00:00.000Z'],
  ['Atlantic/Azores', "'2026-10-24 00:00Z', 1.0, interval '1 day'", '2026-10-25T00:00:00.000Z'],
  ['America/New_York', "'2026-10-01 05:30Z', 1.0, interval '1 month'", '2026-11-01T05:30:00.000Z'],
])('in %s a date shifted by %s', async (zone, shift, expected) => {
  await client.query(`set timezone = '${zone}'`);
  const { rows } = await client.query(`select bounded_shift(${shift}) as at`);
  expect(rows[0].at.toISOString()).toBe(expected);
});

it.each([
  ["'2026-11-01T01:30:00'", '2026-11-01T05:30:00.000Z'],
  ["'2026-11-01T01:30:00Z'", '2026-11-01T01:30:00.000Z'],
  ["'2026-11-01T01:30:00-05:00'", '2026-11-01T06:30:00.000Z'],
  ["'2026-03-08 02:30'", '2026-03-08T07:30:00.000Z'],
  ["'2026-03-08'", '2026-03-08T05:00:00.000Z'],
  ["'9999-12-31'", '9999-12-31T05:00:00.000Z'],
  ["'0001-01-01'", '0001-01-01T04:56:02.000Z'],
])('the text %s as a moment in New York', async (text, expected) => {
  await client.query(`set timezone = 'America/New_York'`);
  const { rows } = await client.query(`select moment_of(${text}) as at`);
  expect(rows[0].at.toISOString()).toBe(expected);
});
