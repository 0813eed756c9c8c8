/**
 * Every command as a role that owns its database and nothing else, directly and through a pooler that deals out
 * connections by transaction.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { command } from '../support/command.js';
import { urlOf } from '../support/database.js';
import { PgBouncer, pgbouncerPath, pgbouncerVersion } from '../support/pgbouncer.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-restricted-'));
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  rmSync(directory, { recursive: true });
});

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function ownDatabase(): Promise<string> {
  const name = `owned_${randomBytes(6).toString('hex')}`;
  const server = inject('databaseUrl');
  await run(server, `create role ${name} login password '${name}'`, `create database ${name} owner ${name}`);
  stops.push(() => run(server, `drop database ${name} with (force)`, `drop role ${name}`));
  return Object.assign(new URL(urlOf(server, name)), { username: name, password: name }).href;
}

/** Fewer connections than commands open. */
async function pooled(url: string): Promise<string> {
  const pooler = await PgBouncer.to(url, { pool_mode: 'transaction', default_pool_size: '2' });
  stops.push(() => pooler.stop());
  return pooler.url;
}

const archive = (way: string): string => join(directory, `${way.replace(/\W/g, '-')}.tar`);

const steps = (way: string): readonly [args: string[], stdout: RegExp, input?: string][] => [
  [['migrate'], /The schema is current\.\n$/],
  [['migrate', '--check'], /The schema is current\.\n$/],
  [['seed', '--generals', '200'], /totals/],
  [['user', 'add', 'ursula', '--email', 'u@example.com'], /login +ursula/, 'restricted words\n'],
  [['user', 'passwd', 'ursula'], /login +ursula/, 'restricted words 2\n'],
  [['user', 'deactivate', 'ursula'], /active +false/],
  [['user', 'activate', 'ursula'], /active +true/],
  [['user', 'unlock', 'ursula'], /wasLocked +false/],
  [['user', 'list'], /ursula/],
  [['token', 'issue', 'ursula', 'CI'], /^\S+\n$/],
  [['token', 'list'], /ursula/],
  [['token', 'revoke', '1'], /1/],
  [['settings', 'set', 'SessionHours', '24'], /24/],
  [['settings', 'get', 'SessionHours'], /24/],
  [['backup', archive(way)], /rows/],
  [['doctor'], /are right/],
];

describe.each<[string, boolean, (url: string) => Promise<string>]>([
  ['directly', true, async (url) => url],
  [`through ${pgbouncerVersion}`, pgbouncerPath !== undefined, pooled],
])('%s', (way, isThere, reach) => {
  it.runIf(isThere)('commands work', { timeout: 600_000 }, async () => {
    const url = await ownDatabase();
    const env = { DATABASE_URL: await reach(url) };
    for (const [args, stdout, input] of steps(way)) {
      const outcome = await command(env, args, input);
      expect([args, outcome]).toEqual([
        args,
        { code: 0, stdout: expect.stringMatching(stdout), stderr: expect.anything() },
      ]);
    }
    await run(url, 'drop index ix_general_name_parts');
    const { code, stdout } = await command(env, ['doctor', '--fix']);
    expect([code, stdout]).toEqual([0, 'indexes: The index ix_general_name_parts of general is missing. (mended)\n']);
    const restored = { DATABASE_URL: await reach(await ownDatabase()) };
    expect(await command(restored, ['restore', archive(way)])).toMatchObject({ code: 0 });
    expect(await command(restored, ['doctor'])).toMatchObject({ code: 0 });
  });
});
