/**
 * Disks that are full, that of the data and that of the log: writes are refused, reads go on, and nothing has to be
 * started again.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/runtime/free-port.js';
import { backup, nameOf } from '../support/archives.js';
import { command } from '../support/command.js';
import { bareDatabase, demonstrationDatabase } from '../support/empty-database.js';
import { adminHeaders, Ledger } from '../support/ledger.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { Service, until } from '../support/service.js';

const mount = (directory: string, size: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'worktrack-test', directory]).status === 0;
const unmount = (directory: string) => execFileSync('umount', [directory]);

function mayMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'worktrack-mount-'));
  const isMounted = mount(directory, '1m');
  if (isMounted) unmount(directory);
  rmSync(directory, { recursive: true });
  return isMounted;
}

describe.skipIf(!mayMount())('F9: the disk of the data is full (needs the right to mount)', () => {
  let directory: string;
  let postgres: OwnPostgres;
  let service: Service;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'worktrack-disk-'));
    mount(directory, '400m');
    postgres = await OwnPostgres.start(directory);
    service = Service.spawn({ DATABASE_URL: postgres.url, DB_POOL: '4' });
  }, 120_000);
  afterAll(async () => {
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    await postgres.end('SIGINT');
    unmount(directory);
    rmSync(directory, { recursive: true });
  }, 120_000);

  it('writes are refused, reads go on, and writes work again when there is room', { timeout: 240_000 }, async () => {
    const ledger = await Ledger.start(await service.address(), { writers: 2, readers: 2 });
    await ledger.goesOn();
    const filling = join(directory, 'filling');
    const { bavail, bsize } = statfsSync(directory);
    // The database writes at the same time: whoever comes last gets what is left.
    expect(() => writeFileSync(filling, Buffer.alloc((bavail + 1) * bsize))).toThrow('ENOSPC');
    await ledger.goesOn(['POST 503', 'GET 200']);
    expect(service.output).toMatch(/out of resources|No space|disk/i);
    rmSync(filling);
    await ledger.goesOn();
    await ledger.end();
    const kinds = ['GET 200', 'GET 503', 'POST 201', 'POST 503'];
    expect([...ledger.answers.keys()].filter((kind) => !kinds.includes(kind))).toEqual([]);
    await ledger.check(postgres.url);
  });
});

it.skipIf(!mayMount())(
  'F9: the disk of the embedded database has no room for its log of writes: the end says so, the next start recovers',
  { timeout: 240_000 },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-disk-'));
    mount(directory, '400m');
    chmodSync(directory, 0o711);
    const env = { DATA_DIR: join(directory, 'data'), DEMO_DATA: 'false' };
    const services: Service[] = [];
    onTestFinished(async () => {
      services.at(-1)?.kill('SIGTERM');
      await services.at(-1)?.ended;
      unmount(directory);
      rmSync(directory, { recursive: true });
    });
    const start = async () => {
      services.push(Service.spawn(env));
      await services.at(-1)!.address();
      return services.at(-1)!;
    };
    const first = await start();
    const cluster = join(env.DATA_DIR, 'cluster');
    const password = readFileSync(join(cluster, 'password'), 'utf8').trim();
    const port = readFileSync(join(cluster, 'pgdata', 'postmaster.pid'), 'utf8').split('\n')[3];
    const client = new pg.Client(`postgres://worktrack:${password}@127.0.0.1:${port}/worktrack`);
    client.on('error', () => undefined);
    await client.connect();
    const filling = join(directory, 'filling');
    const { bavail, bsize } = statfsSync(directory);
    expect(() => writeFileSync(filling, Buffer.alloc((bavail + 1) * bsize))).toThrow('ENOSPC');
    const isLost = async () =>
      (await client.query("select pg_logical_emit_message(true, 'x', repeat('x', 8000000))").catch(() => 'lost')) ===
      'lost';
    for (let round = 0; round < 100 && !(await isLost()); round++);
    expect((await first.ended).code).toBe(1);
    expect(first.output.split('\n')).toContainEqual(
      expect.stringMatching(/^worktrack: The .* ended by itself \(.*No space left on device\)\. Its log is .*/),
    );
    rmSync(filling);
    const again = await start();
    const { status } = await fetch(`${await again.address()}/api/v1/Roles`, { headers: adminHeaders });
    expect(status).toBe(200);
  },
);

describe.skipIf(!mayMount())('F9: the disk is too small for a new embedded database', { timeout: 120_000 }, () => {
  const small = (size: string): string => {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-disk-'));
    mount(directory, size);
    chmodSync(directory, 0o711);
    onTestFinished(() => {
      unmount(directory);
      rmSync(directory, { recursive: true });
    });
    return join(directory, 'data');
  };
  const reason = expect.stringMatching(/^worktrack: .*No space left on device/);

  it.each(['60m', '75m', '90m'])('%s: a first start ends with one line that says so', async (size) => {
    const service = Service.spawn({ DATA_DIR: small(size) });
    expect((await service.ended).code).toBe(1);
    const lines = service.output.trimEnd().split('\n');
    expect(lines.filter((line) => !/^The (first start|database is empty)/.test(line))).toEqual([reason]);
  });

  it('a restore ends with one line that says so, and blames no other database', async () => {
    const place = mkdtempSync(join(tmpdir(), 'worktrack-archive-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const archive = join(place, 'all.tar');
    const url = await demonstrationDatabase(nameOf('archived'));
    expect(await command({ DATABASE_URL: url }, ['seed', '--generals', '20000'])).toMatchObject({ code: 0 });
    expect(await backup(url, archive)).toMatchObject({ code: 0 });
    const { code, stderr } = await command({ DATA_DIR: small('90m') }, ['restore', archive]);
    const lines = stderr.split('\n').filter((line) => line.startsWith('worktrack: '));
    expect([code, lines]).toEqual([1, [reason]]);
    expect(lines[0]).toMatch(/ Nothing was restored\.$/);
    expect(stderr).not.toContain('DATABASE_URL');
  });
});

it.skipIf(!existsSync('/dev/full'))(
  'F9: the disk of the log is full: requests are served',
  { timeout: 120_000 },
  async () => {
    const full = openSync('/dev/full', 'w');
    const port = await freePort('127.0.0.1');
    const DATABASE_URL = await bareDatabase('full_log');
    const service = Service.spawnInto(full, { DATABASE_URL, PORT: String(port) });
    onTestFinished(() => service.kill('SIGKILL'));
    const roles = () =>
      fetch(`http://127.0.0.1:${port}/api/v1/Roles`, { headers: adminHeaders }).then(
        (answer) => answer.text().then(() => answer.status),
        () => 0,
      );
    await until(async () => (await roles()) === 200, 60);
    // Lines are gathered up to 4 KiB; these are many times that.
    for (let round = 0; round < 10; round++)
      expect(new Set(await Promise.all(Array.from({ length: 20 }, roles)))).toEqual(new Set([200]));
    service.kill('SIGTERM');
    // Its last lines are lost, and do not hold it.
    expect(await service.ended).toEqual({ code: 0, signal: null });
    closeSync(full);
  },
);
