/** Commands with several hosts in DATABASE_URL or MIGRATE_DATABASE_URL: all find the one that takes writes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command } from '../support/command.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { until } from '../support/service.js';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'worktrack-several-hosts-'));
let cluster: ReplicatedPostgres;
beforeAll(async () => {
  cluster = await ReplicatedPostgres.start(1);
  await until(() => cluster.replicas[0]!.hasAll(cluster.primary));
}, 180_000);
afterAll(async () => {
  await cluster?.stop();
  rmSync(DATA_DIR, { recursive: true });
});

const hosts = {
  dead: () => '127.0.0.1:1',
  standby: () => `127.0.0.1:${cluster.replicas[0]!.port}`,
  primary: () => `127.0.0.1:${cluster.primary.port}`,
  'IPv6 primary': () => `[::1]:${cluster.primary.port}`,
};
type Host = keyof typeof hosts;

const several = (...names: Host[]): string =>
  cluster.primary.url.replace(hosts.primary(), names.map((name) => hosts[name]()).join(','));

describe.each<[string, Host[]]>([
  ['is away', ['dead', 'standby', 'primary']],
  ['is a standby', ['standby', 'primary']],
  ['is of IPv6 form', ['IPv6 primary', 'standby']],
])('the first of which %s', (_, names) => {
  const run = (...args: string[]) => command({ DATABASE_URL: several(...names), DATA_DIR }, args);

  it('migrate renews rows', { timeout: 60_000 }, async () => {
    await cluster.primary.rows(`delete from migration where name = 'TagsOfHtmlOfRows1700000000157'`);
    const { code, stdout, stderr } = await run('migrate');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('TagsOfHtmlOfRows1700000000157 took ');
  });

  it('doctor mends', { timeout: 60_000 }, async () => {
    await cluster.primary.rows('drop index if exists ix_general_name_parts');
    expect(await run('doctor', '--fix')).toEqual({
      code: 0,
      stdout: 'indexes: The index ix_general_name_parts of general is missing. (mended)\n',
      stderr: '',
    });
  });

  it('seed fills', { timeout: 120_000 }, async () => {
    const { code, stderr } = await run('seed', '--generals', '10');
    expect([code, stderr]).toEqual([0, '']);
  });
});

it.each([
  ['DATABASE_URL', {}],
  ['MIGRATE_DATABASE_URL', { DATABASE_URL: () => cluster.primary.url }],
])('none of which takes writes: one line names %s', async (variable, others) => {
  const env = Object.fromEntries(Object.entries(others).map(([name, url]) => [name, url()]));
  const { code, stderr } = await command({ ...env, [variable]: several('standby', 'standby'), DATA_DIR }, ['doctor']);
  expect([code, stderr]).toEqual([
    1,
    `worktrack: The database of ${variable} takes no writes: it is a replica, or read-only. Set ${variable} to the one that does.\n`,
  ]);
});
