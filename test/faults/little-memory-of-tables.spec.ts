/** Tables of long rows, made by a service of little memory: they take little more than their texts. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demonstrationDatabase } from '../support/empty-database.js';
import { adminHeaders } from '../support/ledger.js';
import { Service } from '../support/service.js';

let service: Service;
let base: string;
beforeAll(async () => {
  const DATABASE_URL = await demonstrationDatabase('tables');
  service = Service.spawn({ DATABASE_URL, DB_POOL: '2', NODE_OPTIONS: '--max-old-space-size=128' });
  base = await service.address();
}, 60_000);
afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
});

const members = Array.from({ length: 100 }, (_, at) => `m${at}:id`).join(',');

const ask = async (path: string) => {
  const answer = await fetch(`${base}/api/v2/${path}`, { headers: adminHeaders });
  return { status: answer.status, bytes: Buffer.byteLength(await answer.text()) };
};

it('D16: a table of many long cells takes no more memory than the same list in JSON', async () => {
  const list = `Bug?take=60&where=(project.id=8)&select={id,x:project.generals.select({${members}})}`;
  const json = await ask(list);
  expect(json).toEqual({ status: 200, bytes: expect.toSatisfy((bytes: number) => bytes > 2 ** 24) });
  expect(await ask(`${list}&format=csv`)).toEqual({ status: 200, bytes: expect.any(Number) });
  expect((await fetch(`${base}/health/ready`)).status).toBe(200);
}, 120_000);
