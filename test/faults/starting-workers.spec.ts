/**
 * A worker that is killed while the service starts: it is replaced as soon as another one serves, and else the service
 * ends.
 */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/runtime/free-port.js';
import { bareDatabase } from '../support/empty-database.js';
import { workers } from '../support/processes.js';
import { Service, until } from '../support/service.js';

let DATABASE_URL: string;
let service: Service;
let pids: number[] = [];

beforeAll(async () => {
  DATABASE_URL = await bareDatabase('starting_workers');
});
afterEach(async () => {
  service.kill('SIGKILL');
  await service.ended;
  // One that is stopped would stay so.
  for (const pid of pids) endIfThere(pid);
});

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const isReady = async (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Of the two workers, the first `stopped` get no further until they are killed. */
async function startStopped(stopped: number, port = 0, env: Record<string, string> = {}): Promise<void> {
  service = Service.spawn({ DATABASE_URL, WORKERS: '2', DB_POOL: '1', PORT: String(port), ...env });
  pids = await until(() => (workers(service).length === 2 ? workers(service) : undefined), 60);
  for (const pid of pids.slice(0, stopped)) process.kill(pid, 'SIGSTOP');
}

it('is replaced where another one serves', { timeout: 180_000 }, async () => {
  const port = await freePort();
  await startStopped(1, port);
  await until(() => isReady(port), 60);
  process.kill(pids[0]!, 'SIGKILL');
  await service.says(/A worker ended by signal SIGKILL\. Another one takes its place\./);
  await service.address();
  await until(() => workers(service).filter((pid) => pid !== pids[0]).length === 2, 60);
  expect(await isReady(port)).toBe(true);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

it('ends the service where none serves, with one line that says so', { timeout: 180_000 }, async () => {
  await startStopped(2);
  process.kill(pids[0]!, 'SIGKILL');
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.output).toMatch(
    /^(The database .*\n)?worktrack: A worker ended by signal SIGKILL\. None serves yet: the service ends\.\n$/,
  );
});

it('ends at once where it is told to before any serves', { timeout: 180_000 }, async () => {
  await startStopped(2, 0, { DRAIN_SECONDS: '600' });
  service.kill('SIGTERM');
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});
