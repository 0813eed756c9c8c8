/** What specs of connections share: who waits for a lock, and a service whose connections all serve again. */
import type { ClientBase, Pool } from 'pg';
import { expect } from 'vitest';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';

/** Waits until `count` connections to this one database wait for a lock; other databases of the server do not count. */
export function lockWaiters(database: Pick<ClientBase | Pool, 'query'>, count = 1): Promise<void> {
  return eventually(async () => {
    const { rows } = await database.query(
      `select count(distinct w.pid)::int as waiting from pg_locks w join pg_locks h on h.pid = w.pid
       join pg_database d on d.oid = h.database where not w.granted and d.datname = current_database()`,
    );
    expect(rows[0].waiting).toBeGreaterThanOrEqual(count);
  }, 20_000);
}

/** All connections of a pool wait for one lock at the same time, then all requests are answered. */
export async function expectAllConnections(app: TestApp, count: number): Promise<void> {
  const client = await app.database.connect();
  try {
    await client.query('begin; lock table severity in access exclusive mode');
    const answers = Array.from({ length: count + 2 }, (_, at) => app.ask(`/api/v1/Severities?take=${at + 1}`));
    await lockWaiters(client, count);
    await client.query('commit');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  } finally {
    client.release(true);
  }
}
