/** Dates where the clocks of the process are others, or those of the service become others. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { emptyDatabase } from '../support/empty-database.js';

vi.setConfig({ testTimeout: 120_000 });

const v2 = (app: TestApp, parameters: Record<string, string>, entity = 'UserStory') =>
  app.json(`/api/v2/${entity}?${new URLSearchParams(parameters)}`);

describe('a service that goes by UTC, in a process that does not', () => {
  let app: TestApp;
  const before = process.env.TZ;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  afterAll(() => app.stop());

  it.each([
    ['America/New_York', '0001-01-01T00:00:00'],
    ['America/New_York', '1753-01-01T00:00:00'],
    ['Europe/Paris', '1900-01-01T00:00:00'],
    ['Africa/Monrovia', '1971-01-01T10:00:00'],
    ['Asia/Kolkata', '1880-01-01T00:00:00'],
  ])('with TZ=%s stores and finds %s', async (zone, text) => {
    process.env.TZ = zone;
    expect(new Date(`${text}Z`).getTimezoneOffset()).not.toBe(0);
    const milestone = { Name: zone, CssClass: 'milestone-blue', Date: text };
    const made = await app.post('/api/v1/Milestones?format=json&isodate=1', milestone);
    expect([made.status, made.json.Date]).toEqual([201, text]);
    const where = encodeURIComponent(`(Id eq ${made.json.Id}) and (Date eq '${text}')`);
    expect(await app.items(`/api/v1/Milestones?include=[Id]&where=${where}`)).toHaveLength(1);
  });
});

describe('behind a change of TIME_ZONE', () => {
  let app: TestApp;
  let east: TestApp;
  let west: TestApp;
  let project: { id: number; process: number };
  beforeAll(async () => {
    app = await TestApp.start();
    const [id] = await scrumProjects(app);
    project = { id, process: 3 };
    east = await app.replica({ TIME_ZONE: 'Pacific/Kiritimati' });
    west = await app.replica({ TIME_ZONE: 'America/New_York' });
  });
  afterAll(async () => {
    await Promise.all([east.stop(), west.stop()]);
    await app.stop();
  });

  it('dates that cannot be shown stay where what was read is sent back', async () => {
    const field = { Name: 'Ends', FieldType: 'Date', EntityType: { Id: 4 }, Process: { Id: project.process } };
    expect((await app.post('/api/v1/CustomFields', field)).status).toBe(201);
    const made = await app.post('/api/v1/UserStories?format=json', {
      Name: 'without an end',
      Project: { Id: project.id },
      PlannedStartDate: '0001-01-01T00:30:00Z',
      PlannedEndDate: '9999-12-31',
      CustomFields: [{ Name: 'Ends', Value: '9999-12-31T22:00:00Z' }],
    });
    expect(made.status).toBe(201);
    const path = `/api/v1/UserStories/${made.json.Id}`;
    const stored = () => app.json(`${path}?isodate=1`);
    const before = await stored();
    for (const other of [east, west]) {
      for (const format of ['json', 'xml']) {
        const read = await other.ask(`${path}?format=${format}`);
        expect(read.text).toMatch(/"PlannedEndDate":null|<PlannedEndDate nil="true" \/>|9999-12-31|Date\(2534/);
        const back = await other.post(`${path}?format=${format}`, read.text);
        expect(back.status, back.text).toBe(200);
        expect(await stored()).toEqual(before);
      }
    }
    const [{ infinite }] = await app.rows(
      `update general set planned_end_date = 'infinity' where id = $1 returning planned_end_date::text as infinite`,
      [made.json.Id],
    );
    await app.post(`${path}?format=json`, (await app.ask(`${path}?format=json`)).text);
    const [row] = await app.rows('select planned_end_date::text as end from general where id = $1', [made.json.Id]);
    expect(row.end).toBe(infinite);
  });

  it('the last iteration of the calendar, whose end is required, may be sent back', async () => {
    const ends = { StartDate: '9999-12-01', EndDate: '9999-12-31' };
    const iteration = { Name: 'last', Project: { Id: project.id }, ...ends };
    const made = await app.post('/api/v1/Iterations?format=json', iteration);
    expect(made.status, made.text).toBe(201);
    const path = `/api/v1/Iterations/${made.json.Id}?format=json`;
    const before = await app.json(path);
    const read = await east.ask(path);
    expect(read.json.EndDate).toBeNull();
    const back = await east.post(path, read.text);
    expect(back.status, back.text).toBe(200);
    expect(await app.json(path)).toEqual(before);
    for (const [body, to] of [
      [{ EndDate: null }, path],
      [{ ...iteration, EndDate: null }, '/api/v1/Iterations?format=json'],
    ] as const) {
      const refused = await app.post(to, body);
      expect([refused.status, refused.json.Message]).toEqual([400, 'EndDate: a value is required.']);
    }
  });

  it('dates that are shown are taken away by null', async () => {
    const made = await app.post('/api/v1/UserStories?format=json', {
      Name: 'with an end',
      Project: { Id: project.id },
      PlannedEndDate: '9999-12-31',
      CustomFields: [{ Name: 'Ends', Value: '2026-01-31' }],
    });
    const path = `/api/v1/UserStories/${made.json.Id}?format=json`;
    await app.post(path, { PlannedEndDate: null, CustomFields: [{ Name: 'Ends', Value: null }] });
    const { PlannedEndDate, CustomFields } = await app.json(path);
    expect(PlannedEndDate).toBeNull();
    expect(CustomFields).toContainEqual({ Name: 'Ends', Type: 'Date', Value: null });
  });

  it('iterations that overlap are told by the hours that they show, and written anew together', async () => {
    const make = async (Name: string, StartDate: string, EndDate: string) => {
      const made = await app.post('/api/v1/Iterations?format=json', {
        ...{ Name, StartDate, EndDate },
        Project: { Id: project.id },
      });
      expect(made.status, made.text).toBe(201);
      return made.json.Id;
    };
    const first = await make('first', '2028-01-03', '2028-01-16');
    const second = await make('second', '2028-01-17', '2028-01-30');
    const path = `/api/v1/Iterations/${first}?format=json`;
    const read = await west.ask(`${path}&isodate=1`);
    expect(read.json).toMatchObject({ StartDate: '2028-01-02T19:00:00', EndDate: '2028-01-16T18:59:59' });
    expect((await west.post(path, read.text)).json.ModifyDate).toBe((await west.json(path)).ModifyDate);
    const refused = await west.post(path, { EndDate: '2028-01-16' });
    expect([refused.status, refused.json.Message]).toEqual([
      400,
      expect.stringContaining("overlaps 'second' (2028-01-16T19:00:00 – 2028-01-30T18:59:59)."),
    ]);
    const anew = await west.post('/api/v1/Iterations/bulk?format=json&isodate=1', [
      { Id: first, StartDate: '2028-01-03', EndDate: '2028-01-16' },
      { Id: second, StartDate: '2028-01-17', EndDate: '2028-01-30' },
    ]);
    expect(anew.status, anew.text).toBe(200);
    expect(anew.json.Items.map(({ StartDate, Duration }: Record<string, unknown>) => [StartDate, Duration])).toEqual([
      ['2028-01-03T00:00:00', 14],
      ['2028-01-17T00:00:00', 14],
    ]);
  });
});

describe('days and spans in New York', () => {
  let app: TestApp;
  let id: number;
  beforeAll(async () => {
    app = await TestApp.start({ TIME_ZONE: 'America/New_York' });
    const [Id] = await scrumProjects(app);
    const made = await app.post('/api/v1/UserStories?format=json', { Name: 'spans', Project: { Id } });
    id = made.json.Id;
  });
  afterAll(() => app.stop());

  it.each([
    ['2026-03-01', '2026-03-10', '8.23:00:00', 8, 9],
    ['2026-10-25', '2026-11-05', '11.01:00:00', 11, 11],
    ['2026-06-01', '2026-06-10', '9.00:00:00', 9, 9],
    ['0001-01-01', '9999-12-31', undefined, 3_652_058, 3_652_058],
  ])('from %s to %s a span is hours, and leads from one to the other', async (from, to, shown, days, counted) => {
    const path = `/api/v1/UserStories/${id}`;
    expect((await app.post(path, { PlannedStartDate: from, PlannedEndDate: `${to}T00:00:01` })).status).toBe(200);
    const [a, b] = [`DateTime.Parse('${from}')`, `DateTime.Parse('${to}')`];
    const select = `{s:${b}-${a},d:(${b}-${a}).Days,n:Math.Round((${b}.Date-${a}.Date).TotalDays),there:(${a}+(${b}-${a}))==${b},back:(${b}-(${b}-${a}))==${a}}`;
    const { items } = await v2(app, { where: `id==${id}`, select });
    expect(items).toEqual([{ s: shown ?? expect.any(String), d: days, n: counted, there: true, back: true }]);
    const where = `id==${id} and plannedEndDate-(plannedEndDate-plannedStartDate)==plannedStartDate and plannedStartDate+(plannedEndDate-plannedStartDate)==plannedEndDate`;
    expect((await v2(app, { where, select: '{id}' })).items).toHaveLength(1);
  });

  it.each([
    ['UserStories', 'UserStory'],
    ['Projects', 'Project'],
  ])('the day that a planned end is of changes nothing in %s', async (collection) => {
    const [Id] = await scrumProjects(app);
    const path = `/api/v1/${collection}/${collection === 'Projects' ? Id : id}?format=json&isodate=1`;
    const ends = { PlannedStartDate: null, PlannedEndDate: '2026-03-10' };
    expect((await app.post(path, ends)).json.PlannedEndDate).toBe('2026-03-10T23:59:59');
    const before = await app.ask(path);
    const again = await app.post(path, { PlannedEndDate: '2026-03-10' }, { as: 'grace:demo' });
    expect(again.status, again.text).toBe(200);
    const after = await app.ask(path);
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
  });
});

it('the days of demonstration data are those of the service', async () => {
  const DATABASE_URL = await emptyDatabase('demonstration_in_new_york');
  const TIME_ZONE = 'America/New_York';
  await prepareDatabase(loadConfig({ DATABASE_URL, TIME_ZONE, DEMO_DATA: 'true' }));
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  await client.query(`set timezone = '${TIME_ZONE}'`);
  const { rows } = await client.query(
    `select extract(isodow from start_date) as day, start_date::time::text as from, end_date::time::text as until
     from general where entity_type_id in (3, 24) group by 1, 2, 3`,
  );
  expect(rows).toEqual([{ day: '1', from: '00:00:00', until: '23:59:59' }]);
  const times = await client.query('select distinct date::time::text as at from "time"');
  expect(times.rows).toContainEqual({ at: '00:00:00' });
  expect(times.rows).not.toContainEqual({ at: '19:00:00' });
  await client.end();
});
