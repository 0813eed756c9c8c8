/** How a process ends while operations on stored files are slow, or hang. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { Service } from '../support/service.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-ends-'));
afterAll(() => rmSync(directory, { recursive: true }));

let service: Service;
afterEach(async () => {
  service.kill('SIGKILL');
  await service.ended;
});

/** Whoever opens it waits for ever. */
const pipe = join(directory, 'pipe');
execFileSync('mkfifo', [pipe]);

const slow = `import { inThread } from './build/turns/file-threads.js';
  import { execFile } from 'node:child_process';
  import { promisify } from 'node:util';
  void inThread(() => promisify(execFile)('sleep', ['2'])).then(() => console.log('stored'));`;
const hung = `import { inThread } from './build/turns/file-threads.js';
  import { open } from 'node:fs/promises';
  void inThread(() => open(${JSON.stringify(pipe)})).catch(() => undefined);`;
const serving = `import { endInOrder } from './build/server/end-in-order.js';
  setInterval(() => {}, 1000);
  endInOrder({ drain() {}, drainMs: 0, patienceMs: 10_000, close: async () => console.log('closed') });
  process.kill(process.pid, 'SIGTERM');`;
const starting = `import { endAtOnce } from './build/server/end-in-order.js';
  setInterval(() => {}, 1000);
  endAtOnce(async () => console.log('released'));
  process.kill(process.pid, 'SIGTERM');`;
const failing = `import { endProcess } from './build/server/end-process.js';
  setInterval(() => {}, 1000);
  void endProcess(3);`;

it.each([
  ['serves', serving, 'closed\nstored\n'],
  ['starts', starting, 'released\nstored\n'],
])('a process that %s and gets a signal waits for a file that is slow', async (_, script, output) => {
  service = Service.run(slow + script);
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(service.output).toBe(output);
});

it.each([
  ['serves', serving, 1],
  ['starts', starting, 0],
  ['fails', failing, 3],
])('a process that %s is killed where a file hangs', async (_, script, status) => {
  service = Service.run(hung + script);
  expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(service.output).toContain(
    `does not answer, so the process is killed in place of its end with status ${status}`,
  );
});

const contained = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'] as const;

it.runIf(spawnSync(contained[0], [...contained.slice(1), 'true']).status === 0)(
  'process 1 of a container ends as well where a file hangs',
  async () => {
    service = Service.run(hung + failing, contained);
    await service.ended;
    expect(service.output).toContain('killed in place of its end with status 3');
  },
);

it('nothing begins while the process ends', async () => {
  const more = `console.log('ends');
    setTimeout(() => void inThread(async () => console.log('begun')), 100);`;
  service = Service.run(slow + failing.replace('endProcess(3)', 'endProcess(0, 10_000)') + more);
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(service.output).toBe('ends\nstored\n');
});
