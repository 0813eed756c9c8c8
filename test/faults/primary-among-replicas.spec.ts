/** The primary among the servers of READ_DATABASE_URL: it serves reads while the way of DATABASE_URL is broken. */
import { expect, it } from 'vitest';
import { basic } from '../support/app.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { Service, until } from '../support/service.js';

const headers = { authorization: basic('admin'), accept: 'application/json', 'content-type': 'application/json' };

it('serves reads once it has started again, before DATABASE_URL leads to it again', { timeout: 180_000 }, async () => {
  const cluster = await ReplicatedPostgres.start(0);
  const { primary } = cluster;
  const proxy = await CuttingProxy.to(primary.url);
  const service = Service.spawn({ DATABASE_URL: proxy.url, READ_DATABASE_URL: primary.url });
  try {
    const base = await service.address();
    const read = async () => (await fetch(`${base}/api/v1/Severities?consistency=eventual`, { headers })).status;
    const write = async (round: number) => {
      const body = JSON.stringify({ Name: `round ${round}` });
      return (await fetch(`${base}/api/v1/Tags`, { method: 'POST', headers, body })).status;
    };
    const ready = async () => (await (await fetch(`${base}/health/ready`)).json()) as { reasons?: string[] };
    for (const round of [1, 2]) {
      await until(async () => (await read()) === 200 && (await ready()).reasons === undefined, 30);
      await proxy.refuse();
      await primary.end();
      await until(async () => (await read()) === 503, 30);
      await primary.start();
      await until(async () => (await read()) === 200, 30);
      expect(await write(round)).toBe(503);
      await proxy.accept();
      await until(async () => (await write(round)) === 201, 30);
    }
  } finally {
    service.kill('SIGKILL');
    await service.ended;
    await proxy.stop();
    await cluster.stop();
  }
});
