/** A client that openapi-typescript makes of the OpenAPI document: its types fit a program, which runs. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'worktrack-client-'));
const minutes = { timeout: 600_000 };

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});

function run(program: string, args: string[], input?: string): string {
  const options = { cwd: folder, input, maxBuffer: 2 ** 26, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  expect([status, stderr, status === 0 ? '' : stdout]).toEqual([0, expect.any(String), '']);
  return stdout;
}

it('is generated, and a program with it has no mistake of types', minutes, async () => {
  const { text } = await app.ask('/api/openapi.json');
  writeFileSync(join(folder, 'worktrack.ts'), run('node', [join(root, 'test/support/generate-client.mjs')], text));
  cpSync(join(root, 'test/examples/openapi-client.mts'), join(folder, 'program.mts'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const settings = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
  run(join(root, 'node_modules/.bin/tsc'), [...settings, '--types', 'node', 'program.mts']);
});

it('runs', minutes, async () => {
  const modules = await rolldown({ input: join(folder, 'program.mts'), platform: 'node', tsconfig: false });
  await modules.write({ file: join(folder, 'program.mjs'), format: 'esm' });
  await modules.close();
  const { Token: token } = await app.write('AccessTokens', { Name: 'generated client' });
  const env = { ...process.env, WORKTRACK_URL: app.base, WORKTRACK_TOKEN: token };
  const { stdout } = await promisify(execFile)('node', [join(folder, 'program.mjs')], { env });
  expect(JSON.parse(stdout)).toEqual([
    ['By a generated client', 0, true, ['Generate it']],
    [true, 404, 'NotFound', 'BadRequest'],
  ]);
});
