#!/usr/bin/env node
/** `worktrack serve | migrate | seed`: the service and its chores from the command line. */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { serve } from '../serve.js';
import { complain } from '../standard-error.js';
import { migrateOnly } from './migrate.js';
import { seed } from './seed.js';

const usage = `worktrack serve                      starts the service
worktrack migrate                    brings the database to the current schema
worktrack seed --generals 200000     adds that many entities for measuring

The database is that of DATABASE_URL, or the embedded one in DATA_DIR.`;

const commands: Record<string, ((rest: string[]) => Promise<void>) | undefined> = {
  serve: () => serve(process.env),
  migrate: () => migrateOnly(process.env),
  seed: (rest) => {
    const { values } = parseArgs({ args: rest, options: { generals: { type: 'string' } } });
    return seed(process.env, values.generals);
  },
};

const [commandName = 'help', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, commandName) ? commands[commandName] : undefined;
if (!command) {
  process.stdout.write(`${usage}\n`);
  process.exitCode = commandName === 'help' || commandName === '--help' ? 0 : 2;
} else {
  await command(rest).catch((error: unknown) => {
    complain(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
