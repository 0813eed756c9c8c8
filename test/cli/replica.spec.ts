/** Commands on a replica: those that read do as elsewhere, those that write name what is wrong in one line. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../support/command.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { until } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-replica-'));
let cluster: ReplicatedPostgres;
beforeAll(async () => {
  cluster = await ReplicatedPostgres.start(1);
  await until(() => cluster.replicas[0]!.hasAll(cluster.primary));
}, 120_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

const run = (...args: string[]) =>
  command({ DATABASE_URL: cluster.replicas[0]!.url, DATA_DIR: directory }, args, 'restricted words\n');

const replica =
  'The database of DATABASE_URL takes no writes: it is a replica, or read-only. Set DATABASE_URL to the one that does.';
const refused = 'The database takes no writes at the moment. Try again.';

it.each([
  [['doctor'], replica],
  [['doctor', '--fix'], replica],
  [['seed', '--generals', '10'], replica],
  [['user', 'add', 'ursula', '--email', 'u@example.com'], refused],
  [['settings', 'set', 'SessionHours', '24'], refused],
])('%j is refused in one line', async (args, line) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([1, `worktrack: ${line}\n`]);
});

it.each([
  [['migrate', '--check']],
  [['user', 'list']],
  [['settings', 'get', 'SessionHours']],
])('%j reads', async (args) => {
  expect((await run(...args)).code).toBe(0);
});
