/** Databases on the suite's own server for a service that is started as a process. */
import pg from 'pg';
import { inject } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { prepareDatabase } from '../../src/database/prepare.js';
import { bareTemplateName, createDatabase, templateName, urlOf } from './database.js';

async function made(name: string, template?: string): Promise<string> {
  const server = inject('databaseUrl');
  await createDatabase(server, name, template);
  return urlOf(server, name);
}

/** Without anything in it, for what a first start does. Gives its address. */
export const emptyDatabase = (name: string): Promise<string> => made(name);

/** As a first start leaves it, which takes a service some seconds. */
export const bareDatabase = (name: string): Promise<string> => made(name, bareTemplateName);

/** The same with the demonstration data. */
export const demonstrationDatabase = (name: string): Promise<string> => made(name, templateName);

/** As a first start leaves it where the locale of the database is C: only letters of ASCII are letters to it. */
export async function databaseOfLocaleC(name: string): Promise<string> {
  const server = inject('databaseUrl');
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name} template template0 encoding 'UTF8' locale_provider libc locale 'C'`);
  await client.end();
  const url = urlOf(server, name);
  await prepareDatabase(loadConfig({ DATABASE_URL: url }));
  return url;
}
