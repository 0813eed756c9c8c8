/** A directory of files that hangs, as that of a network that is away: files are 503, and all else goes on and ends. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { basic } from '../support/app.js';
import { command } from '../support/command.js';
import { demonstrationDatabase } from '../support/empty-database.js';
import { Service, until } from '../support/service.js';

let DATA_DIR: string;
let service: Service;
beforeEach(() => {
  DATA_DIR = mkdtempSync(join(tmpdir(), 'worktrack-hung-'));
});
afterEach(async () => {
  service.kill('SIGKILL');
  await service.ended;
  rmSync(DATA_DIR, { recursive: true });
});

/** A service whose only stored file hangs, and what asks it. */
async function withHungFile(env: Record<string, string>) {
  service = Service.spawn({ ...env, DATA_DIR });
  const address = await service.address();
  const ask = (path: string, login: string, init: RequestInit = {}) =>
    fetch(`${address}${path}`, { ...init, headers: { authorization: basic(login), ...init.headers } });
  const create = async (resource: string, entity: object): Promise<{ Id: number }> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(entity) };
    const created = await ask(`/api/v1/${resource}?format=json`, 'admin', init);
    expect(created.status).toBe(201);
    return (await created.json()) as { Id: number };
  };
  const General = await create('Projects', { Name: 'files' });
  const { Id } = await create('Attachments', { Name: 'a.txt', Content: 'YQ==', General });
  const download = (signal?: AbortSignal) => ask(`/Attachment.aspx?AttachmentID=${Id}`, 'admin', { signal });
  expect(await (await download()).text()).toBe('a');
  const names = readdirSync(join(DATA_DIR, 'files'), { recursive: true, encoding: 'utf8' });
  const path = join(DATA_DIR, 'files', names.find((name) => name.length === 35)!);
  rmSync(path);
  // Whoever opens a pipe to which nobody writes waits for ever.
  execFileSync('mkfifo', [path]);
  return { address, ask, download };
}

it('keeps nobody from logging in, nor the process from its end, nor a command', { timeout: 180_000 }, async () => {
  const DATABASE_URL = await demonstrationDatabase('hung_files');
  const { address, ask, download } = await withHungFile({ DATABASE_URL });
  const leaving = new AbortController();
  const left = Array.from({ length: 4 }, () => download(leaving.signal).catch((error: Error) => error.name));
  expect((await ask('/api/v1/Roles', 'admin')).status).toBe(200);
  leaving.abort();
  expect(await Promise.all(left)).toEqual(Array(4).fill('AbortError'));
  const fifth = download();
  expect((await ask('/api/v1/Roles', 'alice:demo')).status).toBe(200);
  expect((await fetch(`${address}/documentation/errors`)).status).toBe(200);
  expect((await fetch(`${address}/health/ready?for=writes`)).status).toBe(200);
  const refused = await fifth;
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect((await ask('/api/v1/Roles', 'grace:demo')).status).toBe(200);

  service.kill('SIGTERM');
  const end = await until(() => Promise.race([service.ended, undefined]), 30);
  expect([end, service.output]).toEqual([
    { code: null, signal: 'SIGKILL' },
    expect.stringContaining('does not answer'),
  ]);

  const { code, stderr } = await command({ DATABASE_URL, DATA_DIR }, ['backup', join(DATA_DIR, 'a.tar')]);
  expect([code, stderr]).toEqual([null, expect.stringMatching(/cannot be read.*\n.*is killed .* status 1/)]);
});

it('keeps no process from its end whose database has ended', { timeout: 180_000 }, async () => {
  const { download } = await withHungFile({ DEMO_DATA: 'false' });
  expect((await download()).status).toBe(503);
  const [pid] = readFileSync(join(DATA_DIR, 'cluster/pgdata/postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(service.output).toMatch(/ended by itself .*\n.*does not answer, so the process is killed .* status 1/);
});
