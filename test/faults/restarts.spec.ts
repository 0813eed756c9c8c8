/** PostgreSQL is restarted, and crashes, under load: the service stays, and nothing that was acknowledged is lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Ledger } from '../support/ledger.js';
import { type Ending, OwnPostgres } from '../support/own-postgres.js';
import { Service } from '../support/service.js';

let postgres: OwnPostgres;
let service: Service;
let base: string;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  service = Service.spawn({ DATABASE_URL: postgres.url, DB_POOL: '4' });
  base = await service.address();
}, 120_000);
afterAll(async () => {
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
  await postgres.stop();
}, 120_000);

it.each<[string, Ending[]]>([
  ['F1: restarts, fast and immediate', ['SIGINT', 'SIGQUIT']],
  ['F8: a crash of the server', ['SIGKILL']],
])('%s: nothing is lost', { timeout: 240_000 }, async (_, endings) => {
  const ledger = await Ledger.start(base, { writers: 3, bulkWriters: 1, readers: 4 });
  for (const ending of endings) {
    await ledger.goesOn();
    await postgres.end(ending);
    await ledger.goesOn(['POST 503', 'GET 503']);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    await postgres.begin();
  }
  await ledger.goesOn();
  await ledger.end();
  const kinds = ['GET 200', 'GET 503', 'POST 200', 'POST 201', 'POST 503', 'POST unknown'];
  expect([...ledger.answers.keys()].filter((kind) => !kinds.includes(kind))).toEqual([]);
  await ledger.check(postgres.url);
  await ledger.settle();
  await ledger.check(postgres.url);
});
