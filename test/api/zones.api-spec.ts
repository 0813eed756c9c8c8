/** Dates in the zone of the service, summer and winter: how they are told, filtered by and written. */
import { readFileSync } from 'node:fs';
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
  // Clocks went by the sun, 53 minutes and 28 seconds ahead.
  ['1890-01-31T23:06:32Z', '/Date(-2521846408000+0053)/', '1890-02-01T00:00:00', '1890-02-01T00:00:32+00:54'],
  ['0001-01-01T00:00:00Z', '/Date(-62135596800000+0053)/', '0001-01-01T00:53:28', '0001-01-01T00:54:00+00:54'],
])('tells %s', async (instant, milliseconds, local, iso) => {
  await app.rows('update general set planned_start_date = $1 where id = $2', [instant, story]);
  const path = `/api/v1/UserStories/${story}?include=[PlannedStartDate]`;
  expect(await app.json(path)).toMatchObject({ PlannedStartDate: milliseconds });
  expect(await app.json(`${path}&dateformat=iso`)).toMatchObject({ PlannedStartDate: iso });
  expect(await app.json(`${path}&dateformat=ms`)).toMatchObject({ PlannedStartDate: milliseconds });
  expect(await app.json(`${path}&isodate=1`)).toMatchObject({ PlannedStartDate: local });
  expect(itemOf(await parseXml(await app.xml(path)))).toMatchObject({ PlannedStartDate: local });
});

describe('F20: a date without a zone', () => {
  it.each([
    ['2026-07-16', '2026-07-15T22:00:00.000Z'],
    ['2026-01-16', '2026-01-15T23:00:00.000Z'],
    ['2026-01-16T12:00:00', '2026-01-16T11:00:00.000Z'],
    ['2026-01-16T12:00:00Z', '2026-01-16T12:00:00.000Z'],
    ['2026-01-16T12:00:00-05:00', '2026-01-16T17:00:00.000Z'],
    ['/Date(1768516200000-0500)/', '2026-01-15T22:30:00.000Z'],
  ])('%s is written as the service means it', async (text, instant) => {
    const answer = await app.post(`/api/v1/UserStories/${story}?format=json`, { PlannedStartDate: text });
    expect(answer.status).toBe(200);
    const [row] = await app.rows('select planned_start_date from general where id = $1', [story]);
    expect(row.planned_start_date.toISOString()).toBe(instant);
  });

  it('is midnight of the service in a filter', async () => {
    await app.rows('update general set planned_start_date = $1 where id = $2', ['2026-07-15T22:00:00Z', story]);
    const idsWhere = async (where: string) =>
      (
        await app.items(
          `/api/v1/UserStories?include=[Id]&where=${encodeURIComponent(`(Id eq ${story}) and (${where})`)}`,
        )
      ).length;
    expect(await idsWhere("PlannedStartDate eq '2026-07-16'")).toBe(1);
    expect(await idsWhere("PlannedStartDate lt '2026-07-16'")).toBe(0);
    expect(await idsWhere("PlannedStartDate gte '2026-07-15T22:00:00Z'")).toBe(1);
    expect(await idsWhere("PlannedStartDate gt '16-Jul-2026'")).toBe(0);
  });
});

it('weeks begin on Mondays as the document groups them, in summer, too', async () => {
  const document = readFileSync(new URL('../../docs/query-v2.md', import.meta.url), 'utf8');
  const [, week] = /, week:(.*)\}\n/.exec(document)!;
  const groupBy = `week:${week!.replace("DateTime.Parse('2026-07-05')", 'date')},date.DayOfWeek`;
  await app.rows('update time set date = $1 where id = (select min(id) from time)', ['2026-07-05T22:00:00Z']);
  await app.rows('update time set date = $1 where id = (select max(id) from time)', ['2026-07-12T21:59:59Z']);
  const query = { where: "date>='2026-07-06' and date<'2026-07-13'", groupBy, take: '1000' };
  const { items } = (await app.ask(`/api/v2/Time?${new URLSearchParams(query)}`)).json;
  expect(new Set(items.map((item: { week: string }) => item.week))).toEqual(new Set(['2026-07-06']));
  expect(items.map((item: { dayOfWeek: string }) => item.dayOfWeek)).toEqual(
    expect.arrayContaining(['Monday', 'Sunday']),
  );
});

/**
 * One zone whose clocks change at night, one of which the data of Node.js and of PostgreSQL may tell other clocks, some
 * whose clocks skip or repeat midnight, and some whose clocks had an offset with seconds.
 */
