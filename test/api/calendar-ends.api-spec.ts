/** Dates at both ends of the calendar, as in "no end": what is taken can be read, and sent back as it was read. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { type Ids, makeEverything, model } from '../support/builder.js';

vi.setConfig({ testTimeout: 120_000 });

const momentsOf = ({ fields }: ResourceType): string[] =>
  fields.flatMap((field) =>
    field.kind === 'scalar' && field.isSettable && field.scalar === 'moment' ? field.name : [],
  );

const kinds = model.resources.filter(
  (kind) => kind.settings.operations.update && !kind.isAbstract && momentsOf(kind).length > 0,
);

const texts = [
  ...['0001-01-01', '0001-01-01T12:00:00', '0001-01-01T00:00:00Z'],
  ...['9999-12-31', '9999-12-31T12:00:00', '9999-12-31T23:59:59.999Z'],
];

describe.each(['America/New_York', 'Asia/Tokyo'])('in %s', (zone) => {
  let app: TestApp;
  let ids: Ids;
  beforeAll(async () => {
    app = await TestApp.start({ TIME_ZONE: zone });
    const [workflow] = await app.rows(
      'select id from workflow where process_id = 3 and entity_type_id = 4 and parent_workflow_id is null',
    );
    ({ ids } = await makeEverything(app, 'ends', { Workflow: workflow.id }));
  });
  afterAll(() => app.stop());

  const final = async (name: string): Promise<object> => {
    if (!model.resource(name).field('EntityState')) return {};
    const { EntityState } = await app.json(`/api/v1/${model.resource(name).collection}/${ids[name]}`);
    const [state] = await app.rows(
      `select f.id from entity_state s join entity_state f on f.workflow_id = s.workflow_id
       where s.id = $1 and f.is_final limit 1`,
      [EntityState.Id],
    );
    return { EntityState: { Id: state.id } };
  };

  it.each(kinds.map((kind) => [kind.name, kind] as const))('%s', async (name, kind) => {
    const path = `/api/v1/${kind.collection}/${ids[name] ?? 1}`;
    const stored = async () =>
      (
        await app.rows(`select to_jsonb(t) - 'modify_date' as row from "${kind.table}" t where id = $1`, [
          ids[name] ?? 1,
        ])
      )[0];
    // Work that is done has an end.
    const state = await final(name);
    let taken = 0;
    for (const field of momentsOf(kind)) {
      for (const text of texts) {
        const made = await app.post(`${path}?format=json`, { ...state, [field]: text });
        if (made.status !== 200) {
          expect([made.status, made.json.Message]).toEqual([400, expect.stringMatching(/^\w+: /)]);
          continue;
        }
        taken += 1;
        const before = await stored();
        for (const ask of ['?format=json', '?format=xml']) {
          const read = await app.ask(`${path}${ask}`);
          const back = await app.post(`${path}${ask}`, read.text);
          expect([field, text, ask, back.status, back.status === 200 ? '' : back.text]).toEqual([
            field,
            text,
            ask,
            200,
            '',
          ]);
          expect(await stored()).toEqual(before);
        }
      }
    }
    expect(taken).toBeGreaterThan(0);
  });
});

it.each([
  ['America/New_York', '9999-12-31T18:59:59'],
  ['UTC', '9999-12-31T23:59:59'],
  ['Asia/Tokyo', '9999-12-31T23:59:59'],
])('the last day in %s ends with the calendar, by UTC and by its clocks', async (zone, last) => {
  const app = await TestApp.start({ TIME_ZONE: zone });
  const [project] = await app.rows(`select min(id) id from general where entity_type_id = 1 and delete_date is null`);
  const Project = { Id: project.id };
  const ends = { StartDate: '9999-12-31', EndDate: '9999-12-31' };
  const iteration = await app.post('/api/v1/Iterations?format=json&isodate=1', { Name: 'last', Project, ...ends });
  expect([iteration.json.EndDate, iteration.json.Duration]).toEqual([last, 1]);
  const story = await app.post('/api/v1/UserStories?format=json&isodate=1', {
    Name: 'last',
    Project,
    PlannedStartDate: '9999-12-31',
    PlannedEndDate: '9999-12-31',
  });
  expect(story.json.PlannedEndDate).toBe(last);
  await app.stop();
});

/** Clocks by which services before this one wrote their records. */
const writers = ['UTC', 'Asia/Tokyo', 'America/New_York', 'Pacific/Kiritimati', 'Etc/GMT+12'];

