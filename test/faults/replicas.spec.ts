/**
 * The service with real streaming replicas: a caller's own writes are always seen, and nobody notices a replica that is
 * late or gone.
 */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeApp, createApp, metricsOf } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { Replicas } from '../../src/database/replicas/replicas.js';
import { basic } from '../support/app.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { until } from '../support/service.js';

type App = Awaited<ReturnType<typeof createApp>>;

let cluster: ReplicatedPostgres;
let app: App;
let base: string;
let reads: Replicas['reads'];
beforeAll(async () => {
  cluster = await ReplicatedPostgres.start(2);
  [app, base] = await startService({ METRICS_PORT: '1' });
  reads = app.get(Replicas).reads;
}, 180_000);
afterAll(async () => {
  if (app) await closeApp(app);
  await cluster?.stop();
});

const replicaUrl = () => {
  const [first, second] = cluster.replicas.map(({ port }) => `127.0.0.1:${port}`);
  return cluster.primary.url.replace(/127\.0\.0\.1:\d+/, `${first},${second}`);
};

async function startService(env: Record<string, string> = {}): Promise<[App, string]> {
  const config = loadConfig({
    DATABASE_URL: cluster.primary.url,
    READ_DATABASE_URL: replicaUrl(),
    MAX_REPLICA_LAG: '2',
    LOG_LEVEL: 'silent',
    DB_POOL: '4',
    ...env,
  });
  const made = await createApp(config);
  await made.listen(0, '127.0.0.1');
  return [made, `http://127.0.0.1:${(made.getHttpServer().address() as AddressInfo).port}`];
}

interface Asked {
  readonly as?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly at?: string;
}

