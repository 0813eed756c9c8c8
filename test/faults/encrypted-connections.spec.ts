/**
 * Encrypted connections to the database: all that reads their bytes, pauses them or breaks off does so as on others.
 */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { PooledBytes } from '../../src/bytes/pooled-bytes.js';
import { release } from '../../src/bytes/text-bytes.js';
import { loadConfig } from '../../src/config/config.js';
import type { DatabaseClient } from '../../src/database/client.js';
import { DatabasePool } from '../../src/database/pool.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { queryTextRows, type TextHold } from '../../src/database/text-query.js';
import { unavailable } from '../../src/errors.js';
import { basic } from '../support/app.js';
import { CuttingProxy, type Moment } from '../support/cutting-proxy.js';
import { EncryptedPostgres, hasOpenssl } from '../support/encrypted-postgres.js';
import { eventually } from '../support/eventually.js';

const hold: TextHold = {
  isGone: false,
  whileWanted: (promise) => promise,
  enter: () => undefined,
  add: () => true,
  end: () => undefined,
  leave: () => undefined,
};

describe.skipIf(!hasOpenssl)('an encrypted connection (needs openssl)', () => {
  let server: EncryptedPostgres;
  let pool: DatabasePool;
  beforeAll(async () => {
    server = await EncryptedPostgres.start();
    pool = new DatabasePool({ connectionString: server.url, settings: { statement_timeout: '20000' }, max: 2 });
  }, 120_000);
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  const isEncrypted = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
  const numbers = Array.from({ length: 30 }, (_, at) => at + 1);
  const longTexts = 'select repeat(chr(64 + n), 9000 * n) from generate_series(1, 30) n';

  async function expectLongTexts(one: TextHold): Promise<void> {
    const client = await pool.borrow(1);
    const asked = queryTextRows(client, { text: longTexts }, one);
    // What is asked behind it is not taken along with it.
    const behind = client.query<{ t: string }>("select repeat('b', 3000 * n) as t from generate_series(1, 30) n");
    const texts = (await asked).map(([text]) => text!);
    expect(texts.map((text) => text instanceof PooledBytes)).toEqual(numbers.map((n) => 9000 * n >= 16 * 1024));
    const wrong = numbers.filter((n, at) => texts[at]!.toString() !== String.fromCharCode(64 + n).repeat(9000 * n));
    expect(wrong).toEqual([]);
    expect((await behind).rows.map(({ t }) => t.length)).toEqual(numbers.map((n) => 3000 * n));
    texts.forEach(release);
    client.release();
  }

  it('is one', async () => {
    expect((await pool.query(isEncrypted)).rows).toEqual([{ ssl: true }]);
  });

  it('has long values taken out of it as they are', async () => {
    for (let time = 0; time < 10; time += 1) await expectLongTexts(hold);
  });

  it('waits for room, and goes on', async () => {
    let waits = 0;
    await expectLongTexts({
      ...hold,
      add: (_, waiting) => {
        waits += 1;
        setImmediate(() => waiting.goOn());
        return false;
      },
    });
    expect(waits).toBeGreaterThan(10);
  });

  it('ends what is refused, and is used again', async () => {
    const client = await pool.borrow(1);
    const refused = queryTextRows(
      client,
      { text: "select repeat('x', 20000) from generate_series(1, 20000)" },
      {
        ...hold,
        add: (_, waiting) => {
          waiting.fail(unavailable('no room'));
          return false;
        },
      },
    );
    await expect(refused).rejects.toMatchObject({ httpStatus: 503 });
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    client.release();
  });

  it('is asked to end its statement over another one that is encrypted, too', async () => {
    const proxy = await CuttingProxy.to(server.url);
    const through = new DatabasePool({ connectionString: proxy.url, settings: {}, max: 2 });
    const client = await through.borrow(1);
    const sent: string[] = [];
    const note: Moment = (from, piece) => {
      if (from === 'client') sent.push(piece.subarray(0, 8).toString('hex'));
      return false;
    };
    void proxy.breakAt(note, 'cut');
    const asked = client.query('select pg_sleep(60)').catch(({ code }) => code);
    expect(await (client as unknown as DatabaseClient).drain()).toBe(true);
    expect(await asked).toBe('57014');
    const [encrypt, cancel] = ['0000000804d2162f', '0000001004d2162e'];
    expect([sent.includes(encrypt), sent.includes(cancel)]).toEqual([true, false]);
    client.release();
    await through.end();
    await proxy.stop();
  });

  describe('of the service', () => {
    let app: NestFastifyApplication;
    let base: string;
    beforeAll(async () => {
      const config = loadConfig({ DATABASE_URL: server.url, LOG_LEVEL: 'silent', DEMO_DATA: 'false', DB_POOL: '2' });
      await prepareDatabase(config);
      app = await createApp(config);
      await app.listen(0, '127.0.0.1');
      base = await app.getUrl();
    }, 120_000);
    afterAll(() => app.close());

    const ask = async (path: string, body?: unknown) => {
      const headers = { authorization: basic('admin'), accept: 'application/json', 'content-type': 'application/json' };
      const answer = await fetch(base + path, { headers, method: body ? 'POST' : 'GET', body: JSON.stringify(body) });
      return { status: answer.status, json: (await answer.json()) as { Id: number; Description: string } };
    };

    it('is refused for now while the server does not encrypt', async () => {
      const url = new URL(server.url);
      url.searchParams.delete('sslmode');
      const keeper = new pg.Client(url.href);
      await keeper.connect();
      const encrypt = async (value: 'on' | 'off') => {
        await keeper.query(`alter system set ssl = ${value}`);
        await keeper.query('select pg_reload_conf()');
        await eventually(async () => expect((await keeper.query('show ssl')).rows).toEqual([{ ssl: value }]), 30_000);
      };
      try {
        await encrypt('off');
        await keeper.query('select pg_terminate_backend(pid) from pg_stat_ssl where ssl');
        expect((await ask('/api/v1/Roles')).status).toBe(503);
      } finally {
        await encrypt('on');
        await keeper.end();
      }
      await eventually(async () => expect((await ask('/api/v1/Roles')).status).toBe(200), 30_000);
    });

    it('carries long texts to and fro', async () => {
      const Description = 'ä€😀'.repeat(50_000);
      const made = await ask('/api/v1/Projects', { Name: 'Encrypted', Description });
      expect([made.status, made.json.Description === Description]).toEqual([201, true]);
      const { status, json } = await ask(`/api/v1/Projects/${made.json.Id}`);
      expect([status, json.Description === Description]).toEqual([200, true]);
    });
  });
});
