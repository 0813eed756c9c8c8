/** Refusals of writes and lists of ids say what would have worked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alternativesOnCreate, neededOnCreate } from '../../src/model/sent-fields.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let Project: { Id: number };
beforeAll(async () => {
  app = await TestApp.start();
  Project = { Id: (await scrumProjects(app))[0] };
});
afterAll(() => app.stop());

const story = (more: object) => JSON.stringify({ Name: 'x', Project, ...more });

it.each<[body: () => string, message: string]>([
  [
    () => story({ EntityState: { Name: 'Nowhere' } }),
    "the state 'Nowhere' is not one of the workflow of this item: Open, ",
  ],
  [() => story({ Priority: { Name: 'None' } }), "the priority 'None' is not one of this kind of item: "],
  [() => story({ Effort: true }), 'Effort: a number is needed.'],
  [() => story({ Effort: [] }), 'Effort: a number is needed.'],
  [() => story({ Effort: '123456789012345' }), 'Effort: a number with at most 14 digits before the point is needed.'],
  [() => '{"Items":[{"Name":"a"}],"Items":[]}', 'Items: the member is given twice.'],
  [() => '<UserStory><Tasks><Bug/></Tasks></UserStory>', '; in XML elements that are named after their kind'],
  [() => '<UserStory><Project>8</Project></UserStory>', 'in XML an element such as <Project Id="5" />.'],
  [() => '<UserStory Project="8"/>', 'in XML an element such as <Project Id="5" />.'],
  [() => '<UserStory><Name>a</Name></Userstory>', "'Userstory' ends where 'UserStory' has to"],
])('%s: %s', async (body, message) => {
  const answer = await app.post('/api/v1/UserStories?format=json', body());
  expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining(message)]);
});

it.each([
  '\u200b',
  '\u0085',
  '\u007f',
  '\ufeff',
  ' \u200b\u2060 ',
  '\u00ad',
])('a name of %j shows nothing', async (Name) => {
  const answer = await app.post('/api/v1/UserStories?format=json', story({ Name }));
  expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('Name:')]);
});

it('a name may hold what is not drawn beside what is', async () => {
  const answer = await app.post('/api/v1/UserStories?format=json', story({ Name: '👩\u200d💻' }));
  expect([answer.status, answer.json.Name]).toEqual([201, '👩\u200d💻']);
});

it('an exponent that means nothing is nothing', async () => {
  const answer = await app.post(
    '/api/v1/UserStories?format=json&include=[InitialEstimate]',
    `{"Name":"x","Project":{"Id":${Project.Id}},"InitialEstimate":1e-400}`,
  );
  expect([answer.status, answer.json.InitialEstimate]).toEqual([201, 0]);
});

it('more ids than a list may hold are told by their number', async () => {
  const ids = Array.from({ length: 1001 }, (_, at) => at + 1).join();
  const many = '1001 ids are given; at most 1000 are allowed.';
  for (const path of [`/api/v1/Context?ids=${ids}`, `/api/v1/Search?q=login&project=${ids}`]) {
    const answer = await app.ask(`${path}&format=json`);
    expect([answer.status, answer.json.Code, answer.json.Message]).toEqual([
      400,
      'TooMuch',
      expect.stringContaining(many),
    ]);
  }
  const removed = await app.ask(`/api/v1/Releases/1/Projects?childrenIds=${ids}&format=json`, { method: 'DELETE' });
  expect([removed.status, removed.json.Message]).toEqual([400, `childrenIds: ${many}`]);
});

describe('a creation without its members', () => {
  const created = model.resources.filter(({ derived, settings }) => derived.length === 0 && settings.operations.create);

  it.each(created)('$name: only what a client has to send is missing', async (resource) => {
    const { status, text, json } = await app.post(`/api/v1/${resource.collection}?format=json`, {});
    if (status === 201) return;
    expect([status, text]).toEqual([400, expect.any(String)]);
    const named = [...json.Message.matchAll(/^(\w+): a value is required\.$/gm)].map(([, member]) => member);
    const needed = [...neededOnCreate(resource), ...alternativesOnCreate(resource).flat()];
    expect(named.filter((member) => !needed.includes(member))).toEqual([]);
  });

  it.each([
    ['TestPlanRuns', () => ({ Project }), 'TestPlan: a value is required.'],
    ['TestPlanRuns', () => ({ Project, Name: ' ' }), 'Name: a value is required.\nTestPlan: a value is required.'],
    ['ReleaseProjects', () => ({}), 'Release: a value is required.'],
  ])('%s', async (collection, body, message) => {
    const answer = await app.post(`/api/v1/${collection}?format=json`, body());
    expect([answer.status, answer.json.Message]).toEqual([400, message]);
  });
});
