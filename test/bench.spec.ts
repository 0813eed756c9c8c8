/** What the benchmark does apart from measuring. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { timesOfExpressions } from '../bench/expressions.mjs';
import { executionOf } from '../bench/statements.mjs';
import { ScratchDatabase } from './support/scratch-database.js';

it('expressions of version 2 are compiled, and texts of no sense at least refused', () => {
  expect(timesOfExpressions(200).filter(({ value }: { value: number }) => !(value > 0))).toEqual([]);
});

it('statements of the service are run by PostgreSQL alone', async () => {
  const database = await ScratchDatabase.create();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { ms, nodes } = await executionOf(client, 'UserStory', "include=[Name]&where=Name contains 'zq'&skip=1");
    expect(ms).toBeGreaterThan(0);
    expect(nodes.length).toBeGreaterThan(1);
  } finally {
    await client.end();
    await database.drop();
  }
});
