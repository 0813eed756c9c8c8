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
