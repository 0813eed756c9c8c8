/** Words to search by are those of what is stored, whoever else was writing to the item or its tag meanwhile. */
import { setImmediate as turn } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let first: PoolClient;
let second: PoolClient;
/** The process that serves the second one. */
let beside: number;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'beside', ids };

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', place, { Process: { Id: 3 } });
  ids.Team = await make(app, 'Team', place);
  [first, second] = [await app.database.connect(), await app.database.connect()];
  beside = (await second.query('select pg_backend_pid() as id')).rows[0].id;
});
afterAll(async () => {
  first.release(true);
  second.release(true);
  await app.stop();
});

/** Of an item ($1) with one tag ($2), which may get another one ($3), and a team ($4). */
const writes: Record<string, string> = {
  'another name': `update general set name = 'zebra' where id = $1`,
  'another description': `update general set description = repeat('giraffe ', 200) where id = $1`,
  'a custom value': `update general set custom_values = '{"a": "lion"}' where id = $1`,
  'another project': `update general set project_id = (select min(id) from general where entity_type_id = 1) where id = $1`,
  'another tag': 'insert into general_tag (general_id, tag_id) values ($1, $3)',
  'no tag': 'delete from general_tag where general_id = $1',
  'a team': 'insert into team_assignment (assignable_id, team_id) values ($1, $4)',
  'another name of its tag': `update tag set name = 'beta' || id where id = $2`,
  'another name of the other tag': `update tag set name = 'gamma' || id where id = $3`,
  'deletion of its tag': 'delete from tag where id = $2',
};

const ofTags = Object.keys(writes).filter((name) => name.endsWith('tag') && name !== 'no tag');
const pairs: (readonly [string, string])[] = Object.keys(writes).flatMap((one) =>
  ofTags.filter((other) => other !== one).flatMap((other) => [[one, other] as const, [other, one] as const]),
);

const isWaiting = 'select cardinality(pg_blocking_pids($1)) > 0 as is';

let made = 0;
const run = (client: PoolClient, name: string, values: number[]): Promise<unknown> => {
  const used = [...writes[name]!.matchAll(/\$(\d)/g)].map(([, n]) => Number(n));
  const text = writes[name]!.replace(/\$(\d)/g, (_, n) => `$${used.indexOf(Number(n)) + 1}::bigint`);
  return client.query(
    text,
    used.map((n) => values[n - 1]!),
  );
};

it.each(pairs)('%s, and meanwhile %s', async (one, other) => {
  made += 1;
  const item = await make(app, 'UserStory', place, { Tags: `alpha${made}` });
  const tags = await first.query('select tag_id as id from general_tag where general_id = $1', [item]);
  const values = [item, tags.rows[0].id, await make(app, 'Tag', { ...place, mark: `delta${made}` }), ids.Team!];
  await first.query('begin');
  await run(first, one, values);
  let isDone = false;
  const done = run(second, other, values).finally(() => {
    isDone = true;
  });
  while (!isDone && !(await first.query(isWaiting, [beside])).rows[0].is) await turn();
  await first.query('commit');
  await done;
  const { rows } = await first.query('select strip(words) as words from search_text where general_id = $1', [item]);
  await first.query('select search_renew($1, true)', [[item]]);
  const renewed = await first.query('select strip(words) as words from search_text where general_id = $1', [item]);
  expect(rows).toEqual(renewed.rows);
});
