/** What views cost before a row is read: `src/query/limits.ts` counts the tables that they read. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { tablesOfViews } from '../../src/query/limits.js';
import { ScratchDatabase } from '../support/scratch-database.js';

it('each view of the schema is counted as the tables that it reads, or as more', async () => {
  const database = await ScratchDatabase.create();
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query(`select viewname as name, pg_get_viewdef(viewname::regclass) as definition
    from pg_views where schemaname = current_schema() order by viewname`);
  await client.end();
  await database.drop();
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(tablesOfViews));
  for (const { name, definition } of rows) {
    const tables = definition.match(/\b(?:from|join)\s+\(*\w/gi);
    const subselects = definition.match(/\bfrom\s+\(*select\b|\blateral\b/gi) ?? [];
    expect(tablesOfViews[name], name).toBeGreaterThanOrEqual(tables!.length - subselects.length);
  }
});
