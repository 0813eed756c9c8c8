/** Replicas that can never serve: nobody gets what they hold, and whoever runs the service is told why. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { basic } from '../support/app.js';
import { demonstrationDatabase } from '../support/empty-database.js';
import { type ClusterServer, ReplicatedPostgres } from '../support/replicated-postgres.js';
import { Service, until } from '../support/service.js';

let service: Service;
afterEach(async () => {
  service.kill('SIGKILL');
  await service.ended;
});

async function start(replicaOf: (databaseUrl: string) => string | Promise<string>, primary?: string) {
  const DATABASE_URL = primary ?? (await demonstrationDatabase(nameOfNew()));
  const READ_DATABASE_URL = await replicaOf(DATABASE_URL);
  service = Service.spawn({ DATABASE_URL, READ_DATABASE_URL });
  return service.address();
}

const nameOfNew = (): string => `wrong_replica_${randomBytes(4).toString('hex')}`;
const ready = async (base: string) => (await fetch(`${base}/health/ready`)).json() as Promise<{ reasons?: string[] }>;

describe('a replica', () => {
  it('that is another database serves nobody', async () => {
    const base = await start(() => demonstrationDatabase(nameOfNew()));
    const headers = { authorization: basic('admin'), 'content-type': 'application/json', accept: 'application/json' };
    const body = JSON.stringify({ Name: 'own' });
    const { status } = await fetch(`${base}/api/v1/Tags`, { method: 'POST', headers, body });
    expect(status).toBe(201);
    await until(async () => String((await ready(base)).reasons) === 'replica of another database');
    const path = `${base}/api/v1/Tags?where=Name eq 'own'`;
    for (const [more, position] of [
      ['', '1-0/10'],
      ['&consistency=eventual', '0'],
    ] as const) {
      const read = await fetch(path + more, { headers: { ...headers, 'x-read-after': position } });
      expect(((await read.json()) as { Items: unknown[] }).Items).toHaveLength(1);
    }
    await service.says(/"level":"warn",.*"replica":1,"cause":"It holds another database than the primary."/);
  });

  it('that is a copy of the files of the primary and takes writes serves nobody', { timeout: 180_000 }, async () => {
    const cluster = await ReplicatedPostgres.start(1);
    try {
      const [copy] = cluster.replicas as [ClusterServer];
      await until(() => copy.hasAll(cluster.primary));
      await copy.end();
      // It follows nobody then, and its timeline is that of the primary.
      rmSync(join(copy.pgdata, 'standby.signal'));
      await copy.start();
      await copy.rows(`insert into tag (name) values ('of the copy')`);
      const base = await start(() => copy.url, cluster.primary.url);
      const headers = { authorization: basic('admin'), accept: 'application/json', 'x-read-after': '0' };
      const read = async () => {
        const answer = await fetch(`${base}/api/v1/Tags?consistency=eventual&where=Name eq 'of the copy'`, { headers });
        return ((await answer.json()) as { Items: unknown[] }).Items;
      };
      await until(async () => {
        // The log of the copy is ahead of that of the primary.
        await copy.rows('select pg_switch_wal()');
        expect(await read()).toEqual([]);
        return String((await ready(base)).reasons) === 'replica late';
      });
      expect(await read()).toEqual([]);
      await cluster.primary.end();
      await copy.end();
      await copy.start();
      // It has another start than any that was that of the primary.
      await until(async () => String((await ready(base)).reasons) === 'database away,replica late');
      expect((await fetch(`${base}/api/v1/Tags?consistency=eventual`, { headers })).status).toBe(503);
    } finally {
      await cluster.stop();
    }
  });

  it.each([
    ['with a wrong password', (url: URL) => url.searchParams.set('password', 'wrong')],
    [
      'of a database that is not there',
      (url: URL) => {
        url.pathname = '/wrong';
      },
    ],
    [
      'that takes no connections',
      (url: URL) => {
        url.port = '1';
      },
    ],
  ])('%s is named in the log, once', async (_, change) => {
    const base = await start((databaseUrl) => {
      const url = new URL(databaseUrl);
      change(url);
      return url.href;
    });
    await service.says(/"level":"warn",.*"replica":1,"cause":".+","msg":"A replica is left: reads run elsewhere."/);
    expect(await ready(base)).toEqual({ status: 'ok', reasons: ['replica away'] });
    expect(service.output.match(/A replica is left/g)).toHaveLength(1);
  });
});
