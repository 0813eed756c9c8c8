/**
 * Clocks that are wrong: processes whose clocks are a day apart, and one that goes back while it runs. The database's
 * counts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyDatabase } from '../support/empty-database.js';
import { eventually } from '../support/eventually.js';
import { adminHeaders, Ledger } from '../support/ledger.js';
import { Service } from '../support/service.js';

const hour = 3_600_000;

let directory: string;
let database: pg.Client;
let DATABASE_URL: string;
const services: Service[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'worktrack-clock-'));
  DATABASE_URL = await emptyDatabase('wrong_clocks');
  database = new pg.Client(DATABASE_URL);
  await database.connect();
});
afterAll(async () => {
  for (const service of services) service.kill('SIGKILL');
  await Promise.all(services.map(({ ended }) => ended));
  await database.end();
  rmSync(directory, { recursive: true });
});

/** A service whose clock is so far ahead, and another distance once it is set. */
class Skewed {
  private readonly file = join(directory, String(services.length));
  private readonly service: Service;

  constructor(ahead: number) {
    writeFileSync(this.file, String(ahead));
    const preload = new URL('../support/moved-clock.mjs', import.meta.url).href;
    this.service = Service.spawn({ DATABASE_URL, CLOCK_FILE: this.file, NODE_OPTIONS: `--import=${preload}` });
    services.push(this.service);
  }

  set(ahead: number): void {
    writeFileSync(this.file, String(ahead));
    this.service.kill('SIGUSR2');
  }

  address = (): Promise<string> => this.service.address();

  /** Of each request as the log tells it. */
  get durations(): number[] {
    return [...this.service.output.matchAll(/"durationMs":(-?[\d.]+)/g)].map(([, text]) => Number(text));
  }

  /** What its lines say the time is. */
  get lastLogged(): number {
    return Date.parse([...this.service.output.matchAll(/"time":"([^"]+)"/g)].at(-1)![1]!);
  }
}

async function send(base: string, path: string, body: unknown, headers: Record<string, string> = adminHeaders) {
  const answer = await fetch(`${base}/api/v1/${path}?format=json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape of their kind
  return { status: answer.status, body: (await answer.json()) as any };
}

const made = async (base: string, path: string, body: unknown): Promise<{ Id: number; Token?: string }> => {
  const { status, body: item } = await send(base, path, body);
  expect([path, status, status === 201 || item]).toEqual([path, 201, true]);
  return item;
};

const ask = (base: string, path: string, headers: Record<string, string> = adminHeaders) =>
  fetch(`${base}/api/v1/${path}`, { headers }).then((answer) => answer.text().then(() => answer.status));

/** Of the latest part of a history. */
const openEnd = '9999-12-31T23:59:59Z';

/** Instants in any column of any table that are neither of today nor past, by the clock of the database. */
async function strangeInstants(): Promise<string[]> {
  const { rows } = await database.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.data_type like 'timestamp%' and t.table_type = 'BASE TABLE'`,
  );
  expect(rows.length).toBeGreaterThan(50);
  const strangeDates: string[] = [];
  for (const { table, column } of rows) {
    const { rows: strange } = await database.query<{ at: Date }>(
      `select "${column}" as at from "${table}"
       where "${column}" not between date_trunc('day', now() - interval '1 hour') and now() and "${column}" <> $1 limit 1`,
      [openEnd],
    );
    strangeDates.push(...strange.map(({ at }) => `${table}.${column}: ${at.toISOString()}`));
  }
  return strangeDates;
}

it('F20: what services write whose clocks are two days apart bears the time of the database', {
  timeout: 180_000,
}, async () => {
  const ahead = await new Skewed(26 * hour).address();
  const behind = await new Skewed(-26 * hour).address();
  for (const [base, other] of [
    [ahead, behind],
    [behind, ahead],
  ] as const) {
    const login = base === ahead ? 'ahead' : 'behind';
    const Project = await made(base, 'Projects', { Name: 'of a wrong clock' });
    const story = await made(base, 'UserStories', { Name: 'story', Project, Tags: 'one' });
    const User = await made(base, 'Users', {
      ...{ Login: login, Email: `${login}@example.com`, FirstName: login, LastName: login },
      ...{ Password: 'swordfish 77', Role: { Id: 1 } },
    });
    await made(base, 'ProjectMembers', { Project, User, Role: { Id: 1 } });
    await made(base, 'Assignments', { Assignable: story, GeneralUser: User, Role: { Id: 1 } });
    await made(base, 'Comments', { Description: 'a comment', General: story });
    await made(base, 'Times', { Spent: 1, Description: 'work', Assignable: story });
    await made(base, 'Releases', { Name: 'release', Project });
    await made(base, 'Builds', { Name: 'build', Project });
    await send(base, `UserStories/${story.Id}`, { EntityState: { Name: 'Done' } });
    // What was deleted within a day comes back.
    for (const [path, id] of [
      ['UserStories', story.Id],
      ['Projects', Project.Id],
    ]) {
      const deleted = await fetch(`${base}/api/v1/${path}/${id}`, { method: 'DELETE', headers: adminHeaders });
      expect(deleted.status).toBe(200);
      expect(await strangeInstants()).toEqual([]);
      const EntityType = path === 'Projects' ? 'Project' : 'UserStory';
      expect((await send(other, 'undelete', { EntityType, Id: id })).status).toBe(200);
    }
  }
  expect(await strangeInstants()).toEqual([]);

  const { Token } = await made(ahead, 'AccessTokens', { Name: 'of one hour', ExpireDate: await databaseTime(hour) });
  const bearer = { authorization: `Bearer ${Token}` };
  for (const base of [ahead, behind]) expect(await ask(base, 'Roles', bearer)).toBe(200);
  await database.query(`update access_token set expire_date = now() - interval '1 second' where name = 'of one hour'`);
  for (const base of [ahead, behind]) await eventually(async () => expect(await ask(base, 'Roles', bearer)).toBe(401));

  const wrong = { authorization: `Basic ${Buffer.from('nobody:wrong').toString('base64')}` };
  for (let tried = 0; tried < 5; tried++)
    for (const base of [ahead, behind]) expect(await ask(base, 'Roles', wrong)).toBe(401);
  for (const base of [ahead, behind]) await eventually(async () => expect(await ask(base, 'Roles', wrong)).toBe(429));
});

const databaseTime = async (later: number): Promise<string> =>
  (
    await database.query<{ at: Date }>(`select now() + make_interval(secs => $1) as at`, [later / 1000])
  ).rows[0]!.at.toISOString();

it('F20: a clock that goes back and forth while the service runs loses nothing', { timeout: 180_000 }, async () => {
  const service = new Skewed(0);
  const ledger = await Ledger.start(await service.address(), { writers: 2, bulkWriters: 1, readers: 1 });
  for (const ahead of [-hour / 6, hour, -24 * hour, 0]) {
    await ledger.goesOn();
    service.set(ahead);
    await eventually(
      async () => expect(Math.abs(service.lastLogged - Date.now() - ahead)).toBeLessThan(30_000),
      30_000,
    );
  }
  await ledger.goesOn();
  await ledger.end();
  await ledger.settle();
  await ledger.check(DATABASE_URL);
  expect(new Set(ledger.answers.keys())).toEqual(new Set(['POST 201', 'POST 200', 'GET 200']));
  expect(service.durations.filter((duration) => duration < 0)).toEqual([]);
  // What is to end later by what the other test did.
  await database.query('delete from access_token; delete from login_attempt');
  expect(await strangeInstants()).toEqual([]);
});