describe.each([
  ['America/New_York', ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z']],
  ['America/Vancouver', ['2026-11-01T09:00:00Z', '2027-01-15T08:00:00Z']],
  ['Africa/Cairo', ['2026-04-23T22:00:00Z', '2026-10-29T21:00:00Z']],
  ['America/Sao_Paulo', ['2018-11-04T03:00:00Z', '2018-02-18T02:00:00Z']],
  ['Atlantic/Azores', ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z']],
  ['Africa/Monrovia', ['1972-01-07T00:44:30Z', '1890-01-01T00:00:00.057Z']],
  ['Europe/Berlin', ['1893-03-31T23:06:32Z', '0001-02-01T00:00:00Z']],
])('in %s around changes of the clocks', (zone, changes) => {
  let there: TestApp;
  let id: number;
  beforeAll(async () => {
    there = await TestApp.start({ TIME_ZONE: zone });
    const [row] =
      await there.rows(`select g.id, p.process_id as process from general g join general p on p.id = g.project_id
      where g.entity_type_id = 4 and g.delete_date is null and p.delete_date is null order by g.id limit 1`);
    id = row.id;
    const field = { Name: 'Moved', FieldType: 'Date', EntityType: { Id: 4 }, Process: { Id: row.process } };
    expect((await there.post('/api/v1/CustomFields', field)).status).toBe(201);
  });
  afterAll(() => there.stop());

  const instants = changes.flatMap((change) =>
    [-60, -30, -1, 0, 30, 59].map((minutes) => new Date(Date.parse(change) + minutes * 60_000).toISOString()),
  );
  const path = (): string => `/api/v1/UserStories/${id}`;
  const stored = async () =>
    (
      await there.rows(
        'select planned_start_date, end_date, custom_values, modify_date, entity_version from general where id = $1',
        [id],
      )
    )[0];

  it.each(instants)('what is answered of %s changes nothing when it is sent back', async (instant) => {
    await there.rows(
      `update general set planned_start_date = $1::timestamptz, planned_end_date = $1::timestamptz + interval '100 days',
       custom_values = jsonb_build_object('Moved', $2::text) where id = $3`,
      [instant, instant, id],
    );
    const before = await stored();
    for (const ask of ['', '?format=json', '?format=json&isodate=1', '?format=json&dateformat=iso']) {
      const { text } = await there.ask(path() + ask);
      const answer = await there.post(path() + ask, text);
      expect(answer.status, answer.text).toBe(200);
      expect(await stored(), ask).toEqual(before);
    }
  });

  it.each(instants)('the local text of %s is read alike wherever it is sent', async (instant) => {
    await there.rows('update general set planned_start_date = $1::timestamptz where id = $2', [instant, id]);
    const { PlannedStartDate: text } = await there.json(`${path()}?include=[PlannedStartDate]&isodate=1`);
    const count = async (place: string): Promise<number> => (await there.json(place)).Items?.length;
    for (const body of [
      { PlannedStartDate: text },
      `<UserStory><PlannedStartDate>${text}</PlannedStartDate></UserStory>`,
    ]) {
      await there.rows('update general set planned_start_date = null, planned_end_date = null where id = $1', [id]);
      expect((await there.post(path(), body)).status).toBe(200);
      const where = encodeURIComponent(`(Id eq ${id}) and (PlannedStartDate eq '${text}')`);
      expect(await count(`/api/v1/UserStories?include=[Id]&where=${where}`)).toBe(1);
      for (const expression of [`DateTime.Parse("${text}")`, `"${text}"`, `Convert.ToDateTime("${text}")`]) {
        const v2 = encodeURIComponent(`id==${id} and plannedStartDate==${expression}`);
        expect((await there.json(`/api/v2/UserStory?select={id}&where=(${v2})`)).items).toHaveLength(1);
      }
    }
  });

  it('a day as the planned end means its last second, and the day that it is of', async () => {
    for (const instant of instants) {
      const day = await there.rows(`select (($1::timestamptz at time zone '${zone}')::date)::text as day`, [instant]);
      const text = day[0].day;
      const answer = await there.post(`${path()}?format=json&isodate=1&include=[PlannedEndDate]`, {
        PlannedEndDate: text,
        PlannedStartDate: null,
      });
      expect(answer.json.PlannedEndDate).toBe(`${text}T23:59:59`);
    }
  });
});
