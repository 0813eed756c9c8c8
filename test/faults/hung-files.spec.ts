/** A directory of files that hangs, as that of a network that is away: files are 503, and all else goes on and ends. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { basic } from '../support/app.js';
import { demonstrationDatabase } from '../support/empty-database.js';
import { Service, until } from '../support/service.js';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'worktrack-hung-'));
let service: Service;
afterAll(async () => {
  service.kill('SIGKILL');
  await service.ended;
  rmSync(DATA_DIR, { recursive: true });
});

/** Whoever opens a pipe to which nobody writes waits for ever. */
function putPipeInPlaceOf(key: string): void {
  const path = join(DATA_DIR, 'files', key.slice(0, 2), key);
  rmSync(path);
  execFileSync('mkfifo', [path]);
}

it('keeps nobody from logging in, nor the process from its end', { timeout: 180_000 }, async () => {
  service = Service.spawn({ DATABASE_URL: await demonstrationDatabase('hung_files'), DATA_DIR });
  const address = await service.address();
  const ask = (path: string, login: string, init: RequestInit = {}) =>
    fetch(`${address}${path}`, { ...init, headers: { authorization: basic(login), ...init.headers } });
  const stories = await ask('/api/v1/UserStories?format=json&take=1', 'admin');
  const { Items } = (await stories.json()) as { Items: [{ Id: number }] };
  const sent = await ask('/api/v1/Attachments?format=json', 'admin', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Name: 'a.txt', Content: 'YQ==', General: { Id: Items[0].Id } }),
  });
  expect(sent.status).toBe(201);
  const { Id } = (await sent.json()) as { Id: number };
  const [key] = readdirSync(join(DATA_DIR, 'files'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.slice(3))
    .filter((name) => name.length === 32);
  const download = (signal?: AbortSignal) => ask(`/Attachment.aspx?AttachmentID=${Id}`, 'admin', { signal });
  expect(await (await download()).text()).toBe('a');
  putPipeInPlaceOf(key!);

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
});
