/** The service and the totals of the database lock rows in one order, or they would wait for one another. */
import 'reflect-metadata';
import pg from 'pg';
import { expect, it } from 'vitest';
import { hierarchyOf } from '../../src/command/hierarchy.js';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { ScratchDatabase } from '../support/scratch-database.js';

/** Kinds with the place of each, by the first `case` over kinds in a text. */
function places(text: string): Record<string, number> {
  const [, ladder] = /case (?:\w+\.)?entity_type_id ((?:when \d+ then \d+\s*)+)/.exec(text)!;
  return Object.fromEntries([...ladder!.matchAll(/when (\d+) then (\d+)/g)].map(([, kind, at]) => [kind, Number(at)]));
}

it('all that has totals is locked in the order in which they are settled', async () => {
  const database = await ScratchDatabase.create();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ prosrc: string }>(`select prosrc from pg_proc where proname = 'kind_level'`);
    const settled = places(rows[0]!.prosrc);
    expect(Object.keys(settled)).not.toEqual([]);
    expect(places(hierarchyOf(buildModel(resourceEntities)).level)).toMatchObject(settled);
  } finally {
    await client.end();
    await database.drop();
  }
});
