/** Before all specs: a PostgreSQL of the suite's own on a free port, and a template database with the demonstration data. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import 'reflect-metadata';

export const templateName = 'template_demo';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { startEmbedded } = await import('../../src/database/embedded/embedded.js');
  const { loadConfig } = await import('../../src/config.js');
  const { prepareDatabase } = await import('../../src/database/prepare.js');
  const directory = mkdtempSync(join(tmpdir(), 'worktrack-test-'));
  // The account that PostgreSQL runs under must reach it, or the data would lie elsewhere and be left behind.
  chmodSync(directory, 0o711);
  const server = await startEmbedded({ dataDirectory: join(directory, 'data'), throwaway: true });
  await createDatabase(server.url);
  await prepareDatabase(loadConfig({ DATABASE_URL: urlOf(server.url, templateName), DEMO_DATA: 'true' }));
  project.provide('databaseUrl', server.url);
  return async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${templateName}`);
  await client.end();
}

export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
