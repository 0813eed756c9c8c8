/** The service as a process: how it starts, what it says, what it survives, how it ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { urlOf } from '../support/database.js';
import { Service, until } from '../support/service.js';

const basic = (login: string, password: string): string =>
  `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
const started: Service[] = [];

interface Page {
  Items: unknown[];
}

function start(env: Record<string, string>): Service {
  const service = Service.spawn(env);
  started.push(service);
  return service;
}

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'worktrack-service-'));
});
afterAll(async () => {
  for (const service of started) service.kill('SIGKILL');
  await Promise.all(started.map((service) => service.ended));
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function emptyDatabase(name: string): Promise<string> {
  const client = new pg.Client(inject('databaseUrl'));
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return urlOf(inject('databaseUrl'), name);
}

describe('with its own PostgreSQL', () => {
  const data = () => ({ DATA_DIR: join(directory, 'data') });

  it('starts from nothing, tells what to try, survives kill -9, keeps its data and ends cleanly', {
    timeout: 120_000,
  }, async () => {
    const first = start(data());
    const address = await first.address();
    await first.says(/Sign in as admin with the password admin/);
    expect(first.output).toMatch(/curl -gu admin:admin 'http:\/\/127\.0\.0\.1:\d+\/api\/v1\/UserStories/);
    const headers = { authorization: basic('admin', 'admin'), 'content-type': 'application/json' };
    const created = await fetch(`${address}/api/v1/Tags`, { method: 'POST', headers, body: "{Name: 'kept'}" });
    expect(created.status).toBe(201);
    const stories = await fetch(`${address}/api/v1/UserStories?format=json`, { headers });
    expect(((await stories.json()) as Page).Items).toHaveLength(25);

    first.kill('SIGKILL');
    await first.ended;
    const second = start(data());
    const again = await second.address();
    const kept = await fetch(`${again}/api/v1/Tags?format=json&where=Name eq 'kept'`, { headers });
    expect(((await kept.json()) as Page).Items).toHaveLength(1);

    second.kill('SIGINT');
    expect(await second.ended).toEqual({ code: 0, signal: null });
  });
});

describe('with a PostgreSQL of its user', () => {
  it('migrates once although two replicas start at once', { timeout: 60_000 }, async () => {
    const DATABASE_URL = await emptyDatabase('two_replicas');
    const replicas = [start({ DATABASE_URL }), start({ DATABASE_URL })];
    const addresses = await Promise.all(replicas.map((replica) => replica.address()));
    for (const address of addresses) {
      const ready = await fetch(`${address}/health/ready`);
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
      const empty = await fetch(`${address}/api/v1/UserStories?format=json`, {
        headers: { authorization: basic('admin', 'admin') },
      });
      // No demonstration data unless it is asked for.
      expect(await empty.json()).toEqual({ Items: [] });
    }
    for (const replica of replicas) replica.kill('SIGTERM');
    expect(await Promise.all(replicas.map((replica) => replica.ended))).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
  });

  it('listens on the machine alone while the administrator has the well-known password', {
    timeout: 60_000,
  }, async () => {
    const DATABASE_URL = await emptyDatabase('loopback_only');
    const careless = start({ DATABASE_URL, HOST: '0.0.0.0' });
    expect(await careless.address()).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(careless.output).toContain('HOST=0.0.0.0 is not used');
    careless.kill('SIGTERM');
    await careless.ended;
    const careful = start({ DATABASE_URL, HOST: '0.0.0.0', ADMIN_PASSWORD: 'a better:one' });
    const port = new URL(await careful.address()).port;
    expect(careful.output).not.toContain('is not used');
    const me = await fetch(`http://127.0.0.1:${port}/api/v1/Users/LoggedUser`, {
      headers: { authorization: basic('admin', 'a better:one') },
    });
    expect(me.status).toBe(200);
    careful.kill('SIGTERM');
    await careful.ended;
  });

  it('reads from a replica and from statements without names where that is set', { timeout: 60_000 }, async () => {
    const DATABASE_URL = await emptyDatabase('replicated');
    const service = start({
      DATABASE_URL,
      READ_DATABASE_URL: DATABASE_URL,
      PREPARED_STATEMENTS: 'false',
      TIME_ZONE: 'America/New_York',
    });
    const address = await service.address();
    const headers = { authorization: basic('admin', 'admin') };
    for (let at = 0; at < 3; at += 1) {
      const roles = await fetch(`${address}/api/v1/Roles?format=json`, { headers });
      expect(((await roles.json()) as Page).Items.length).toBeGreaterThan(4);
    }
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  it('logs one line a request and never a credential', { timeout: 60_000 }, async () => {
    const service = start({ DATABASE_URL: await emptyDatabase('logged') });
    const address = await service.address();
    const secret = 'c2VjcmV0LXRva2Vu';
    await fetch(`${address}/api/v1/Bugs?token=${secret}&access_token=${secret}&where=Name eq 'private'`, {
      headers: { authorization: basic('admin', 'hush-hush'), cookie: `session=${secret}` },
    });
    const line = await until(() => service.output.split('\n').find((one) => one.includes('"/api/v1/Bugs"')));
    expect(JSON.parse(line)).toMatchObject({
      method: 'GET',
      path: '/api/v1/Bugs',
      status: 401,
      durationMs: expect.any(Number),
      requestId: expect.any(String),
    });
    for (const hidden of [secret, 'hush-hush', basic('admin', 'hush-hush').slice(6), 'private'])
      expect(service.output).not.toContain(hidden);
    service.kill('SIGTERM');
    await service.ended;
  });

  it('finishes what runs when it is told to stop', { timeout: 60_000 }, async () => {
    const DATABASE_URL = await emptyDatabase('draining');
    const service = start({ DATABASE_URL });
    const address = await service.address();
    const headers = { authorization: basic('admin', 'admin') };
    expect((await fetch(`${address}/api/v1/Roles?format=json`, { headers })).status).toBe(200);
    const blocker = new pg.Client(DATABASE_URL);
    await blocker.connect();
    await blocker.query('begin; lock table role in access exclusive mode');
    const slow = fetch(`${address}/api/v1/Roles?format=json`, { headers });
    await until(async () => (await blocker.query('select 1 from pg_locks where not granted')).rowCount);
    service.kill('SIGTERM');
    await blocker.query('commit');
    await blocker.end();
    expect((await slow).status).toBe(200);
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });
});

describe('malformed configuration', () => {
  it.each([
    [{ PORT: 'eighty' }, /PORT/],
    [{ TIME_ZONE: 'Mars/Olympus' }, /TIME_ZONE/],
    [{ DEMO_DATA: 'perhaps' }, /DEMO_DATA/],
    [{ DATABSE_URL: 'postgres://x' }, /DATABASE_URL/],
    [{ DATABASE_URL: 'mysql://user:hush@x' }, /DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://worktrack:hush@127.0.0.1:1/none' }, /DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://worktrack:hush@nowhere.invalid/none' }, /DATABASE_URL/],
  ])('%j ends the start with one clear line', async (env, expected) => {
    const service = start(env as unknown as Record<string, string>);
    expect((await service.ended).code).toBe(1);
    expect(service.output.trim().split('\n')).toHaveLength(1);
    expect(service.output).toMatch(expected);
    expect(service.output).not.toContain('hush');
  });
});
