/** Databases on the suite's own server for a service that is started as a process. */
import { inject } from 'vitest';
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
