/**
 * What every refusal has in common: one shape in the format asked for, headers that protect, nothing of the inside; and
 * nothing written.
 */
import { expect } from 'vitest';
import { type ErrorCode, errorCodes, statusOf } from '../../src/error-codes.js';
import type { TestApp } from './app.js';
import { parseXml } from './xml.js';

/** Names of columns and libraries, statements, words of PostgreSQL, places in the source: nothing of it may be told. */
export const internals =
  /general_user|[a-z]_id\b|\bselect .* from |insert into "?\w|typeorm|node_modules|\.[tj]s:\d|syntax error at|\bpg_|[Ff]astify|nestjs|xml2js|\bsax\b|(Range|Type|Syntax|Reference|QueryFailed)Error|call stack|\[object |at Object\.|operator does not exist|(relation|column) "|invalid input syntax|violates \w|is not a function|Cannot read|\/(src|build|dist|home|tmp)\//;

export interface Refused {
  status: number;
  headers: Pick<Headers, 'get'>;
  text: string;
}

const words: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  503: 'ServiceUnavailable',
};

const protections: [string, RegExp | null][] = [
  ['x-content-type-options', /^nosniff$/],
  ['cache-control', /no-store/],
  ['x-powered-by', null],
];

/** Checks a refusal and tells its message. */
export async function messageOf(answer: Refused, format?: 'json' | 'xml'): Promise<string> {
  const type = /^(?:application\/(?=json|xml)|text\/(?=xml))(json|xml); charset=utf-8$/.exec(
    answer.headers.get('content-type') ?? '',
  )?.[1];
  expect([type]).toEqual([format ?? expect.stringMatching(/^(json|xml)$/)]);
  const [status, message, code] = type === 'json' ? inJson(answer.text) : await inXml(answer.text);
  expect([answer.status, status]).toEqual([answer.status, words[answer.status] ?? 'a refusal']);
  expect(errorCodes).toContain(code);
  expect([code, statusOf(code as ErrorCode)]).toEqual([code, status]);
  expect(message).not.toMatch(internals);
  // Only what took too long, and then nothing was stored.
  if (answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(message!.length).toBeLessThan(2000);
  for (const [name, value] of protections) {
    if (value) expect([name, answer.headers.get(name)]).toEqual([name, expect.stringMatching(value)]);
    else expect([name, answer.headers.get(name)]).toEqual([name, null]);
  }
  return message!;
}

const errorId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

function inJson(text: string): [status: string, message: string, code: string] {
  const error = JSON.parse(text);
  expect(Object.keys(error)).toEqual(['Status', 'Message', 'Type', 'Details', 'Code', 'ErrorId']);
  expect(error.ErrorId).toMatch(errorId);
  return [error.Status, error.Message, error.Code];
}

async function inXml(text: string): Promise<[status: string, message: string, code: string]> {
  const { name, children } = await parseXml(text);
  expect([name, ...children.map((child) => child.name)]).toEqual([
    'Error',
    'Status',
    'Message',
    'Type',
    'Code',
    'ErrorId',
  ]);
  expect(children[4]!.text).toMatch(errorId);
  return [children[0]!.text, children[1]!.text, children[3]!.text];
}

/** What authentication writes, also for requests that are refused. */
const written = new Set(['login_attempt', 'session']);

/** By service: a statement of many tables, which PostgreSQL plans once. Tables that come later are parts of others. */
const states = new WeakMap<TestApp, Promise<string>>();

/**
 * How many rows there are and which transaction wrote last; the same before and after means that nothing was written.
 */
export async function stateOf(app: TestApp): Promise<string> {
  const text = states.get(app) ?? stateStatement(app);
  states.set(app, text);
  const { rows } = await app.database.query({ name: 'state', text: await text });
  return `${rows[0].rows} rows, last written by ${rows[0].writer}`;
}

async function stateStatement(app: TestApp): Promise<string> {
  const tables = await app.rows(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const counts = tables
    .filter(({ name }) => !written.has(name))
    .map(({ name }) => (name === 'setting' ? `setting where name not like 'lease %'` : `"${name}"`))
    .map((rows) => `select count(*) as rows, max(xmin::text::bigint) as writer from ${rows}`);
  return `select sum(rows)::text as rows, max(writer)::text as writer from (${counts.join(' union all ')}) s`;
}
