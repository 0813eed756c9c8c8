/** A database without anything in it, on the suite's own server, for a service that is started as a process. */
import pg from 'pg';
import { inject } from 'vitest';
import { urlOf } from './database.js';

/** Gives its address. */
export async function emptyDatabase(name: string): Promise<string> {
  const client = new pg.Client(inject('databaseUrl'));
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return urlOf(inject('databaseUrl'), name);
}