describe.each([
  ['America/New_York', '9999-12-31T18:59:59', '-05:00', '/Date(253402300799000-0500)/'],
  ['UTC', '9999-12-31T23:59:59', '+00:00', '/Date(253402300799000+0000)/'],
  ['Asia/Tokyo', '9999-12-31T23:59:59', '+09:00', '/Date(253402268399000+0900)/'],
])('the record of a history that still holds, in %s', (zone, last, offset, milliseconds) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ TIME_ZONE: zone });
    await app.rows(
      `update full_history
       set date_to = timestamp '9999-12-31 23:59:59' at time zone ($1::text[])[1 + id % cardinality($1::text[])]
       where date_to > '9999-12-30 00:00:00+00'`,
      [writers],
    );
    const [project] = await app.rows('select min(id) id from general where entity_type_id = 1 and delete_date is null');
    const made = await app.post('/api/v1/Bugs?format=json', { Name: 'new', Project: { Id: project.id } });
    expect(made.status).toBe(201);
  });
  afterAll(() => app.stop());

  const open = `/api/v1/BugHistories?take=1000&where=${encodeURIComponent("DateTo gt '9999-01-01'")}`;
  const ends = async (style: string): Promise<string[]> => [
    ...new Set((await app.items(`${open}&include=[DateTo]${style}`)).map(({ DateTo }) => DateTo)),
  ];

  it('ends with the calendar, by UTC and by the clocks of the service, whoever wrote it', async () => {
    expect(await ends('')).toEqual([milliseconds]);
    expect(await ends('&isodate=1')).toEqual([last]);
    expect(await ends('&dateformat=iso')).toEqual([last + offset]);
    expect(new Set((await app.xml(`${open}&include=[DateTo]`)).match(/<DateTo>[^<]*/g))).toEqual(
      new Set([`<DateTo>${last}`]),
    );
  });

  it('is found by the end that is shown, in every version', async () => {
    const all = (await app.items(`${open}&include=[Id]`)).length;
    expect(all).toBeGreaterThan(writers.length);
    const where = (filter: string) => `take=1000&where=${encodeURIComponent(filter)}`;
    const first = await app.items(`/api/v1/BugHistories?include=[Id]&${where(`DateTo eq '${last}'`)}`);
    const second = await app.json(`/api/v2/BugHistory?select={id,dateTo}&${where(`dateTo=DateTime.Parse("${last}")`)}`);
    const ofAll = await app.items(
      `/api/v1/FullHistories?include=[Id]&${where(`DateTo eq '${last}' and General.EntityType.Name eq 'Bug'`)}`,
    );
    expect([first.length, second.items.length, ofAll.length]).toEqual([all, all, all]);
    expect(new Set(second.items.map(({ dateTo }: { dateTo: string }) => dateTo)).size).toBe(1);
  });

  it('is the only one where an earlier record ended', async () => {
    const ended = await app.items(
      `/api/v1/BugHistories?take=1000&include=[DateTo]&isodate=1&where=${encodeURIComponent("DateTo lt '9999-01-01'")}`,
    );
    expect(ended.length).toBeGreaterThan(0);
    for (const { DateTo } of ended) expect(DateTo).toMatch(/^20/);
  });
});

it.each([
  ['America/New_York', '9999-12-31T23:30:00-05:00', '0001-01-01T00:00:00Z'],
  ['Asia/Tokyo', '9999-12-31T23:30:00Z', '0001-01-01T00:00:00+09:00'],
])('what is stored and lies beyond the calendar by UTC or by the clocks of %s is null', async (zone, late, early) => {
  const app = await TestApp.start({ TIME_ZONE: zone });
  const [story] =
    await app.rows(`select g.id, p.process_id as process from general g join general p on p.id = g.project_id
    where g.entity_type_id = 4 and g.delete_date is null and p.delete_date is null order by g.id limit 1`);
  const field = { Name: 'Beyond', FieldType: 'Date', EntityType: { Id: 4 }, Process: { Id: story.process } };
  expect((await app.post('/api/v1/CustomFields', field)).status).toBe(201);
  await app.rows(
    `update general set planned_start_date = $1, planned_end_date = $2,
     custom_values = jsonb_build_object('Beyond', $3::text) where id = $4`,
    [early, late, late, story.id],
  );
  const path = `/api/v1/UserStories/${story.id}?include=[PlannedStartDate,PlannedEndDate,CustomFields]`;
  for (const style of ['', '&isodate=1', '&dateformat=iso'])
    expect(await app.json(path + style)).toMatchObject({
      PlannedStartDate: null,
      PlannedEndDate: null,
      CustomFields: expect.arrayContaining([{ Name: 'Beyond', Type: 'Date', Value: null }]),
    });
  const text = await app.xml(path);
  expect(text).toMatch(/<PlannedStartDate nil="true" \/><PlannedEndDate nil="true" \/>/);
  expect(text).toMatch(/<Name>Beyond<\/Name><Value nil="true" \/>/);
  const { plannedEndDate } = await app.json(`/api/v2/UserStory/${story.id}?select={plannedEndDate}`);
  expect(plannedEndDate).toBeUndefined();
  await app.stop();
});
