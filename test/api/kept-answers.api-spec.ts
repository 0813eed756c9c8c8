/** The answer that is kept for an `Idempotency-Key` is given again, whatever the service would answer by now. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, chosenPassword, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

const as = 'repeater';

let app: TestApp;
let project: number;
let user: number;
let story: number;
let keys = 0;

beforeAll(async () => {
  // Answers to writes tell where to read only where there are replicas.
  app = await TestApp.start(async (databaseUrl) => ({ READ_DATABASE_URL: databaseUrl }));
  [project] = await scrumProjects(app);
  const person = { FirstName: 'R', LastName: 'R', Login: as, Email: 'r@example.com', Password: chosenPassword };
  user = (await app.write('Users', person)).Id;
  await app.write('ProjectMembers', { Project: { Id: project }, User: { Id: user } });
  story = (await app.write('UserStories', { Name: 'has the others', Project: { Id: project } })).Id;
});
afterAll(() => app.stop());

/** The answers to a request before and behind a change. */
async function aroundChange(path: string, body: unknown, change: () => Promise<unknown>): Promise<[Answer, Answer]> {
  keys += 1;
  const send = () => app.post(`/api/v1/${path}`, body, { as, headers: { 'idempotency-key': `kept-${keys}` } });
  const before = await send();
  await change();
  return [before, await send()];
}

const remove = async (path: string): Promise<void> => {
  expect((await app.ask(`/api/v1/${path}`, { method: 'DELETE' })).status).toBe(200);
};

describe('once a custom field is gone', () => {
  it.each([
    ['UserStories', { Kept: 'a' }, 201],
    ['UserStories/bulk', [{ Kept: 'a' }], 200],
    ['UserStories/bulk', [{ Kept: 'a' }, { CustomFields: [{ Name: 'Kept', Value: 'b' }] }], 200],
    ['Features/FEATURE/UserStories', { Kept: 'a' }, 201],
  ])('POST %s %j is answered as before', async (path, values, status) => {
    const Project = { Id: project };
    const { Id: feature } = await app.write('Features', { Name: 'has stories', Project });
    const { Process } = await app.json(`/api/v1/Projects/${project}`);
    const field = { Name: 'Kept', FieldType: 'Text', EntityType: { Id: 4 }, Process: { Id: Process.Id } };
    const { Id: defined } = await app.write('CustomFields', field);
    const body = [values].flat().map((one) => ({ Name: 'kept', Project, ...one }));
    const [before, behind] = await aroundChange(
      path.replace('FEATURE', String(feature)),
      Array.isArray(values) ? body : body[0],
      () => remove(`CustomFields/${defined}`),
    );
    expect([before.status, behind.status, behind.text]).toEqual([status, status, before.text]);
  });
});

it('tells where to read, as the answer of the write did', async () => {
  const body = { Name: 'kept', Project: { Id: project } };
  const answers = await aroundChange('UserStories?format=json', body, async () => undefined);
  expect(answers.map(({ headers }) => headers.get('x-read-after'))).toEqual(
    Array(2).fill(expect.stringMatching(/^[\dA-F]+-[\dA-F/]+$/)),
  );
});

it.each([
  ['Attachments', false, 201],
  ['Attachments/bulk', true, 200],
])('POST %s is answered as before once its caller may only read', async (path, isList, status) => {
  const body = { Name: 'kept.txt', General: { Id: story }, Content: Buffer.from('kept').toString('base64') };
  const files = async () => (await app.rows('select count(*)::int as count from attachment'))[0].count;
  let count = 0;
  const observe = async () => {
    count = await files();
    await app.write(`Users/${user}`, { IsObserver: true });
  };
  const [before, behind] = await aroundChange(path, isList ? [body] : body, observe);
  const refused = await app.post(`/api/v1/${path}`, isList ? [body] : body, { as });
  await app.write(`Users/${user}`, { IsObserver: false });
  expect([before.status, behind.status, behind.text, refused.status]).toEqual([status, status, before.text, 403]);
  expect(await files()).toBe(count);
});

it('is not given any more behind 24 hours', async () => {
  const old = () => app.rows("update idempotency_key set create_date = create_date - interval '25 hours'");
  const body = { Name: 'repeated late', Project: { Id: project } };
  const [before, behind] = await aroundChange('UserStories?format=json', body, old);
  expect([before.status, behind.status, behind.json.Id > before.json.Id]).toEqual([201, 201, true]);
});
