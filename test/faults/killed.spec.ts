/**
 * A worker, and the whole service, killed in the middle of bulk requests: groups are whole or absent, and the same keys
 * may be sent again.
 */
import { execFileSync } from 'node:child_process';
import { afterEach, beforeAll, it } from 'vitest';
import { bareDatabase } from '../support/empty-database.js';
import { Ledger } from '../support/ledger.js';
import { Service, until } from '../support/service.js';

const load = { writers: 2, bulkWriters: 2, readers: 1 };

let DATABASE_URL: string;
let service: Service;
beforeAll(async () => {
  DATABASE_URL = await bareDatabase('killed_in_a_bulk');
});
afterEach(async () => {
  service.kill('SIGKILL');
  await service.ended;
});

async function start(env: Record<string, string> = {}): Promise<string> {
  service = Service.spawn({ DATABASE_URL, DB_POOL: '2', ...env });
  return service.address();
}

const workers = (): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === service.child.pid)
    .map(([pid]) => pid!);

it('F6: a worker that is killed takes no group by half, and another one serves', { timeout: 180_000 }, async () => {
  const ledger = await Ledger.start(await start({ WORKERS: '2' }), load);
  for (const round of [1, 2]) {
    await ledger.goesOn();
    await until(() => ledger.bulksUnderWay > 0);
    process.kill(workers()[0]!, 'SIGKILL');
    await service.says(new RegExp(`(Another one takes its place[^]*){${round}}`));
  }
  await ledger.goesOn();
  await ledger.end();
  await ledger.check(DATABASE_URL);
  await ledger.settle();
  await ledger.check(DATABASE_URL);
});

it('F7: the service that is killed and started again has lost nothing', { timeout: 180_000 }, async () => {
  const ledger = await Ledger.start(await start(), load);
  for (let round = 0; round < 2; round++) {
    await ledger.goesOn();
    await until(() => ledger.bulksUnderWay > 0);
    service.kill('SIGKILL');
    await service.ended;
    ledger.moveTo(await start());
  }
  await ledger.goesOn();
  await ledger.end();
  await ledger.check(DATABASE_URL);
  await ledger.settle();
  await ledger.check(DATABASE_URL);
});
