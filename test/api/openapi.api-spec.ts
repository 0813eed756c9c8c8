/** The OpenAPI document: valid, complete, stable, and what it says is what the service answers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusCodes } from '../../src/error-codes.js';
import { examplesFile } from '../../src/modules/openapi/openapi.service.js';
import type { Parameter, RequestBody, Response } from '../../src/modules/openapi/openapi-types.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { DescribedApi, type DescribedOperation } from '../support/openapi.js';
import { nowhere } from '../support/permission-table.js';
import { routesOf } from '../support/routes.js';

/** `UPDATE_EXAMPLES=1` writes what is stored of the answers anew. */
const isUpdating = process.env.UPDATE_EXAMPLES !== undefined;

let app: TestApp;
let api: DescribedApi;
beforeAll(async () => {
  app = await TestApp.start({ BASE_URL: 'https://work.example.com' });
  api = await DescribedApi.of(app);
});
afterAll(() => app.stop());

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(api.document) as never);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('names nothing that is not there', () => {
    const pointers = new Set(JSON.stringify(api.document).match(/#\/components\/[^"]+/g));
    expect([...pointers].filter((pointer) => api.resolved({ $ref: pointer }) === undefined)).toEqual([]);
  });

  it('has all routes but those of pages', () => {
    const described = new Set(
      api.operations.map(({ method, path }) => `${method.toUpperCase()} ${path.toLowerCase()}`),
    );
    const routes = routesOf(app)
      .filter(
        (route) =>
          !pages.test(route) && !nowhere.test(route) && !/\*$/.test(route) && !/ \/api\/(history\/)?v2\//.test(route),
      )
      .map((route) => route.replace(':child', '{childid}').replace(/:(id|tag)\b/, '{$1}'));
    const fixed = routes.filter((route) => !/:collection$|:collection\/\{childid\}$/.test(route));
    const missing = fixed.filter((route) => !described.has(route) && isOffered(route));
    expect(missing).toEqual([]);
  });

  it('gives each operation an id of its own, which stays', async () => {
    const ids = api.operations.map(({ operation, method, path }) => `${operation.operationId} ${method} ${path}`);
    expect(new Set(ids.map((line) => line.split(' ', 1)[0])).size).toBe(ids.length);
    await expect(`${ids.sort().join('\n')}\n`).toMatchFileSnapshot('openapi-operations.txt');
  });

  it('describes every field of every resource, in answers and, where it can be written, in bodies', () => {
    for (const resource of model.resources) {
      const { [resource.name]: answered, [`${resource.name}Input`]: sent } = api.document.components.schemas as Record<
        string,
        { properties: object }
      >;
      const fields = resource.fields.filter((field) => field.kind !== 'scalar' || !field.isWriteOnly);
      expect(Object.keys(answered!.properties)).toEqual(expect.arrayContaining(fields.map(({ name }) => name)));
      const { create, update } = resource.settings.operations;
      if (!create && !update) continue;
      const settable = resource.fields.filter((field) => field.kind !== 'collection' && field.isSettable);
      expect(Object.keys(sent!.properties)).toEqual(expect.arrayContaining(settable.map(({ name }) => name)));
    }
  });

  it('names all parameters that shape an answer wherever one of them is taken', () => {
    const shaping = ['include', 'exclude', 'append', 'innerTake', 'innerSkip', 'format', 'dateformat', 'isodate'];
    const chosen = api.operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'include'));
    for (const { operation, parameters } of chosen) {
      const names = parameters.map(({ name }) => name);
      expect(names, operation.operationId).toEqual(expect.arrayContaining(shaping));
    }
  });

  it('has all values of the parameters that shape dates, and in forms of version 2 all parameters', async () => {
    for (const [name, values] of [
      ['dateformat', ['iso', 'ms']],
      ['isodate', ['1', 'true', 'yes', '0', 'false', 'no']],
    ] as const) {
      const { schema } = api.resolved<Parameter>({ $ref: `#/components/parameters/${name}` });
      expect(schema.enum).toEqual(values);
      for (const value of values) expect((await app.ask(`/api/v1/Tags?take=1&${name}=${value}`)).status).toBe(200);
    }
    const { content } = api.resolved<RequestBody>({ $ref: '#/components/requestBodies/QueryForm' });
    const { properties } = content['application/x-www-form-urlencoded']!.schema as { properties: object };
    const listed = api.operations.find(({ operation }) => operation.operationId === 'queryBugs')!.parameters;
    expect(Object.keys(properties).sort()).toEqual(listed.map(({ name }) => name).sort());
  });

  it('names lists line by line where they are answered', async () => {
    const lists = api.operations.filter(({ method, path }) => method === 'get' && /^\/api\/v1\/[^{]+$/.test(path));
    const inner = api.operations.find(({ operation }) => operation.operationId === 'listTasksOfUserStory')!;
    for (const { operation, path, parameters } of [...lists.filter((one) => 'Link' in headersOf(one)), inner]) {
      const { content } = api.resolved<Response>(operation.responses[200]!);
      const formats = parameters.find(({ name }) => name === 'format')!.schema.enum as string[];
      const { status } = await app.ask(`${path.replace('{id}', '1')}?format=ndjson`, { method: 'HEAD' });
      const isWhole = status === 200;
      expect([path, 'application/x-ndjson' in content!, formats.includes('ndjson')]).toEqual([path, isWhole, isWhole]);
    }
  });

  it('describes one item of version 2 as a list of one, asked for by what shapes it', () => {
    for (const id of ['queryOneBug', 'queryOneByFormBug']) {
      const { operation, parameters, body } = api.operations.find((one) => one.operation.operationId === id)!;
      expect(Object.keys(api.resolved<Response>(operation.responses[200]!).content!)).toEqual([
        'application/json',
        'text/csv',
        'application/x-ndjson',
      ]);
      const form = body?.content['application/x-www-form-urlencoded']?.schema.properties ?? {};
      const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      expect([...names, ...Object.keys(form)]).toEqual([
        'select',
        'dateformat',
        'isoDate',
        'prettify',
        'includeDeleted',
        'format',
      ]);
    }
  });

  it('names the preconditions of each write of a resource, and its warning', () => {
    const writes = api.operations.filter(
      ({ method, path, operation: { tags } }) =>
        method !== 'get' && path.startsWith('/api/v1/') && model.collection(tags[0]!) && !/LoggedUser/.test(path),
    );
    expect(writes.length).toBeGreaterThan(500);
    for (const { operation, parameters, method } of writes) {
      const names = parameters.map(({ name }) => name);
      const all = expect.arrayContaining(['If-Match', 'If-None-Match', 'Idempotency-Key']);
      expect([operation.operationId, names]).toEqual([operation.operationId, all]);
      const { headers = {} } = api.resolved<Response>(operation.responses[200]!);
      if (method === 'post')
        expect([operation.operationId, 'Warning' in headers]).toEqual([operation.operationId, true]);
    }
  });

  it('is shown to people with lists as lists', async () => {
    const { text } = await app.ask('/api/docs/Bugs');
    expect(text).toMatch(/id="saveManyBugs".*?Body: list of <a href="#BugInput">/s);
    expect(text).toMatch(/id="createBug".*?Body: <a href="#BugInput">/s);
  });

  it('describes pages, ranks and pieces of text of a search', async () => {
    const { SearchResults: page } = api.document.components.schemas!;
    const pieces = { items: { properties: { Field: {}, Html: {} } } };
    const found = { properties: { Rank: {}, CommentId: {}, Highlights: { properties: { Items: pieces } } } };
    expect(page).toMatchObject({
      properties: { Prev: {}, Next: {}, Items: { items: { allOf: [{}, { properties: { Found: found } }] } } },
    });
    const [{ Found }] = await app.items('/api/v1/Search?q="split this in two"');
    expect(Object.keys(Found)).toEqual(Object.keys(found.properties));
    expect(Object.keys(Found.Highlights.Items[0])).toEqual(Object.keys(pieces.items.properties));
  });

  it('has a response for each status that errors have', () => {
    expect(Object.keys(api.document.components.responses!)).toEqual(
      expect.arrayContaining(Object.values(statusCodes).map(String)),
    );
  });

  it('names the ways to say who is calling', () => {
    expect(Object.keys(api.document.components.securitySchemes!)).toEqual(
      api.document.security.flatMap((one) => Object.keys(one)),
    );
  });
});

