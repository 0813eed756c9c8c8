/** XML as the document describes it: bodies that are written so are taken, and answers have no other names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Response, Schema } from '../../src/modules/openapi/openapi-types.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, makeEverything, model, storyWorkflow } from '../support/builder.js';
import { DescribedApi, type DescribedOperation } from '../support/openapi.js';
import { DescribedXml } from '../support/openapi-xml.js';
import { parseXml } from '../support/xml.js';

const mark = 'xml';
let app: TestApp;
let api: DescribedApi;
let xml: DescribedXml;
let ids: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  api = await DescribedApi.of(app);
  xml = new DescribedXml(api);
  ({ ids } = await makeEverything(app, mark, await storyWorkflow(app)));
}, 120_000);
afterAll(() => app.stop());

const operation = (id: string): DescribedOperation =>
  api.operations.find(({ operation: { operationId } }) => operationId === id)!;

async function send(id: string, value: unknown, at?: number) {
  const { path, method, body } = operation(id);
  const text = xml.written(value, body!.content['application/xml']!.schema);
  const filled = path.replace('{id}', String(at));
  const headers = { 'content-type': 'application/xml', accept: 'application/json' };
  const answer = await app.ask(filled, { method: method.toUpperCase(), body: text, headers });
  return { text, status: answer.status, message: answer.json.Message };
}

const done = { status: expect.toSatisfy((status: number) => status === 200 || status === 201), message: undefined };

describe('a body', () => {
  it.each([
    'UserStory',
    'Bug',
    'Comment',
    'Time',
    'Project',
    'Release',
    'TestCase',
    'Tag',
    'User',
  ])('creates, changes and deletes: %s', async (kind) => {
    const { collection } = model.resource(kind);
    const made = { ...(bodyOf(kind, { mark: `${mark}2`, ids }) as object), CustomFields: undefined };
    const body = JSON.parse(JSON.stringify(made));
    expect(await send(`create${kind}`, body)).toMatchObject(done);
    const [{ Id }] = await app.items(`/api/v1/${collection}?include=[Id]&orderByDesc=Id&take=1`);
    expect(await send(`update${kind}`, {}, Id)).toMatchObject(done);
    expect(await send(`saveMany${collection}`, [{ Id }])).toMatchObject(done);
    expect(await send(`deleteMany${collection}`, [{ Id }])).toMatchObject(done);
  });

  it('holds collections and custom fields, as lists and as items', async () => {
    const Project = { Id: ids.Project };
    const story = { Name: 'a', Project, Tasks: [{ Name: 'b' }], Comments: { Items: [{ Description: 'c' }] } };
    expect(await send('createUserStory', story)).toMatchObject(done);
    const [risky] = await app.items("/api/v1/UserStories?include=[Id]&where=CustomFields.Risk eq 'High'&take=1");
    expect(await send('updateUserStory', { CustomFields: [{ Name: 'Risk', Value: 'Low' }] }, risky.Id)).toMatchObject(
      done,
    );
    const milestones = { Milestones: [{ Id: ids.Milestone }] };
    expect(await send('updateProject', milestones, ids.Project)).toMatchObject(done);
  });

  it('restores, and names callers', async () => {
    const { Id } = await app.write('UserStories', { Name: 'gone', Project: { Id: ids.Project } });
    for (const [id, value] of [
      ['undelete', { EntityType: 'UserStory', Id }],
      ['undeleteMany', [{ EntityType: 'UserStory', Id }]],
    ] as const) {
      await app.ask(`/api/v1/UserStories/${Id}`, { method: 'DELETE' });
      expect(await send(id, value)).toMatchObject(done);
    }
    expect(await send('validateLogin', { Username: 'alice', Password: 'demo' })).toMatchObject(done);
    const wrong = await send('changeOwnPassword', { CurrentPassword: 'x', NewPassword: 'yyyyyyyyyyyy' });
    expect([wrong.status, wrong.message]).toEqual([403, expect.stringMatching(/^CurrentPassword/)]);
  });
});

describe('an answer', () => {
  it.each([
    ['listUserStories', '/api/v1/UserStories?take=3&skip=1&include=[Name,CustomFields,Tags,Release,Comments]'],
    ['listBugs', '/api/v1/Bugs?take=20'],
    ['listTestCases', '/api/v1/TestCases?take=3&append=[TestSteps-Count]'],
    ['getUser', '/api/v1/Users/1'],
    ['describeUserStories', '/api/v1/UserStories/meta'],
    ['describeGenerals', '/api/v1/Generals/meta'],
    ['describeValueType', '/api/v1/Int32/meta'],
    ['describeEverything', '/api/v1/meta'],
    ['listMetadata', '/api/v1/Index/meta'],
    ['getContext', '/api/v1/Context'],
    ['getServiceToken', '/api/v1/Authentication'],
    ['search', '/api/v1/Search?q=shared&take=2&types=UserStory'],
  ])('of %s has the names of the document', async (id, path) => {
    const { status, text } = await app.ask(path, { headers: { accept: 'application/xml' } });
    const { content } = api.resolved<Response>(operation(id).operation.responses[status]!);
    const schema = content!['application/xml']!.schema as Schema;
    expect(xml.strangers(await parseXml(text), schema).slice(0, 10)).toEqual([]);
  });
});
