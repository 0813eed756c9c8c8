/**
 * Little memory, of PostgreSQL's processes and of the service: what needs more is refused, and nothing that was
 * answered is lost.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import pg from 'pg';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { bareDatabase } from '../support/empty-database.js';
import { eventually } from '../support/eventually.js';
import { adminHeaders, Ledger } from '../support/ledger.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { Service } from '../support/service.js';

let service: Service | undefined;
afterEach(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
});

const mayLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0;

/** Of the processes, in bytes, as the account that they run under; those that they start inherit it. */
const limitData = (pids: readonly number[], bytes: number | 'unlimited') => {
  for (const pid of pids) {
    const { uid, gid } = statSync(`/proc/${pid}`);
    execFileSync('prlimit', ['--pid', String(pid), `--data=${bytes}:`], { uid, gid });
  }
};

/** What a process may write and shares with nobody. */
const dataOf = (pid: number): number =>
  Number(/^VmData:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

const paths = Array.from({ length: 45 }, (_, at) => `(Feature.Epic.Project.Program.Name eq '${at}')`).join('or');
const costly = `UserStories?format=json&where=${encodeURIComponent(paths)}`;

const ask = async (base: string, path: string, sent: RequestInit = {}) => {
  const answer = await fetch(`${base}/api/v1/${path}`, { headers: adminHeaders, ...sent });
  return { status: answer.status, text: await answer.text() };
};

describe.skipIf(!mayLimit)('F10: PostgreSQL has little memory (needs prlimit)', () => {
  it('what needs more is refused, all else is answered', { timeout: 180_000 }, async () => {
    const postgres = await OwnPostgres.start();
    onTestFinished(() => postgres.stop());
    service = Service.spawn({ DATABASE_URL: postgres.url, DB_POOL: '4' });
    const base = await service.address();
    const ledger = await Ledger.start(base, { writers: 2, bulkWriters: 1, readers: 2 });
    await ledger.goesOn();
    const client = new pg.Client(postgres.url);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    const { rows: lines } = await client.query<{ text: string }>(`select pg_read_file('postmaster.pid') as text`);
    await client.end();
    const pids = [...rows.map(({ pid }) => pid), Number(lines[0]!.text.split('\n')[0])];
    limitData(pids, Math.max(...pids.map(dataOf)) + 16 * 2 ** 20);
    for (let round = 0; round < 3; round++) {
      expect(await ask(base, costly)).toMatchObject({
        status: 503,
        text: expect.stringContaining('The database is out of resources at the moment.'),
      });
      await ledger.goesOn();
    }
    expect(service.output).toContain('"cause":"out of memory"');
    limitData(pids, 'unlimited');
    await eventually(async () => expect((await ask(base, costly)).status).toBe(200), 30_000);
    await ledger.goesOn();
    await ledger.end();
    await ledger.settle();
    await ledger.check(postgres.url);
  });
});

it('F10: a process of the service that runs out of memory ends, and another one serves', {
  timeout: 180_000,
}, async () => {
  const DATABASE_URL = await bareDatabase('little_memory');
  // With less it does not start.
  const NODE_OPTIONS = '--max-old-space-size=72';
  service = Service.spawn({ DATABASE_URL, DB_POOL: '2', WORKERS: '2', NODE_OPTIONS });
  const base = await service.address();
  const ledger = await Ledger.start(base, { writers: 2, bulkWriters: 1, readers: 1 });
  const body = `[${Array.from({ length: 180_000 }, (_, at) => `{"Name":"a story with a name of its own, ${at}"}`)}]`;
  await ledger.goesOn();
  await eventually(async () => {
    // A process that has just ended may still be handed a connection, which is never answered.
    const sent = { method: 'POST', body, signal: AbortSignal.timeout(5000) };
    await ask(base, 'UserStories/bulk?format=json', sent).catch(() => undefined);
    expect(service!.output).toContain('Another one takes its place');
  }, 60_000);
  await ledger.goesOn();
  await ledger.end();
  await ledger.check(DATABASE_URL);
  await ledger.settle();
  await ledger.check(DATABASE_URL);
});
