/** A database of a released version, as it was then, with demonstration data. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import pg from 'pg';
import { ScratchDatabase } from './scratch-database.js';

export async function released(version: string): Promise<ScratchDatabase> {
  const database = await ScratchDatabase.empty();
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(dumpOf(version)).finally(() => client.end());
  return database;
}

export const dumpOf = (version: string): string =>
  brotliDecompressSync(readFileSync(new URL(`../upgrade/${version}.sql.br`, import.meta.url))).toString();
