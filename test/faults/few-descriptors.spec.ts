/** Where too few files may be open, the start ends with one line that says so. */
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { emptyDatabase } from '../support/empty-database.js';

const script = join(dirname(fileURLToPath(import.meta.url)), '../../dist/main.js');

it('says that too few files may be open', { timeout: 60_000 }, async () => {
  const DATABASE_URL = await emptyDatabase('few_descriptors');
  const env = { PATH: process.env.PATH, PORT: '0', DATABASE_URL };
  const run = new Promise<string>((resolve) => {
    execFile('/bin/sh', ['-c', 'ulimit -n 60; exec "$0" "$1"', process.execPath, script], { env }, (error, _, stderr) =>
      resolve(`${error?.code}: ${stderr}`),
    );
  });
  expect(await run).toBe(
    '1: worktrack: Too few files may be open at once: raise the limit, for example with "ulimit -n 4096" or LimitNOFILE of systemd.\n',
  );
});
