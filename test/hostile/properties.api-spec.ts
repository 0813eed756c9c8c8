/**
 * Properties of every answer, whatever is sent: no fault, one shape of refusals that tells nothing of the inside,
 * nothing written by what was refused, a service that lives. SEED and CASES choose other requests and more of them; a
 * failure prints the least request that fails and how to run it again.
 */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ResourceType } from '../../src/model/model.js';
import { type Answer, basic, TestApp } from '../support/app.js';
import {
  encoded,
  type IdsByKind,
  type RawRequest,
  reads,
  type Write,
  withHeaders,
  writes,
} from '../support/arbitraries.js';
import { model } from '../support/builder.js';
import { scrumProjects } from '../support/demonstration.js';
import { messageOf, type Refused, stateOf } from '../support/refusal.js';
import { say, statusesOf } from '../support/socket.js';
import { inParallel } from '../support/sweep.js';

vi.setConfig({ testTimeout: 3_600_000 });

const seed = Number(process.env.SEED ?? 15);
/** Lists of up to eight requests, which are sent at once, for each property. */
const cases = Number(process.env.CASES ?? 80);
/** Milliseconds after which a list of requests counts as never answered. */
const hanging = Number(process.env.HANGING ?? 60_000);
const callers = ['admin', 'alice'];

let app: TestApp;
let ids: IdsByKind;
let project: number;

beforeAll(async () => {
  // What takes longer is refused: it shows no more, and others wait for it.
  app = await TestApp.start({ STATEMENT_TIMEOUT: '2' });
  ids = new Map(await inParallel(model.resources, idsOf));
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

async function idsOf({ name, collection }: ResourceType): Promise<[string, number[]]> {
  const { status, json } = await app.ask(`/api/v1/${collection}?format=json&include=[Id]&take=5`);
  return [name, status === 200 && json.Items.length > 0 ? json.Items.map(({ Id }: { Id: number }) => Id) : [1]];
}

afterEach(async () => {
  expect((await app.raw('/health/live')).status).toBe(200);
  expect((await app.items('/api/v1/UserStories?take=1')).length).toBe(1);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const lists = <T>(one: fc.Arbitrary<T>) =>
  fc.tuple(fc.constantFrom(...callers), fc.array(one, { minLength: 1, maxLength: 8, size: 'max' }));

/** How many requests were answered with which status. */
const statuses = new Map<string, number>();

const count = (what: string, { status }: { status: number }): void => {
  const key = `${what} ${status}`;
  statuses.set(key, (statuses.get(key) ?? 0) + 1);
};

const isRefused = ({ status }: { status: number }): boolean => status >= 400;
const check = <T>(all: fc.Arbitrary<T>, holds: (drawn: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(all, holds), { seed, numRuns: cases, timeout: hanging });

/** A good answer is well-formed; any other one is a refusal in the format that was asked for. */
async function isProper(answer: Refused, format?: 'json' | 'xml'): Promise<void> {
  if (isRefused(answer)) await messageOf(answer, format);
  else if (format === 'json') JSON.parse(answer.text);
}

/** All are sent at once, then those that were refused once more alone, which must leave everything as it was. */
async function refusedWriteNothing<T, A extends Refused>(
  requests: T[],
  send: (request: T) => Promise<A>,
): Promise<A[]> {
  const first = await inParallel(requests, send, 8);
  const again = requests.filter((_, at) => isRefused(first[at]!));
  const before = await stateOf(app);
  const second = await inParallel(again, send, 8);
  if (second.every(isRefused)) expect(await stateOf(app)).toBe(before);
  return first;
}

describe(`whatever is asked, from seed ${seed} on`, () => {
  const texts = ['', 'E', '1', '%', '_', "o\\'", '2026-01-31', 'ﷺ', '😀', '\\\\', 'x'.repeat(300)];

  it.each([1, 2] as const)('in version %i, is answered or refused', async (version) => {
    const before = await stateOf(app);
    const format = (path: string) =>
      version === 2 ? 'json' : (/&format=(json|xml)$/.exec(path)?.[1] as 'json' | 'xml');
    await check(lists(reads(version, { ids: [...ids.values()].flat(), texts })), async ([as, paths]) => {
      const answers = await inParallel(paths, (path) => app.ask(path, { as }), 8);
      for (const [at, answer] of answers.entries()) {
        count(`version ${version}`, answer);
        await isProper(answer, format(paths[at]!));
      }
    });
    expect(await stateOf(app)).toBe(before);
  });
});

describe(`whatever is written, from seed ${seed} on`, () => {
  it.each(['json', 'xml'] as const)('in %s, is stored or refused', async (format) => {
    const base = { Name: 'x', Project: { Id: project }, Description: 'x' };
    await check(lists(writes(format, ids, base)), async ([as, requests]) => {
      const send = ({ path, type, body }: Write): Promise<Answer> =>
        app.ask(path, { as, method: 'POST', body: Buffer.from(body), headers: { 'content-type': type } });
      for (const answer of await refusedWriteNothing(requests, send)) {
        count(format, answer);
        await isProper(answer, format);
      }
    });
  });
});

describe(`whatever headers say, from seed ${seed} on`, () => {
  it('is answered or refused', async () => {
    const where = encoded("Name contains 'e'");
    const lines = [
      ...['GET /api/v1/UserStories?take=1', `GET /api/v1/Bugs?where=${where}&take=1`, 'GET /api/v2/Bug?take=1'],
      ...['GET /api/v1/Nothing', 'POST /api/v1/UserStories', 'DELETE /api/v1/UserStories/999999', 'PUT /api/v1/Bugs/1'],
      ...[`GET /api/v1/Projects/${project}`, `POST /api/v1/Projects/${project}`, 'GET /api/v1/Index/meta'],
    ];
    const bodies = ['', '{', JSON.stringify({ Name: 'by header', Project: { Id: project } }), '<UserStory Name="x"/>'];
    await check(lists(withHeaders(lines, bodies)), async ([, requests]) => {
      for (const answer of await refusedWriteNothing(requests, sendRaw)) {
        count('headers', answer);
        await isProper(answer);
      }
    });
  });

  async function sendRaw({ line, headers, body }: RawRequest): Promise<Refused> {
    const host = headers.some((one) => /^host:/i.test(one)) ? [] : ['Host: here'];
    const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    const credentials = headers.some((one) => /^(authorization|x-access-token|cookie):/i.test(one))
      ? []
      : [`Authorization: ${basic('admin')}`];
    const head = [`${line} HTTP/1.1`, ...host, ...credentials, ...headers, ...length, 'Connection: close'];
    const answer = await say(app, Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`));
    const [, fields = '', text = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(answer) ?? [];
    const get = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(fields)?.[1]?.trim() ?? null;
    return { status: statusesOf(answer)[0]!, headers: { get }, text: Buffer.from(text, 'latin1').toString() };
  }
});

describe('of all these', () => {
  it('some are good and some are refused', () => {
    if (process.env.CASES)
      process.stdout.write(`${JSON.stringify(Object.fromEntries([...statuses].sort()), null, 1)}\n`);
    for (const what of ['version 1', 'version 2', 'json', 'xml', 'headers']) {
      const statusCodes = [...statuses.keys()]
        .filter((key) => key.startsWith(what))
        .map((key) => Number(key.split(' ').at(-1)));
      expect([what, statusCodes.some((status) => status < 300), statusCodes.includes(400)]).toEqual([what, true, true]);
    }
  });
});
