/** The service as a process: how it starts, what it says, what it survives, how it ends. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockWaiters } from '../support/connections.js';
import { bareDatabase, demonstrationDatabase, emptyDatabase } from '../support/empty-database.js';
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

async function change(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'worktrack-service-'));
  // The account that PostgreSQL runs under must reach it, or the data would lie elsewhere and be left behind.
  chmodSync(directory, 0o711);
});
afterAll(async () => {
  for (const service of started) service.kill('SIGKILL');
  await Promise.all(started.map((service) => service.ended));
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** What the service itself calls a fault, each once. */
function faults({ output }: Service): string {
  const lines = output.split('\n').filter((line) => line.includes('"level":50'));
  return [...new Set(lines.map((line) => JSON.stringify(JSON.parse(line).err)))].join('\n');
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
    const DATABASE_URL = await bareDatabase('loopback_only');
    const careless = start({ DATABASE_URL, HOST: '0.0.0.0' });
    expect(await careless.address()).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(careless.output).toContain('HOST=0.0.0.0 is not used');
    careless.kill('SIGTERM');
    await careless.ended;
    // Who is deactivated may be activated again while the service runs.
    await change(DATABASE_URL, 'update general_user set is_active = false, delete_date = now() where id = 1');
    const deactivated = start({ DATABASE_URL, HOST: '0.0.0.0' });
    expect(await deactivated.address()).toMatch(/^http:\/\/127\.0\.0\.1:/);
    deactivated.kill('SIGTERM');
    await deactivated.ended;
    const careful = start({ DATABASE_URL, HOST: '0.0.0.0', ADMIN_PASSWORD: 'a better:one' });
    const port = new URL(await careful.address()).port;
    await change(DATABASE_URL, 'update general_user set is_active = true, delete_date = null where id = 1');
    expect(careful.output).not.toContain('is not used');
    const me = await fetch(`http://127.0.0.1:${port}/api/v1/Users/LoggedUser`, {
      headers: { authorization: basic('admin', 'a better:one') },
    });
    expect(me.status).toBe(200);
    careful.kill('SIGTERM');
    await careful.ended;
  });

  it('says once which passwords it is started with that nobody could choose', { timeout: 180_000 }, async () => {
    const warning = /^Weaker than a password that people may choose .*: (.*)\.$/gm;
    for (const [make, name, env, weak] of [
      [
        demonstrationDatabase,
        'default_password',
        {},
        ["'admin' of the administrator, 'demo' of the demonstration users"],
      ],
      [bareDatabase, 'weak_password', { ADMIN_PASSWORD: 'Husch-1', WORKERS: '2' }, ['that of ADMIN_PASSWORD']],
      [bareDatabase, 'good_password', { ADMIN_PASSWORD: 'a better:one', WORKERS: '2' }, []],
    ] as const) {
      const service = start({ DATABASE_URL: await make(name), ...env });
      await service.says(/Try:\n.*\n/);
      service.kill('SIGTERM');
      await service.ended;
      expect([...service.output.matchAll(warning)].map(([, names]) => names)).toEqual(weak);
      expect(service.output).not.toContain('Husch');
    }
  });

  it('reads from a replica and from statements without names where that is set', { timeout: 60_000 }, async () => {
    const DATABASE_URL = await bareDatabase('replicated');
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
    const write = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    const project = await fetch(`${address}/api/v1/Projects?format=json`, { ...write, body: "{Name: 'unnamed'}" });
    const { Id } = (await project.json()) as { Id: number };
    for (let at = 0; at < 3; at += 1) {
      const body = JSON.stringify({
        Name: `story ${at}`,
        Project: { Id },
        RoleEfforts: [{ Role: { Id: 1 }, Effort: 2 }],
      });
      expect((await fetch(`${address}/api/v1/UserStories`, { ...write, body })).status).toBe(201);
    }
    const sums = await fetch(`${address}/api/v1/Projects/${Id}?format=json&include=[Effort]`, { headers });
    expect(await sums.json()).toMatchObject({ Effort: 6 });
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  it('F3: answers 503 to writes whose connection is lost, and writes them wholly or not at all', {
    timeout: 60_000,
  }, async () => {
    const DATABASE_URL = await bareDatabase('cut_off');
    const service = start({ DATABASE_URL });
    const address = await service.address();
    const headers = { authorization: basic('admin', 'admin'), 'content-type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(`${address}/api/v1/${path}?format=json`, { method: 'POST', headers, body: JSON.stringify(body) });
    const project = (await (await post('Projects', { Name: 'cut' })).json()) as { Id: number };
    const story = (at: number) => ({
      Name: `s${at}`,
      Project: { Id: project.Id },
      Tasks: [{ Name: `t${at}` }],
      Tags: 'cut',
    });
    const killer = new pg.Client(DATABASE_URL);
    await killer.connect();
    const cut =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    const statuses: number[] = [];
    let unknown = 0;
    for (let round = 0; round < 6; round += 1) {
      const writes = Array.from({ length: 12 }, (_, at) => post('UserStories', story(round * 12 + at)));
      await killer.query(cut);
      for (const answer of await Promise.all(writes)) {
        statuses.push(answer.status);
        if (answer.status === 503 && !answer.headers.has('retry-after')) unknown += 1;
      }
    }
    expect(
      [...new Set(statuses)].filter((status) => ![201, 503].includes(status)),
      faults(service),
    ).toEqual([]);
    await until(async () => (await post('Tags', { Name: `after ${Math.random()}` })).status === 201);
    const { rows } =
      await killer.query(`select count(*)::int as stories, count(t.id)::int as tasks, count(l.tag_id)::int as tags
      from general g left join general t on t.user_story_id = g.id left join general_tag l on l.general_id = g.id where g.entity_type_id = 4`);
    await killer.end();
    const [{ stories, tasks, tags }] = rows;
    // What was answered 201 is there once; what was answered 503 is not, unless that says that it may be.
    const stored = statuses.filter((status) => status === 201).length;
    expect(stories).toBeGreaterThanOrEqual(stored);
    expect(stories).toBeLessThanOrEqual(stored + unknown);
    expect([tasks, tags]).toEqual([stories, stories]);
    service.kill('SIGTERM');
    await service.ended;
  });

  it('brings the schema up to date from the command line', { timeout: 60_000 }, async () => {
    const DATABASE_URL = await emptyDatabase('from_outside');
    const migrationOutput = async () => {
      const chore = Service.spawn({ DATABASE_URL }, 'cli/main.js', ['migrate']);
      expect((await chore.ended).code).toBe(0);
      return chore.output;
    };
    expect(await migrationOutput()).toBe('The database is empty: its schema is made.\nThe schema is current.\n');
    expect(await migrationOutput()).toBe('The schema is current.\n');
  });

  it('logs one line a request and never a credential', { timeout: 60_000 }, async () => {
    const service = start({ DATABASE_URL: await bareDatabase('logged') });
    const address = await service.address();
    const secret = 'c2VjcmV0LXRva2Vu';
    await fetch(`${address}/api/v1/Bugs?token=${secret}&access_token=${secret}&where=Name eq 'private'`, {
      headers: { authorization: basic('admin', 'hush-hush'), cookie: `session=${secret}` },
    });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traced = await fetch(`${address}/health/live`, {
      headers: { 'x-request-id': 'asked-by-a-proxy', traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    expect(traced.headers.get('x-request-id')).toBe('asked-by-a-proxy');
    await service.says(
      new RegExp(`"requestId":"asked-by-a-proxy","traceId":"${traceId}","address":"127.0.0.1","method":"GET"`),
    );
    const line = await until(() => service.output.split('\n').find((one) => one.includes('"/api/v1/Bugs"')));
    expect(JSON.parse(line)).toMatchObject({
      method: 'GET',
      path: '/api/v1/Bugs',
      status: 401,
      durationMs: expect.any(Number),
      requestId: expect.any(String),
    });
    const form = new URLSearchParams({ login: 'admin', password: 'hush-hush-too' });
    await fetch(`${address}/login`, { method: 'POST', body: form });
    const signedIn = await fetch(`${address}/login`, {
      method: 'POST',
      body: new URLSearchParams({ login: 'admin', password: 'admin' }),
      redirect: 'manual',
    });
    const cookie = signedIn.headers.get('set-cookie')!.split(';', 1)[0]!;
    const json = { 'content-type': 'application/json', origin: address, cookie };
    const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${address}/api/v1/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...json, ...headers },
      });
    const { Token } = (await (await ask('AccessTokens?format=json', { Name: 'logged' })).json()) as { Token: string };
    await fetch(`${address}/api/v1/Roles`, { headers: { authorization: `Bearer ${Token}` } });
    await fetch(`${address}/api/v1/Roles`, { headers: { 'x-access-token': Token } });
    await ask('GlobalSettings', { SystemPassword: 'hush-hush-system' });
    await ask('Users/LoggedUser/Password', { CurrentPassword: 'hush-hush-now', NewPassword: 'hush-hush-then' });
    await ask('Users', { Login: 'x', Email: 'not an address', Password: 'hush-hush-other' });
    const last = await fetch(`${address}/api/v1/Companies?token=${secret}`);
    await until(() => service.output.includes('"/api/v1/Companies"') || undefined);
    expect(last.status).toBe(401);
    const secrets = [
      secret,
      'hush-hush',
      basic('admin', 'hush-hush').slice(6),
      'private',
      Token,
      cookie.split('=')[1]!,
    ];
    for (const hidden of secrets) expect(service.output).not.toContain(hidden);
    service.kill('SIGTERM');
    await service.ended;
  });

  it('F15: finishes what runs when it is told to stop', { timeout: 60_000 }, async () => {
    const DATABASE_URL = await bareDatabase('draining');
    const service = start({ DATABASE_URL });
    const address = await service.address();
    const headers = { authorization: basic('admin', 'admin') };
    expect((await fetch(`${address}/api/v1/Roles?format=json`, { headers })).status).toBe(200);
    const blocker = new pg.Client(DATABASE_URL);
    await blocker.connect();
    await blocker.query('begin; lock table role in access exclusive mode');
    const slow = fetch(`${address}/api/v1/Roles?format=json`, { headers });
    await lockWaiters(blocker);
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
    [{ DATABASE_URL: 'hush' }, /DATABASE_URL is not a PostgreSQL URL/],
    [{ BASE_URL: 'ftp://x' }, /BASE_URL is 'ftp:\/\/x'; an http or https URL/],
    [{ DATABASE_URL: 'postgres://u:hush@127.0.0.1/none?sslrootcert=/nope' }, /sslrootcert of DATABASE_URL/],
    [{ ADMIN_PASSWORD: '' }, /ADMIN_PASSWORD is empty/],
    [{ ADMIN_PASSWORD_FILE: '/dev/null' }, /The file of ADMIN_PASSWORD_FILE is empty/],
    [{ PORT_FILE: '/run/port' }, /'PORT_FILE' is not a variable of Worktrack: set PORT itself/],
    [{ DATABASE_URL: 'mysql://user:hush@x' }, /DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://worktrack:hush@127.0.0.1:1/none' }, /DATABASE_URL/],
    [{ DATABASE_URL: 'postgres://worktrack:hush@nowhere.invalid/none' }, /DATABASE_URL/],
  ])('%j ends the start with one clear line', async (env, expected) => {
    await endsInOneLine(env as unknown as Record<string, string>, expected);
  });

  it.each(['1', '2'])('a zone that PostgreSQL does not have does so with WORKERS=%s, too', async (WORKERS) => {
    const DATABASE_URL = await bareDatabase(`zone_of_node_${WORKERS}`);
    const line = /TIME_ZONE is 'IST', which PostgreSQL does not have; an IANA zone such as UTC or Europe\/Berlin would/;
    await endsInOneLine({ DATABASE_URL, WORKERS, TIME_ZONE: 'IST' }, line);
  });

  async function endsInOneLine(env: Record<string, string>, expected: RegExp): Promise<void> {
    const service = start(env);
    expect((await service.ended).code).toBe(1);
    expect(service.output.trim().split('\n')).toHaveLength(1);
    expect(service.output).toMatch(expected);
    expect(service.output).not.toContain('hush');
  }
});
