/** The codes of errors: documented, and the same in both formats. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes, statusCodes, statusOf } from '../../src/error-codes.js';
import { TestApp } from '../support/app.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

it('docs/errors.md lists all codes with their status', () => {
  const page = readFileSync('docs/errors.md', 'utf8');
  const rows = [...page.matchAll(/^\| (\w+) \| (\d+) \| \S/gm)].map(([, code, status]) => `${code} ${status}`);
  expect(rows.sort()).toEqual(errorCodes.map((code) => `${code} ${statusCodes[statusOf(code)]}`).sort());
});

it('the document names all codes and leaves room for others', async () => {
  const { Code } = (await app.json('/api/openapi.json')).components.schemas.Error.properties;
  expect(Object.keys(Code).sort()).toEqual(['description', 'type']);
  for (const code of errorCodes) expect(Code.description).toContain(code);
});

interface Asked {
  readonly as?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly body?: string;
}

const post = (body: unknown): Asked => ({ method: 'POST', body: JSON.stringify(body) });

describe('an error carries its code', () => {
  it.each<[code: string, status: number, path: string, asked?: Asked]>([
    ['MalformedQuery', 400, "/api/v1/UserStories?where=(Name eq 'a'"],
    ['UnknownParameter', 400, '/api/v1/UserStories?were=(Id eq 1)'],
    ['UnknownParameter', 400, '/api/v1/UserStories?ordrBy=Id'],
    ['InvalidParameter', 400, '/api/v1/UserStories?take=many'],
    ['UnknownField', 400, '/api/v1/UserStories?include=[Nam]'],
    ['UnknownField', 400, "/api/v1/UserStories?where=(Nam eq 'a')"],
    ['UnusableField', 400, '/api/v1/UserStories?orderBy=Tasks'],
    ['InvalidValue', 400, "/api/v1/UserStories?where=(Id eq 'a')"],
    ['InvalidValue', 400, '/api/v1/UserStories', post({ Name: 'a', Project: { Id: 'x' } })],
    ['InvalidValue', 400, '/api/v1/UserStories', post({ Project: { Id: 1 } })],
    ['InvalidValue', 400, '/api/v1/Tags', post({ Name: 'Reporting' })],
    ['InvalidId', 400, '/api/v1/UserStories/x1'],
    ['InvalidBody', 400, '/api/v1/UserStories', { method: 'POST', body: '{"Name":' }],
    ['InvalidBody', 400, '/api/v1/UserStories', post([])],
    ['TooMuch', 400, `/api/v1/UserStories?include=[${'Name,'.repeat(300)}Id]`],
    ['TooMuch', 400, '/api/v1/UserStories', post({ Tasks: Array(100).fill({ Comments: Array(100).fill({}) }) })],
    ['TooMuch', 400, '/api/v1/UserStories', post({ Tasks: Array(1001).fill({}) })],
    ['Unauthorized', 401, '/api/v1/UserStories', { as: 'nobody here' }],
    ['AdministratorsOnly', 403, '/api/v1/Projects', { as: 'alice', ...post({ Name: 'mine' }) }],
    ['NotFound', 404, '/api/v1/UserStories/999999999'],
    ['UnknownResource', 404, '/api/v1/Storiez'],
    ['UnknownAddress', 404, '/api/nowhere'],
    ['MethodNotAllowed', 405, '/api/v1/UserStories', { method: 'PUT', body: '{}' }],
    ['UnsupportedMediaType', 415, '/api/v1/UserStories', { ...post({}), headers: { 'content-type': 'text/plain' } }],
  ])('%s, %d: %s', async (code, status, path, { as = 'admin', ...asked } = {}) => {
    const more = path.includes('?') ? '&' : '?';
    const ask = (format: string) =>
      app.ask(encodeURI(`${path}${more}format=${format}`), {
        as,
        ...asked,
        ...(asked.body && { headers: { 'content-type': 'application/json', ...asked.headers } }),
      });
    const [json, xml] = [await ask('json'), await ask('xml')];
    expect([json.status, json.json.Code, xml.status]).toEqual([status, code, status]);
    const { children } = await parseXml(xml.text);
    expect(children.find(({ name }) => name === 'Code')?.text).toBe(code);
  });

  it.each(['/api', '/api/v1/', '/api/v2'])('of %s names where to start', async (path) => {
    const { status, json } = await app.ask(`${path}?format=json`);
    expect([status, json.Code]).toEqual([404, 'UnknownAddress']);
    const places = json.Message.match(/\/api\/[^']+(?=')/g).filter((place: string) => place !== path);
    expect(places).toContain('/api/v1/Index/meta');
    for (const place of places) {
      if (!path.startsWith(place)) expect([place, (await app.ask(place)).status]).toEqual([place, 200]);
    }
  });

  it('of version 2', async () => {
    const answer = await app.ask('/api/v2/UserStory?where=nam==1');
    expect([answer.status, answer.json.Code]).toEqual([400, 'InvalidExpression']);
  });

  it('of what somebody else uses', async () => {
    const answer = await app.ask('/api/v1/Users', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ Login: 'alice', Email: 'a@example.org', Password: 'long enough to be one' }),
    });
    expect([answer.status, answer.json.Code]).toEqual([409, 'AlreadyExists']);
  });
});
