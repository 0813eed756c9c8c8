/**
 * Before all specs: a PostgreSQL of the suite's own on a free port, and template databases, as a first start leaves
 * them.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import 'reflect-metadata';

export const templateName = 'template_demo';
/** Without the demonstration data. */
export const bareTemplateName = 'template_bare';

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { startEmbedded } = await import('../../src/database/embedded/embedded.js');
  const { loadConfig } = await import('../../src/config/config.js');
  const { prepareDatabase } = await import('../../src/database/prepare.js');
  const directory = mkdtempSync(join(tmpdir(), 'worktrack-test-'));
  // The account that PostgreSQL runs under must reach it, or the data would lie elsewhere and be left behind.
  chmodSync(directory, 0o711);
  const server = await startEmbedded({ dataDirectory: join(directory, 'data'), throwaway: true });
  const prepare = (name: string, env: Record<string, string> = {}) =>
    prepareDatabase(loadConfig({ DATABASE_URL: urlOf(server.url, name), ...env }));
  await createDatabase(server.url, bareTemplateName);
  await prepare(bareTemplateName);
  await createDatabase(server.url, templateName, bareTemplateName);
  await prepare(templateName, { DEMO_DATA: 'true' });
  await onlyForCopies(server.url, bareTemplateName, templateName);
  project.provide('databaseUrl', server.url);
  return async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

/** While somebody is connected to a database, PostgreSQL makes no copy of it. */
async function onlyForCopies(server: string, ...names: string[]): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  for (const name of names) await client.query(`alter database ${name} allow_connections false`);
  await client.end();
}

/**
 * Without anything in it, or a copy of another one, whose files are copied: writing each page to the log takes twice as
 * long.
 */
export async function createDatabase(server: string, name: string, template?: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(`create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`);
  } finally {
    await client.end();
  }
}

export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
