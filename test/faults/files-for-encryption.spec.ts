/**
 * The files for encrypted connections to the database, which are read for each of them: while one cannot be used,
 * requests are refused for now, and all goes on afterwards.
 */
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { DatabasePool } from '../../src/database/pool.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { firstWritable } from '../../src/database/writable-address.js';
import { basic } from '../support/app.js';
import { EncryptedPostgres, hasOpenssl, makeCertificate } from '../support/encrypted-postgres.js';
import { eventually } from '../support/eventually.js';

describe.skipIf(!hasOpenssl)('files for encryption (needs openssl)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'worktrack-encryption-'));
  const [root, certificate, key] = [join(folder, 'root.crt'), join(folder, 'own.crt'), join(folder, 'own.key')];
  let server: EncryptedPostgres;
  let keeper: pg.Client;
  let url: string;
  beforeAll(async () => {
    server = await EncryptedPostgres.start();
    keeper = new pg.Client(server.url);
    await keeper.connect();
    makeCertificate(certificate, key);
    copyFileSync(certificate, root);
    const files = new URLSearchParams({ sslrootcert: root, sslcert: certificate, sslkey: key });
    url = `${server.url}&${files}`;
  }, 120_000);
  afterAll(async () => {
    await keeper.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const others = 'from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()';

  /** Those that are opened meanwhile, with what the files held before, too. */
  const breakConnections = (): Promise<void> =>
    eventually(
      async () => expect((await keeper.query(`select pg_terminate_backend(pid) ${others}`)).rowCount).toBe(0),
      30_000,
    );

  const without = async (file: string, act: () => Promise<void>): Promise<void> => {
    renameSync(file, `${file}.away`);
    await act().finally(() => renameSync(`${file}.away`, file));
  };

  const withAnotherKey = async (act: () => Promise<void>): Promise<void> => {
    copyFileSync(key, `${key}.kept`);
    makeCertificate(join(folder, 'other.crt'), key);
    await act().finally(() => renameSync(`${key}.kept`, key));
  };

  describe('of the service', () => {
    let app: NestFastifyApplication;
    let base: string;
    beforeAll(async () => {
      const config = loadConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', DEMO_DATA: 'false', DB_POOL: '2' });
      await prepareDatabase(config);
      app = await createApp(config);
      await app.listen(0, '127.0.0.1');
      base = await app.getUrl();
    }, 120_000);
    afterAll(() => app.close());

    const ask = async (path: string): Promise<number> => {
      const answer = await fetch(base + path, { headers: { authorization: basic('admin') } });
      await answer.text();
      return answer.status;
    };
    const askAtOnce = (): Promise<number[]> =>
      Promise.all(Array.from({ length: 24 }, (_, at) => ask(`/api/v1/Roles?take=${at + 1}`)));

    const cases: [string, (act: () => Promise<void>) => Promise<void>][] = [
      ['a certificate cannot be read', (act) => without(root, act)],
      ['a key is of another certificate', withAnotherKey],
    ];

    it.each(cases)('refuse all that comes for now while %s', async (_, whileUnusable) => {
      expect(await ask('/api/v1/Roles')).toBe(200);
      await whileUnusable(async () => {
        await breakConnections();
        expect(new Set(await askAtOnce())).toEqual(new Set([503]));
        await eventually(async () => expect(await ask('/health/ready')).toBe(503), 30_000);
      });
      await eventually(async () => expect(await ask('/health/ready')).toBe(200), 30_000);
      expect(new Set(await askAtOnce())).toEqual(new Set([200]));
    });
  });

  describe('of a pool', () => {
    let pool: DatabasePool;
    beforeAll(() => {
      pool = new DatabasePool({ connectionString: url, settings: {}, max: 2 });
    });
    afterAll(() => pool.end());

    it('leave it the connections that it has', async () => {
      await pool.query('select 1');
      await without(root, async () => {
        await expect(pool.openUpTo(2, () => Promise.resolve())).rejects.toMatchObject({ code: 'ENOENT' });
        expect([pool.idleCount, pool.connectionsInUse]).toEqual([1, 0]);
        expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      });
      await pool.openUpTo(2, () => Promise.resolve());
      expect([pool.idleCount, pool.connectionsInUse]).toEqual([2, 0]);
    });

    it('that are missing break a connection that it takes again at the same moment', async () => {
      await without(root, async () => {
        const lent = pool.query('select 1');
        // Those that are idle are taken in the next step of the event loop.
        pool.breakConnections('broken');
        await expect(lent).rejects.toMatchObject({ code: 'ENOENT' });
      });
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });
  });

  it('of one of several addresses leave the others', async () => {
    const missing = `${server.url}&sslrootcert=${join(folder, 'missing.crt')}`;
    expect(await firstWritable([url, missing])).toBe(url);
    expect(await firstWritable([missing, url])).toBe(url);
    await expect(firstWritable([missing])).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
