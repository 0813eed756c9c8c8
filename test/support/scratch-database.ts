/** A copy of the demonstration database for one spec file that speaks SQL. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { templateName, urlOf } from './database.js';

export class ScratchDatabase {
  readonly url: string;

  private constructor(private readonly name: string) {
    this.url = urlOf(inject('databaseUrl'), name);
  }

  static create(): Promise<ScratchDatabase> {
    return ScratchDatabase.make(` template ${templateName}`);
  }

  /** Without anything in it. */
  static empty(): Promise<ScratchDatabase> {
    return ScratchDatabase.make('');
  }

  private static async make(how: string): Promise<ScratchDatabase> {
    const name = `scratch_${randomBytes(8).toString('hex')}`;
    await onServer(`create database ${name}${how}`);
    return new ScratchDatabase(name);
  }

  drop(): Promise<void> {
    return onServer(`drop database ${this.name} with (force)`);
  }
}

async function onServer(text: string): Promise<void> {
  const server = new pg.Client(inject('databaseUrl'));
  await server.connect();
  await server.query(text);
  await server.end();
}
