import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabasePool } from '../database/pool.js';
import { Replicas } from '../database/replicas/replicas.js';
import { unavailable } from '../errors.js';
import { Refusals } from './refusals.js';

let lines: Record<string, unknown>[];
let primary: DatabasePool;
let replicas: Replicas;
let refusals: Refusals;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  const logger = pino({ base: undefined, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
  // Neither connects before it is asked.
  const pool = () => new DatabasePool({ connectionString: 'postgres://127.0.0.1:1/none', settings: {}, max: 1 });
  primary = pool();
  replicas = new Replicas(primary, [pool()], 1000);
  refusals = new Refusals(logger, primary, replicas);
});
afterEach(() => vi.useRealTimers());

const answer = unavailable('Not now.');
const note = (times: number, error: unknown = answer) => {
  for (let at = 1; at <= times; at += 1) refusals.note({ answer, error, errorId: `e${at}`, requestId: `r${at}` });
};
const line = (count: number, id: number, cause?: string) => ({
  level: 40,
  errorId: `e${id}`,
  requestId: `r${id}`,
  refusals: count,
  status: 'ServiceUnavailable',
  reason: cause === undefined ? 'other' : 'database',
  ...(cause === undefined ? {} : { cause }),
  msg: 'Not now.',
});

it('writes the first at once, and one line a second as long as there are more', () => {
  note(5);
  expect(lines).toEqual([line(1, 1)]);
  vi.advanceTimersByTime(999);
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(lines).toEqual([line(1, 1), line(4, 5)]);
  note(2);
  vi.advanceTimersByTime(1000);
  expect(lines[2]).toEqual(line(2, 2));
  vi.advanceTimersByTime(5000);
  expect(lines).toHaveLength(3);
  note(1);
  expect(lines[3]).toEqual(line(1, 1));
});

it('names the cause, and no stack', () => {
  note(1, new Error('connect ECONNREFUSED'));
  expect(lines).toEqual([line(1, 1, 'connect ECONNREFUSED')]);
});

it('leaves nothing uncounted when the service ends', () => {
  note(3);
  refusals.onApplicationShutdown();
  expect(lines).toEqual([line(1, 1), line(2, 3)]);
});

describe('that a database is back', () => {
  const back = (awayMs: number, database = 'primary') => ({
    level: 30,
    database,
    awayMs,
    msg: 'The database can be reached again.',
  });
  const away = () => vi.spyOn(primary, 'isAway', 'get').mockReturnValue(true);

  it('is written once behind a line that it is away', () => {
    const { mockRestore } = away();
    note(1, new Error('connect ECONNREFUSED'));
    primary.onReconnected?.(1234.5);
    primary.onReconnected?.(1);
    expect(lines.slice(1)).toEqual([back(1235)]);
    mockRestore();
  });

  it('is not written where no line is, nor where lines are about something else', () => {
    primary.onReconnected?.(20);
    note(1, new Error('too many connections'));
    away();
    note(1);
    primary.onReconnected?.(20);
    expect(lines).toEqual([line(1, 1, 'too many connections')]);
  });

  it('is written of a replica that was left', () => {
    replicas.pools[0]!.onReconnected?.(1);
    replicas.onLeft?.(1, 'connect ECONNREFUSED');
    replicas.pools[0]!.onReconnected?.(2);
    expect(lines.slice(1)).toEqual([back(2, 'replica')]);
  });
});
