/** Answers of operations that are of no resource: the document describes each member that is in them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { DescribedApi } from '../support/openapi.js';
import { upload } from '../support/uploads.js';

let app: TestApp;
let api: DescribedApi;
beforeAll(async () => {
  app = await TestApp.start();
  api = await DescribedApi.of(app);
});
afterAll(() => app.stop());

const operation = (id: string) => api.operations.find((one) => one.operation.operationId === id)!;
const get = (path: string) => () => app.ask(path, { headers: { accept: 'application/json' } });
const post = (path: string, body: unknown) => () => app.post(path, body, { headers: { accept: 'application/json' } });

const restored = async (table: string, condition: string): Promise<number> =>
  (await app.rows(`select id from ${table} where delete_date is not null and ${condition} order by id limit 1`))[0].id;

const answers: Record<string, () => Promise<Answer>> = {
  getLoggedUser: get('/api/v1/Users/LoggedUser'),
  getServiceToken: get('/api/v1/Authentication'),
  renewServiceToken: post('/api/v1/Authentication?login=bruno', ''),
  validateLogin: post('/api/login/validate', { Username: 'alice', Password: 'demo' }),
  search: get('/api/v1/Search?q=shared'),
  getContext: get('/api/v1/Context'),
  listMetadata: get('/api/v1/Index/meta'),
  describeEverything: get('/api/v1/meta'),
  describeUserStories: get('/api/v1/UserStories/meta'),
  getOpenApi: get('/api/openapi.json'),
  listDeletedProjects: get('/api/deleteditems/v1/projects'),
  listDeletedUsers: get('/api/deleteditems/v1/users'),
  listFormerlyDeletedProjects: get('/api/deletedprojects/v1'),
  restoreProject: async () =>
    post(`/api/deleteditems/v1/projects/${await restored('general', 'entity_type_id = 1')}/restore`, '')(),
  restoreUser: async () =>
    post(`/api/deleteditems/v1/users/${await restored('general_user', `kind = 'User'`)}/restore`, '')(),
  undelete: async () => post('/api/v1/undelete', { EntityType: 'UserStory', Id: await deletedStory() })(),
  undeleteMany: async () => post('/api/v1/undelete/bulk', [{ EntityType: 'UserStory', Id: await deletedStory() }])(),
  isLive: get('/health/live'),
  isReady: get('/health/ready'),
  uploadFiles: async () => upload(app, await aStory(), [{ name: 'a.txt', bytes: 'a' }]),
  callTool: post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
};

async function aStory(): Promise<number> {
  const [project] = await app.items('/api/v1/Projects?take=1');
  return (await app.write('UserStories', { Name: 'A story', Project: { Id: project.Id } })).Id;
}

async function deletedStory(): Promise<number> {
  const Id = await aStory();
  await app.ask(`/api/v1/UserStories/${Id}`, { method: 'DELETE' });
  return Id;
}

describe('the document', () => {
  it.each(Object.keys(answers))('describes all of what %s answers', async (id) => {
    const answer = await answers[id]!();
    expect([answer.status, answer.text.length > 2]).toEqual([200, true]);
    expect(api.complaintAbout(operation(id), answer)).toBeUndefined();
  });

  it('is held against every member of an answer', async () => {
    const answer = await answers.getContext!();
    const { SelectedProjects } = answer.json;
    expect(SelectedProjects.Items.length).toBeGreaterThan(0);
    SelectedProjects.Items[0].Colour = 'red';
    const changed = { ...answer, text: JSON.stringify({ ...answer.json, SelectedProjects }) };
    expect(api.complaintAbout(operation('getContext'), changed)).toMatch(/Colour/);
  });
});
