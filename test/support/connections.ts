/** What specs of broken connections share: a service whose connections all serve again. */
import { expect } from 'vitest';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';

/** All connections of a pool wait for one lock at the same time, then all requests are answered. */
export async function expectAllConnections(app: TestApp, count: number): Promise<void> {
  const client = await app.database.connect();
  try {
    await client.query('begin; lock table severity in access exclusive mode');
    const answers = Array.from({ length: count + 2 }, (_, at) => app.ask(`/api/v1/Severities?take=${at + 1}`));
    await eventually(async () => {
      const { rows } = await client.query(
        `select count(*)::int as waiting from pg_locks join pg_database d on d.oid = database
         where not granted and datname = current_database()`,
      );
      expect(rows[0].waiting).toBe(count);
    }, 10_000);
    await client.query('commit');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  } finally {
    client.release(true);
  }
}
