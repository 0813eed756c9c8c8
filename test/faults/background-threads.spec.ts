/** The threads beside the event loop leave the cores to it, in each process that serves. */
import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bareDatabase } from '../support/empty-database.js';
import { workers } from '../support/processes.js';
import { Service } from '../support/service.js';

const headers = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };

let DATABASE_URL: string;
let service: Service;
beforeAll(async () => {
  DATABASE_URL = await bareDatabase('threads');
});
afterEach(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
});

const threadsOf = (pid: number): number[] => readdirSync(`/proc/${pid}/task`).map(Number);

describe.runIf(process.platform === 'linux').each([
  ['1', 0],
  ['2', 0],
  ['1', 3],
  ['2', 3],
])('with WORKERS=%s, started %i steps below others', (WORKERS, steps) => {
  it('all but the event loop have a lower priority, whatever they have done since', async () => {
    service = Service.spawn({ DATABASE_URL, WORKERS });
    setPriority(service.child.pid!, getPriority() + steps);
    const base = await service.address();
    const checks = [1, 2, 3, 4].map((at) => fetch(`${base}/api/v1/Users/${at}?format=json`, { headers }));
    expect((await Promise.all(checks)).every(({ status }) => status < 500)).toBe(true);
    const serving = WORKERS === '1' ? [service.child.pid!] : workers(service);
    expect(serving).toHaveLength(Number(WORKERS));
    for (const pid of serving) {
      expect(getPriority(pid)).toBe(getPriority() + steps);
      const others = threadsOf(pid).filter((thread) => thread !== pid);
      expect(others.length).toBeGreaterThan(4);
      expect(new Set(others.map((thread) => getPriority(thread)))).toEqual(new Set([getPriority() + steps + 5]));
    }
  });
});