const headersOf = ({ operation }: DescribedOperation): object =>
  api.resolved<Response>(operation.responses[200]!).headers ?? {};

/** Pages for people, what belongs to them, and methods that are always refused. */
const pages =
  /^(?:GET \/|[A-Z]+ \/(?:login|logout|query|profile|administration|documentation|assets|entity)(?:\/.*)?|(?:GET|DELETE|PUT|PATCH|OPTIONS) \/mcp|(?:PUT|PATCH|OPTIONS) \/\w+\.as[hp]x|(?:POST|DELETE) \/attachment(?:thumbnail)?\.aspx|(?:GET|DELETE) \/uploadfile\.ashx)$/;

/** A family has a route for each method; which of them a resource offers is told by its operations. */
function isOffered(route: string): boolean {
  const [, method, collection, rest = ''] = /^(\w+) \/api\/v1\/([^/]+)(.*)$/.exec(route) ?? [];
  const resource = collection && model.collection(collection);
  if (!resource || method === 'GET') return true;
  const { create, update, delete: remove } = resource.settings.operations;
  if (method === 'DELETE') return remove;
  return rest === '' ? create || update : update;
}

describe('GET /api/openapi.json', () => {
  it('is for whoever has credentials', async () => {
    expect((await app.ask('/api/openapi.json', { as: 'nobody' })).status).toBe(401);
    expect((await app.ask('/api/openapi.json', { as: 'alice' })).json).toEqual(api.document);
  });

  it('has an entity tag', async () => {
    const { headers } = await app.ask('/api/openapi.json');
    const again = await app.ask('/api/openapi.json', { headers: { 'if-none-match': headers.get('etag')! } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('takes no other method', async () => {
    const { status, headers } = await app.ask('/api/openapi.json', { method: 'DELETE' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('examples', () => {
  it('are what the service answers', async () => {
    const answers: Record<string, unknown> = {};
    const lists = api.operations.filter(({ method, path }) => method === 'get' && /^\/api\/v1\/[^{]+$/.test(path));
    for (const { operation, path, parameters } of lists) {
      if (/Token|meta$/.test(path) || operation.operationId === 'getServiceToken') continue;
      const page = await app.json(`${path}?take=1${needed(parameters)}`);
      if (!('Items' in page) || page.Items.length > 0) answers[operation.operationId] = page;
    }
    for (const [word, ask] of Object.entries(refusals)) {
      const { json } = await app.ask(ask.path, { headers: { accept: 'application/json' }, ...ask });
      expect(json.Status).toBe(word);
      answers[word] = json;
    }
    if (isUpdating) writeFileSync(examplesFile, `${JSON.stringify(answers, undefined, 1)}\n`);
    expect(masked(JSON.parse(readFileSync(examplesFile, 'utf8')))).toEqual(masked(answers));
  });
});

const needed = (parameters: DescribedOperation['parameters']): string =>
  parameters.flatMap(({ name, required, example }) => (required ? `&${name}=${example}` : [])).join('');

const refusals = {
  BadRequest: { path: '/api/v1/UserStories?include=[Nmae]' },
  Unauthorized: { path: '/api/v1/UserStories', as: 'nobody' },
  Forbidden: { path: '/api/deleteditems/v1/users', as: 'alice' },
  NotFound: { path: '/api/v1/UserStories/7' },
  MethodNotAllowed: { path: '/api/v1/Terms', method: 'POST' },
};

/** What differs between two databases with the same data: moments, and what is made anew each time. */
const masked = (answers: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answers)
      .replace(/\/Date\([^)]*\)\//g, 'Date')
      .replace(/"(ErrorId|Acid|Version|GlobalId)":"[^"]*"/g, '"$1":""'),
  );

it('the document tells how many entities a request may have here', async () => {
  const limited = await TestApp.start({ BULK_LIMIT: '7' });
  const stories = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ Name: `Of ${at}`, Project: { Id: 8 } }));
  const { text } = await limited.ask('/api/openapi.json');
  const bounds = new Set([...text.matchAll(/"maxItems":(\d+)/g)].map(([, most]) => Number(most)));
  expect([...bounds]).toEqual([7]);
  expect((await limited.post('/api/v1/UserStories/bulk', stories(7))).status).toBe(200);
  expect((await limited.post('/api/v1/UserStories/bulk', stories(8))).status).toBe(400);
  await limited.stop();
});
