/** Every example of `docs/query-v2.md`, asked as it stands there: the answer is what the document says. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

const document = readFileSync(new URL('../../docs/query-v2.md', import.meta.url), 'utf8');
const examples = [...document.matchAll(/```\nGET (.*)\n```\n\n```json\n([\s\S]*?)```/g)].map(
  ([, request, answer]) => [request!, answer!] as const,
);

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

/** As a client would: the values escaped, the rest left. */
function address(request: string): string {
  const at = request.indexOf('?');
  const parameters = at < 0 ? [] : request.slice(at + 1).split('&');
  const escaped = parameters.map((one) => {
    const equals = one.indexOf('=');
    return `${one.slice(0, equals)}=${encodeURIComponent(one.slice(equals + 1))}`;
  });
  return `${encodeURI(at < 0 ? request : request.slice(0, at))}?${escaped.join('&')}`;
}

it('has an answer to each of its examples', () => {
  expect(examples.length).toBeGreaterThan(20);
  expect(examples.length).toBe(document.match(/^GET /gm)!.length);
});

it.each(examples)('%s', async (request, expected) => {
  const { json } = await app.ask(address(request));
  const body = json.Message === undefined ? json : { Status: json.Status, Message: json.Message };
  delete body.next;
  expect(body).toEqual(JSON.parse(expected));
});