async function ask(path: string, { as = 'admin', headers = {}, body, at = base }: Asked = {}) {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${at}/api/v1/${path}`, {
    ...sent,
    headers: { authorization: basic(as), 'content-type': 'application/json', accept: 'application/json', ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) };
}

const known = { 'x-read-after': '0' };

const idle = () =>
  until(async () => (await Promise.all(cluster.replicas.map((one) => one.hasAll(cluster.primary)))).every(Boolean));

/** What a read adds to the counts. */
async function where(read: () => Promise<{ status: number }>): Promise<string> {
  const before = { ...reads };
  expect((await read()).status).toBe(200);
  const [place] = (['primary', 'replica'] as const).filter((one) => reads[one] > before[one]);
  return place ?? 'primary';
}

const onReplica = (asked: Asked = { headers: known }, path = 'Severities') =>
  until(async () => (await where(() => ask(path, asked))) === 'replica', 30);

/** By what the metrics say. */
async function counted(): Promise<Record<string, number>> {
  const lines = (await metricsOf.get(app)!.metrics()).matchAll(/^worktrack_replicas\{state="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, state, count]) => [state, Number(count)]));
}

const pause = (at: number) => cluster.replicas[at]!.rows('select pg_wal_replay_pause()');
const resume = (at: number) => cluster.replicas[at]!.rows('select pg_wal_replay_resume()');

describe('reads', () => {
  it('of a caller whose writes nobody knows run on the primary', async () => {
    await onReplica();
    expect(await where(() => ask('Severities'))).toBe('primary');
  });

  it.each([
    ['that carry the start of the log', 'Severities', known],
    ['that carry a position in a cookie', 'Severities', { cookie: 'a=b; worktrack_read_after=1-0/1' }],
    ['that ask for what is there', 'Severities?consistency=eventual', {}],
  ])('%s run on replicas', async (_, path, headers) => {
    await onReplica({ headers }, path);
  });

  it('of version 2 run on replicas, too', async () => {
    const read = () => fetch(`${base}/api/v2/Severity`, { headers: { authorization: basic('admin'), ...known } });
    await until(async () => (await where(read)) === 'replica');
  });

  it.each([
    ['X-Read-After', 'Severities', { 'x-read-after': 'yesterday' }],
    ['consistency', 'Severities?consistency=sometimes', {}],
  ])('with a wrong %s are 400', async (_, path, headers) => {
    expect((await ask(path, { headers: headers as Record<string, string> })).status).toBe(400);
  });

  it('with a cookie that is none of ours run on the primary', async () => {
    const headers = { cookie: 'worktrack_read_after=yesterday' };
    expect(await where(() => ask('Severities', { headers }))).toBe('primary');
  });
});

describe('own writes', () => {
  const nameOf = async (id: number, asked: Asked) => (await ask(`Tags/${id}`, asked)).json().Name;

  async function write(name: string, id?: number, as = 'admin') {
    const answer = await ask(id === undefined ? 'Tags' : `Tags/${id}`, { body: { Name: name }, as });
    expect(answer.status).toBeLessThan(300);
    const position = answer.headers.get('x-read-after')!;
    expect(position).toMatch(/^1-[0-9A-F]+\/[0-9A-F]+$/);
    expect(answer.headers.get('set-cookie')).toContain(
      `worktrack_read_after=${position}; Max-Age=600; Path=/; HttpOnly`,
    );
    return { id: answer.json().Id as number, position };
  }

  it('are seen by whoever carries their position, by header, by cookie and through another process', async () => {
    const [other, at] = await startService();
    const { id } = await write('changing');
    for (let round = 0; round < 40; round += 1) {
      const { position } = await write(`changed ${round}`, id);
      const header = { 'x-read-after': position };
      const cookie = { cookie: `worktrack_read_after=${position}` };
      const ways: Asked[] = [
        { headers: header },
        { headers: cookie },
        { headers: header, at },
        { headers: cookie, at },
      ];
      const names = await Promise.all(ways.map((way) => nameOf(id, way)));
      expect(new Set(names)).toEqual(new Set([`changed ${round}`]));
    }
    await closeApp(other);
  });

  it('are seen by whoever carries nothing, also through another process', async () => {
    const [other, at] = await startService();
    const { id } = await write('silent');
    for (let round = 0; round < 20; round += 1) {
      await write(`silent ${round}`, id);
      expect([await nameOf(id, {}), await nameOf(id, { at })]).toEqual([`silent ${round}`, `silent ${round}`]);
    }
    await closeApp(other);
  });

  it('are seen where a request carries an older position than the process knows', async () => {
    const { id } = await write('twice');
    await Promise.all([pause(0), pause(1)]);
    await write('twice changed', id);
    expect(await nameOf(id, { headers: known })).toBe('twice changed');
    await Promise.all([resume(0), resume(1)]);
  });

  describe('where every commit waits until replicas have applied it', () => {
    const waitFor = async (names: string, commit = 'remote_apply') => {
      const { primary } = cluster;
      await primary.rows(`alter system set synchronous_standby_names = '${names}'`);
      await primary.rows(`alter system set synchronous_commit = '${commit}'`);
      await primary.rows('select pg_reload_conf()');
    };
    const nameAt = (at: number): string => `r${cluster.replicas[at]!.port}`;
    afterAll(async () => {
      await waitFor('', 'on');
      await until(async () => (await where(() => ask('Severities'))) === 'primary');
    });

    it('are seen there by whoever carries nothing, also through another process', async () => {
      const [other, at] = await startService();
      await waitFor(`FIRST 2 (${nameAt(0)}, ${nameAt(1)})`);
      const place = { headers: {} };
      await onReplica(place);
      const { id } = await write('applied');
      for (let round = 0; round < 20; round += 1) {
        await write(`applied ${round}`, id);
        expect([await nameOf(id, {}), await nameOf(id, { at })]).toEqual([`applied ${round}`, `applied ${round}`]);
      }
      expect(await where(() => ask('Severities'))).toBe('replica');
      await closeApp(other);
    });

    it('are not looked for there once commits wait no more, for as many or as long', async () => {
      for (const [names, commit] of [
        [`FIRST 1 (${nameAt(0)}, ${nameAt(1)})`, 'remote_apply'],
        [`FIRST 2 (${nameAt(0)}, ${nameAt(1)})`, 'on'],
      ] as const) {
        await waitFor(`FIRST 2 (${nameAt(0)}, ${nameAt(1)})`);
        await onReplica({ headers: {} });
        await waitFor(names, commit);
        await until(async () => (await where(() => ask('Severities'))) === 'primary');
      }
    });

    it('are not looked for there while two have the name that commits wait for', async () => {
      await waitFor(nameAt(0));
      await onReplica({ headers: {} });
      const [{ primary_conninfo: own }] = await cluster.replicas[1]!.rows('show primary_conninfo');
      const follow = async (connection: string) => {
        await cluster.replicas[1]!.rows(`alter system set primary_conninfo = '${connection}'`);
        await cluster.replicas[1]!.rows('select pg_reload_conf()');
      };
      await follow(own.replace(nameAt(1), nameAt(0)));
      await until(async () => (await where(() => ask('Severities'))) === 'primary');
      await follow(own);
      await onReplica({ headers: {} });
    });

    it('are looked for on those alone that commits wait for', async () => {
      await waitFor(nameAt(0));
      await onReplica({ headers: {} });
      const { id } = await write('one of two');
      await pause(1);
      for (let round = 0; round < 10; round += 1) {
        await write(`one of two ${round}`, id);
        expect(await nameOf(id, {})).toBe(`one of two ${round}`);
      }
      await resume(1);
    });
  });

  it('carry their position for longer than a replica may be late', async () => {
    const [other, at] = await startService({ MAX_REPLICA_LAG: '3600' });
    const answer = await ask('Tags', { body: { Name: 'long' }, at });
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=3660;');
    await closeApp(other);
  });

  it('F32: are seen while replay is paused on all replicas, by each of the ways', async () => {
    const { id } = await write('before');
    await idle();
    await Promise.all([pause(0), pause(1)]);
    for (let round = 0; round < 20; round += 1) {
      const { position } = await write(`paused ${round}`, id);
      const headers = { 'x-read-after': position };
      expect([await nameOf(id, { headers }), await nameOf(id, {})]).toEqual([`paused ${round}`, `paused ${round}`]);
    }
    // Who did not write, and asks for what is there, may see what was there.
    const other = await ask(`Tags/${id}?consistency=eventual`, { as: 'quentin' });
    expect([200, 404]).toContain(other.status);
    await Promise.all([resume(0), resume(1)]);
  });

  it('of which nothing is left undone are in the order of the log', async () => {
    const positions = [await write('one'), await write('two'), await write('three')].map(({ position }) => position);
    expect([...positions].sort()).toEqual(positions);
  });
});

describe('rights', () => {
  it('that were taken hold on replicas that have not replayed it', async () => {
    const [{ id }] = await cluster.primary.rows(`select u.id from general_user u where login = 'quentin'`);
    const mine = async () =>
      (await ask('Projects?take=100', { as: 'quentin', headers: known })).json().Items.length as number;
    expect(await mine()).toBeGreaterThan(0);
    await onReplica({ as: 'quentin', headers: known });
    await Promise.all([pause(0), pause(1)]);
    await cluster.primary.rows('delete from project_member where user_id = $1', [id]);
    await cluster.primary.rows('delete from team_member where user_id = $1', [id]);
    await until(async () => (await mine()) === 0);
    await Promise.all([resume(0), resume(1)]);
  });
});

describe('a replica', () => {
  it('F32: that is late is left, and comes back', async () => {
    await idle();
    await pause(0);
    await ask('Tags', { body: { Name: 'late' } });
    const late = () => app.get(Replicas).states[0]!.lagMs === Number.POSITIVE_INFINITY;
    await until(late, 30);
    expect(app.get(Replicas).states[0]!.isAway).toBe(false);
    expect(await counted()).toEqual({ serving: 1, late: 1, away: 0 });
    for (let round = 0; round < 10; round += 1) await onReplica();
    await resume(0);
    await until(() => !late(), 30);
  });

  it.each(['KILL', 'INT'] as const)('that is ended (%s) is left at once, and comes back', {
    timeout: 60_000,
  }, async (signal) => {
    await onReplica();
    const statuses: number[] = [];
    let over = false;
    const reading = Array.from({ length: 4 }, async () => {
      while (!over) statuses.push((await ask('Severities', { headers: known })).status);
    });
    await cluster.replicas[0]!.end(signal);
    await cluster.replicas[1]!.end(signal);
    await until(() => app.get(Replicas).states.every(({ isAway }) => isAway));
    expect(await counted()).toEqual({ serving: 0, late: 0, away: 2 });
    expect(await where(() => ask('Severities', { headers: known }))).toBe('primary');
    await Promise.all(cluster.replicas.map((one) => one.start()));
    await until(() => app.get(Replicas).states.every(({ isAway }) => !isAway), 30);
    await onReplica();
    over = true;
    await Promise.all(reading);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('that answers nothing any more is left, with what it was asked', { timeout: 60_000 }, async () => {
    await onReplica();
    for (const replica of cluster.replicas) replica.freeze('SIGSTOP');
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('Severities', { headers: known })));
    for (const replica of cluster.replicas) replica.freeze('SIGCONT');
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await onReplica();
  });
});

describe('without the primary', () => {
  it('replicas serve whoever carries a position, new callers included, and writes come back with it', {
    timeout: 90_000,
  }, async () => {
    const { Token } = (await ask('AccessTokens', { as: 'quentin', body: { Name: 'last' } })).json();
    const written = await ask('Tags', { body: { Name: 'last' } });
    const headers = { 'x-read-after': written.headers.get('x-read-after')! };
    const token = (await ask('Authentication', { as: 'quentin' })).json().Token;
    await idle();
    await cluster.primary.end('KILL');
    await until(async () => (await ask('Severities', { headers })).status === 200);
    const read = await ask(`Tags/${written.json().Id}`, { headers });
    expect([read.status, read.json().Name]).toEqual([200, 'last']);
    const byToken = await fetch(`${base}/api/v1/Severities?token=${encodeURIComponent(token)}`, { headers });
    expect(byToken.status).toBe(200);
    const byAccessToken = { authorization: `Bearer ${Token}` };
    expect((await ask('Authentication', { headers: byAccessToken })).json().Token).toBe(token);
    // Wrong passwords could not be counted.
    expect((await ask('Severities', { as: 'wanda', headers })).status).toBe(503);
    const ready = async (query: string) => (await fetch(`${base}/health/ready${query}`)).status;
    await until(async () => (await ready('?for=writes')) === 503);
    expect(await ready('')).toBe(200);
    expect((await ask('Tags', { body: { Name: 'nowhere' } })).status).toBe(503);
    await cluster.primary.start();
    await until(async () => (await ask('Tags', { body: { Name: 'back' } })).status === 201, 30);
  });
});

describe('a write of which nobody knows whether it is stored, because the primary is gone', () => {
  it('takes the replicas from whoever carries its answer on, and from nobody else', { timeout: 120_000 }, async () => {
    const { primary } = cluster;
    const earlier = await ask('Tags', { body: { Name: 'earlier' } });
    await idle();
    await primary.rows("alter system set synchronous_standby_names = 'nobody'");
    await primary.rows('select pg_reload_conf()');
    const unknown = ask('Tags', { body: { Name: 'unknown' } });
    await until(async () => (await primary.rows(waitsForReplica)).length > 0);
    await primary.end('KILL');
    const answer = await unknown;
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('is unknown')]);
    const reading = async ({ headers }: typeof answer) =>
      (await ask('Severities', { headers: { 'x-read-after': headers.get('x-read-after')! } })).status;
    expect(await reading(earlier)).toBe(200);
    expect(await reading(answer)).toBe(503);
    await primary.start();
    await primary.rows('alter system reset synchronous_standby_names');
    await primary.rows('select pg_reload_conf()');
    await until(async () => (await reading(answer)) === 200, 30);
  });
});

const waitsForReplica = "select from pg_stat_activity where wait_event = 'SyncRep'";

describe('F32: a replica that was promoted', () => {
  it('beside the primary serves nobody', { timeout: 60_000 }, async () => {
    await onReplica();
    const [promoted] = cluster.replicas;
    await promoted!.rows('select pg_promote()');
    const made = await ask('Tags', { body: { Name: 'after' } });
    const id = made.json().Id;
    // What it writes by itself takes its log beyond that of the primary.
    await promoted!.rows('create table filler as select repeat(md5(n::text), 50) from generate_series(1, 5000) n');
    for (let round = 0; round < 20; round += 1) {
      const { headers: sent } = await ask(`Tags/${id}`, { body: { Name: `after ${round}` } });
      const headers = { 'x-read-after': sent.get('x-read-after')! };
      const names = await Promise.all([0, 1, 2].map(async () => (await ask(`Tags/${id}`, { headers })).json().Name));
      expect(new Set(names)).toEqual(new Set([`after ${round}`]));
    }
    expect(await counted()).toEqual({ serving: 1, late: 1, away: 0 });
  });
});
