/** Dates in the zone of the service, summer and winter: how they are told, filtered by and written. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let story: number;
beforeAll(async () => {
  app = await TestApp.start({ TIME_ZONE: 'Europe/Berlin' });
  const [row] = await app.rows('select min(id) id from general where entity_type_id = 4 and delete_date is null');
  story = row.id;
});
afterAll(() => app.stop());

it.each([
  ['2026-01-15T22:30:00Z', '/Date(1768516200000+0100)/', '2026-01-15T23:30:00', '2026-01-15T23:30:00+01:00'],
  ['2026-07-15T22:30:00Z', '/Date(1784154600000+0200)/', '2026-07-16T00:30:00', '2026-07-16T00:30:00+02:00'],
  [
    '2026-07-15T22:30:00.057Z',
    '/Date(1784154600057+0200)/',
    '2026-07-16T00:30:00.057',
    '2026-07-16T00:30:00.057+02:00',
  ],
  ['1966-02-03T00:00:00Z', '/Date(-123379200000+0100)/', '1966-02-03T01:00:00', '1966-02-03T01:00:00+01:00'],
])('tells %s', async (instant, milliseconds, local, iso) => {
  await app.rows('update general set planned_start_date = $1 where id = $2', [instant, story]);
  const path = `/api/v1/UserStories/${story}?include=[PlannedStartDate]`;
  expect(await app.json(path)).toMatchObject({ PlannedStartDate: milliseconds });
  expect(await app.json(`${path}&dateformat=iso`)).toMatchObject({ PlannedStartDate: iso });
  expect(await app.json(`${path}&dateformat=ms`)).toMatchObject({ PlannedStartDate: milliseconds });
  expect(await app.json(`${path}&isodate=1`)).toMatchObject({ PlannedStartDate: local });
  expect(itemOf(await parseXml(await app.xml(path)))).toMatchObject({ PlannedStartDate: local });
});

describe('a date without a zone', () => {
  it.each([
    ['2026-07-16', '2026-07-15T22:00:00.000Z'],
    ['2026-01-16', '2026-01-15T23:00:00.000Z'],
    ['2026-01-16T12:00:00', '2026-01-16T11:00:00.000Z'],
    ['2026-01-16T12:00:00Z', '2026-01-16T12:00:00.000Z'],
    ['2026-01-16T12:00:00-05:00', '2026-01-16T17:00:00.000Z'],
    ['/Date(1768516200000-0500)/', '2026-01-15T22:30:00.000Z'],
  ])('%s is written as the service means it', async (said, instant) => {
    const answer = await app.post(`/api/v1/UserStories/${story}?format=json`, { PlannedStartDate: said });
    expect(answer.status).toBe(200);
    const [row] = await app.rows('select planned_start_date from general where id = $1', [story]);
    expect(row.planned_start_date.toISOString()).toBe(instant);
  });

  it('is midnight of the service in a filter', async () => {
    await app.rows('update general set planned_start_date = $1 where id = $2', ['2026-07-15T22:00:00Z', story]);
    const found = async (where: string) =>
      (
        await app.items(
          `/api/v1/UserStories?include=[Id]&where=${encodeURIComponent(`(Id eq ${story}) and (${where})`)}`,
        )
      ).length;
    expect(await found("PlannedStartDate eq '2026-07-16'")).toBe(1);
    expect(await found("PlannedStartDate lt '2026-07-16'")).toBe(0);
    expect(await found("PlannedStartDate gte '2026-07-15T22:00:00Z'")).toBe(1);
    expect(await found("PlannedStartDate gt '16-Jul-2026'")).toBe(0);
  });
});
