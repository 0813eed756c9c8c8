/** A start on an embedded database that fails ends that in order, so that the next one has nothing to recover. */

import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startEmbedded } from '../../src/database/embedded/embedded.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { Service, until } from '../support/service.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'worktrack-failing-'));
  await chmod(directory, 0o711);
});
const services: Service[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) {
    service.kill('SIGTERM');
    await service.ended;
  }
  await rm(directory, { recursive: true, force: true, maxRetries: 20 });
}, 60_000);

/** Ended behind the test, which may have failed before it did that. */
function spawned(...how: Parameters<typeof Service.spawn>): Service {
  const service = Service.spawn(...how);
  services.push(service);
  return service;
}

const dataDirectory = () => join(directory, 'data');
const log = () => join(dataDirectory(), 'postgres.log');

/** An embedded database that is prepared by statements before the service starts on it. */
async function prepared(...statements: string[]): Promise<void> {
  const server = await startEmbedded({ dataDirectory: dataDirectory(), throwaway: true });
  const client = new pg.Client(server.url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  await server.stop();
  await rm(log());
}

async function expectOrderlyEnd(): Promise<void> {
  const text = await readFile(log(), 'utf8');
  expect(text).toMatch(/received fast shutdown request(.|\n)*is shut down\n$/);
  expect(text).not.toContain('immediate shutdown');
}

const failed = { code: 1, signal: null };

describe.each(['1', '2'])('with WORKERS=%s', { timeout: 120_000 }, (WORKERS) => {
  const start = (env: Record<string, string> = {}) => spawned({ DATA_DIR: dataDirectory(), WORKERS, ...env });

  it('on a database of another program', async () => {
    await prepared(
      'create table migration (id serial primary key, "timestamp" bigint not null, name text not null)',
      `insert into migration ("timestamp", name) values (1, 'OfAnotherProgram')`,
    );
    const service = start();
    expect(await service.ended).toEqual(failed);
    expect(service.output).toMatch(/^worktrack: OfAnotherProgram .*\.\n$/);
    await expectOrderlyEnd();
  });

  it('on a cluster that has lost the database, which is told by the directory', async () => {
    await prepared('checkpoint');
    const base = join(dataDirectory(), 'cluster', 'pgdata', 'base');
    const own = Math.max(...(await readdir(base)).map(Number).filter((oid) => oid > 0));
    await rm(join(base, String(own)), { recursive: true });
    const service = start();
    expect(await service.ended).toEqual(failed);
    const place = `The embedded database in DATA_DIR (${dataDirectory()})`;
    expect(service.output).toBe(`worktrack: ${place} cannot be used: database "worktrack" does not exist.\n`);
    await expectOrderlyEnd();
  });

  describe.each(['PORT', 'METRICS_PORT'])('with a %s that is in use', (variable) => {
    let other: Server;
    let port: number;
    beforeEach(async () => {
      other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      port = (other.address() as AddressInfo).port;
    });
    afterEach(() => other.close());
    const line = () => `worktrack: The port ${port} is in use already; set ${variable} to another one.`;

    it('ends the database', async () => {
      await prepared('checkpoint');
      const service = start({ [variable]: String(port) });
      expect(await service.ended).toEqual(failed);
      expect(service.output.split('\n')).toContain(line());
      await expectOrderlyEnd();
    });

    it('makes no database', async () => {
      const service = start({ [variable]: String(port) });
      expect(await service.ended).toEqual(failed);
      expect(service.output).toBe(`${line()}\n`);
      expect(await readdir(dataDirectory())).not.toContainEqual(expect.stringContaining('cluster'));
    });
  });

  // Others have one address for the machine itself.
  describe.runIf(process.platform === 'linux').each(['DEMO_DATA', 'ADMIN_PASSWORD'])(
    'on this machine alone',
    (open) => {
      const others = { DEMO_DATA: 'false', ADMIN_PASSWORD: 'chosen by a spec' };
      const env = (HOST: string, port: number) => {
        const { [open as keyof typeof others]: _, ...safe } = others;
        return { ...safe, HOST, PORT: String(port) };
      };
      const taken = async (host: string) => {
        const other = createServer().listen(0, host);
        await once(other, 'listening');
        return { other, port: (other.address() as AddressInfo).port };
      };

      it(`without ${open}, a first start needs no port of other addresses`, async () => {
        const { other, port } = await taken('127.0.0.2');
        const service = start(env('0.0.0.0', port));
        expect(await service.address()).toBe(`http://127.0.0.1:${port}`);
        service.kill('SIGTERM');
        expect((await service.ended).code).toBe(0);
        other.close();
      });

      it(`without ${open}, a first start needs the port of this machine`, async () => {
        const { other, port } = await taken('127.0.0.1');
        const service = start(env('127.0.0.2', port));
        expect(await service.ended).toEqual(failed);
        expect(await readdir(dataDirectory())).not.toContainEqual(expect.stringContaining('cluster'));
        other.close();
      });
    },
  );

  it('ended by a signal', async () => {
    // Its first table takes long.
    await prepared(
      `create function act() returns event_trigger language plpgsql as
       $$ begin raise log 'held'; perform pg_sleep(600); end $$`,
      'create event trigger act on ddl_command_start execute function act()',
    );
    const service = start();
    await until(async () => (await readFile(log(), 'utf8').catch(() => '')).includes('held'), 30);
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.output).not.toContain('worktrack:');
    await expectOrderlyEnd();
  });
});

describe('a database that is being made goes with what makes it', () => {
  it.each<[string, string, string[], number]>([
    ['the service', 'main.js', [], 0],
    ['a command', 'cli/main.js', ['seed', '--generals', '1'], 128 + constants.signals.SIGTERM],
  ])('%s', async (_, script, args, code) => {
    const making = spawned({ DATA_DIR: dataDirectory(), PORT: '0' }, script, args);
    const names = () => readdir(dataDirectory(), { recursive: true }).catch(() => []);
    // initdb is at work, and has not ended.
    await until(async () => (await names()).some((name) => /^cluster\.new-[^/]+\/pgdata\/global/.test(name)));
    making.kill('SIGTERM');
    expect(await making.ended).toEqual({ code, signal: null });
    expect((await names()).filter((name) => name.startsWith('cluster'))).toEqual([]);
  });
});

it('a first start whose backend is killed before its data are loaded ends with one line', {
  timeout: 120_000,
}, async () => {
  const postgres = await OwnPostgres.start();
  onTestFinished(() => postgres.stop());
  const other = new pg.Client(postgres.url);
  other.on('error', () => undefined);
  await other.connect();
  await other.query("select pg_advisory_lock(hashtext('worktrack.prepare'))");
  const service = spawned({ DATABASE_URL: postgres.url, DATA_DIR: dataDirectory() });
  const waiting = "select pid from pg_locks where locktype = 'advisory' and not granted";
  const { pid } = await until(async () => (await other.query<{ pid: number }>(waiting)).rows[0], 60);
  process.kill(pid, 'SIGKILL');
  expect(await service.ended).toEqual(failed);
  const line = 'The database of DATABASE_URL cannot be used: the connection was lost; its log may say why.';
  expect(service.output).toBe(`The database is empty: its schema is made.\nworktrack: ${line}\n`);
});
