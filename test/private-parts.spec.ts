/** What the service uses of packages beside their documented interface: each is pinned, and an update is noticed. */
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DatabasePool } from '../src/database/pool.js';
import { PRIMARY_POOL } from '../src/database/pools.js';
import { SharedInterceptors } from '../src/http/shared-interceptors.js';
import { TestApp } from './support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

it.each([
  '@fastify/multipart',
  '@nestjs/core',
  'pg',
  'pino',
  'typeorm',
])('%s has one exact version, the one that is installed', (name) => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
  const stated = read('../package.json').dependencies[name];
  expect(stated).toMatch(/^\d+\.\d+\.\d+$/);
  expect(read('../package-lock.json').packages[''].dependencies[name]).toBe(stated);
  expect(read(`../node_modules/${name}/package.json`).version).toBe(stated);
});

it('Nest runs the shared interceptors by the method that is replaced, and not by Observables', async () => {
  const directly = vi.spyOn(SharedInterceptors.prototype, 'around');
  const byNest = vi.spyOn(SharedInterceptors.prototype, 'intercept');
  try {
    expect((await app.ask('/api/v1/Projects?format=json&take=1')).status).toBe(200);
    expect([directly.mock.calls.length, byNest.mock.calls.length]).toEqual([1, 0]);
  } finally {
    directly.mockRestore();
    byNest.mockRestore();
  }
});

it('pino keeps the stream of a logger by its symbol', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const { [pino.symbols.streamSym]: kept } = pino({}, stream) as unknown as { [key: symbol]: unknown };
  expect(kept).toBe(stream);
});

it('TypeORM keeps the pool that it is given as the master of its driver, and pg its idle connections', async () => {
  const pool = app.nest.get(PRIMARY_POOL, { strict: false });
  expect(pool).toBeInstanceOf(DatabasePool);
  expect((app.nest.get(DataSource, { strict: false }).driver as unknown as { master: unknown }).master).toBe(pool);
  await pool.query('select 1');
  expect(pool._idle.length).toBeGreaterThan(0);
  expect(pool._idle[0].client).toBe(pool._clients.find((client: unknown) => client === pool._idle[0].client));
});
