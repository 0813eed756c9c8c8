/** The backends of the embedded PostgreSQL leave the cores to the event loop, and no other process does. */
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { lowerNiceness, lowerPriority } from '../../src/database/backend-priority.js';
import { DatabaseClient } from '../../src/database/client.js';

const open: pg.Client[] = [];
let client: DatabaseClient;

async function connected<T extends pg.Client>(one: T): Promise<T> {
  open.push(one);
  await one.connect();
  return one;
}

const portOf = ({ connection }: DatabaseClient): number =>
  (connection.stream as unknown as { localPort: number }).localPort;

describe.runIf(process.platform === 'linux')('a backend of the embedded PostgreSQL', () => {
  beforeEach(async () => {
    client = await connected(new DatabaseClient({ connectionString: inject('databaseUrl') }));
  });
  afterEach(() => Promise.all(open.splice(0).map((one) => one.end())));

  it('has a lower priority than the service', () => {
    expect(getPriority(client.processID!)).toBe(lowerNiceness());
    expect(getPriority()).toBeLessThan(lowerNiceness());
  });

  it('has a smaller share where Linux shares cores among sessions', async () => {
    const share = (): string | undefined => {
      try {
        return /nice (-?\d+)/.exec(readFileSync(`/proc/${client.processID}/autogroup`, 'utf8'))?.[1];
      } catch {
        return undefined;
      }
    };
    if (share() === undefined) return;
    await expect.poll(share).toBe('5');
  });

  it('keeps its priority where another program has connected', async () => {
    const other = await connected(new pg.Client({ connectionString: inject('databaseUrl') }));
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(getPriority(rows[0]!.pid)).toBe(getPriority());
  });

  it.each([
    ['another process', () => process.pid, () => portOf(client)],
    ['a process that is not there', () => 2 ** 22 + 1, () => portOf(client)],
  ])('leaves %s as it is', (_, pid, port) => {
    const before = getPriority();
    lowerPriority(pid(), port());
    expect(getPriority()).toBe(before);
  });

  it('leaves a backend of another connection as it is', async () => {
    const other = await connected(new pg.Client({ connectionString: inject('databaseUrl') }));
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    lowerPriority(rows[0]!.pid, portOf(client));
    expect(getPriority(rows[0]!.pid)).toBe(getPriority());
  });
});
