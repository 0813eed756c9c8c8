/**
 * The short form of `npm run siege`: attacks on the built service beside a well-behaved caller, who has to be answered.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFixture } from '../../siege/fixture.mjs';
import { besiege } from '../../siege/siege.mjs';
import { demonstrationDatabase } from '../support/empty-database.js';
import { Service } from '../support/service.js';

let service: Service;
let client: pg.Client;
let attack: (names: string[]) => ReturnType<typeof besiege>;

beforeAll(async () => {
  const DATABASE_URL = await demonstrationDatabase('siege');
  service = Service.spawn({ DATABASE_URL, LOG_LEVEL: 'silent' });
  const base = await service.address();
  client = new pg.Client(DATABASE_URL);
  await client.connect();
  const fixture = await makeFixture(base, client);
  // The time-out only ends a test that would hang: how long answers take is not judged here.
  const options = { service: { base, pid: service.child.pid }, client, fixture, seconds: 1, timeoutMs: 30_000 };
  attack = (names) => besiege(names, options);
}, 120_000);
afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
  await client.end();
});

it.each([
  [['deep-paths', 'guesses-many', 'wrong-credentials', 'malformed']],
  [['anonymous-bodies', 'slow-bodies', 'slowloris']],
  [['slow-readers', 'long-tables', 'pipelining', 'heavy-10']],
  [['long-answers', 'json-bodies', 'xml-bodies', 'user-bodies']],
  [['long-items', 'long-expressions', 'many-tags']],
])('%s: others are answered, memory stays bounded, and the service goes on', { timeout: 120_000 }, async (names) => {
  const { failures, latencies, node, backend, survives, sent } = await attack(names);
  expect(failures).toEqual([]);
  expect(latencies.length).toBeGreaterThan(0);
  expect(sent).toBeGreaterThan(0);
  expect(node).toBeLessThanOrEqual(600);
  expect(backend).toBeLessThanOrEqual(200);
  expect(survives).toBe(true);
});
