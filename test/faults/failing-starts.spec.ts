/** A start on an embedded database that fails ends that in order, so that the next one has nothing to recover. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startEmbedded } from '../../src/database/embedded/embedded.js';
import { Service } from '../support/service.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'worktrack-failing-'));
  await chmod(directory, 0o711);
});
afterEach(() => rm(directory, { recursive: true, force: true, maxRetries: 20 }));

it.each(['1', '2'])('with WORKERS=%s', { timeout: 60_000 }, async (WORKERS) => {
  const dataDirectory = join(directory, 'data');
  const server = await startEmbedded({ dataDirectory, throwaway: true });
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query(`create table migration (id serial primary key, "timestamp" bigint not null, name text not null)`);
  await client.query(`insert into migration ("timestamp", name) values (1, 'OfAnotherProgram')`);
  await client.end();
  await server.stop();
  await rm(join(dataDirectory, 'postgres.log'));

  const service = Service.spawn({ DATA_DIR: dataDirectory, WORKERS });
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.output).toMatch(/^worktrack: OfAnotherProgram .*\.\n$/);
  expect(await readFile(join(dataDirectory, 'postgres.log'), 'utf8')).toMatch(
    /received fast shutdown request(.|\n)*is shut down\n$/,
  );
});
