/** A backup may read a replica, so that the primary does nothing for it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../support/command.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { ScratchDatabase } from '../support/scratch-database.js';
import { until } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-replica-'));
let cluster: ReplicatedPostgres;
beforeAll(async () => {
  cluster = await ReplicatedPostgres.start(1);
}, 120_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

it('holds what that has replayed, and says up to when', { timeout: 120_000 }, async () => {
  const { primary } = cluster;
  const [replica] = cluster.replicas;
  const tag = (name: string): Promise<unknown> => primary.rows('insert into tag (name) values ($1)', [name]);
  await tag('replayed');
  // Of such tables a replica has nothing.
  await primary.rows('insert into rate_limit_bucket (user_id, remaining, at) values (1, 1, now())');
  await until(() => replica!.hasAll(primary));
  await replica!.rows('select pg_wal_replay_pause()');
  await until(
    async () => (await replica!.rows('select pg_get_wal_replay_pause_state() as state'))[0].state === 'paused',
  );
  const [{ now }] = await primary.rows('select now()');
  await tag('not replayed');

  const file = join(directory, 'replica.tar');
  const backup = await command({ DATABASE_URL: replica!.url, DATA_DIR: directory }, ['backup', file]);
  expect([backup.code, backup.stdout]).toEqual([0, expect.stringContaining('rows')]);
  await replica!.rows('select pg_wal_replay_resume()');

  const empty = await ScratchDatabase.empty();
  try {
    const env = { DATABASE_URL: empty.url, DATA_DIR: directory };
    const restored = await command(env, ['restore', '--json', file]);
    expect(restored.code).toBe(0);
    expect(Date.parse(JSON.parse(restored.stdout).createdAt)).toBeLessThan(now.getTime());
    expect((await command(env, ['doctor'])).code).toBe(0);
    const client = new pg.Client(empty.url);
    await client.connect();
    const { rows } = await client.query("select name from tag where name like '%replayed'");
    await client.end();
    expect(rows).toEqual([{ name: 'replayed' }]);
  } finally {
    await empty.drop();
  }
});

it('says what to do where it kept the replica from replaying', { timeout: 120_000 }, async () => {
  const { primary } = cluster;
  const [replica] = cluster.replicas;
  await replica!.rows('alter system set max_standby_streaming_delay = 0');
  await replica!.rows('select pg_reload_conf()');
  // Long enough to be caught while it is read.
  await primary.rows('create table filler as select md5(n::text) as text from generate_series(1, 1000000) n');
  await until(() => replica!.hasAll(primary), 60);
  const backup = command({ DATABASE_URL: replica!.url, DATA_DIR: directory }, ['backup', join(directory, 'late.tar')]);
  await until(
    async () =>
      (await replica!.rows(`select from pg_stat_activity where query like 'copy "filler"%' and state = 'active'`))
        .length,
  );
  await primary.rows('drop table filler');
  const { code, stderr } = await backup;
  expect([code, stderr.split('\n').at(-2)]).toEqual([
    1,
    expect.stringMatching(/^worktrack: The replica ended the backup, .* Set hot_standby_feedback = on and .*\.$/),
  ]);
  expect(readdirSync(directory).filter((name) => name.startsWith('late'))).toEqual([]);
});
