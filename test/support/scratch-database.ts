/** A copy of the demonstration database for one spec file that speaks SQL. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, templateName, urlOf } from './database.js';

export class ScratchDatabase {
  readonly url: string;

  private constructor(private readonly name: string) {
    this.url = urlOf(inject('databaseUrl'), name);
  }

  static create(): Promise<ScratchDatabase> {
    return ScratchDatabase.make(templateName);
  }

  /** Without anything in it. */
  static empty(): Promise<ScratchDatabase> {
    return ScratchDatabase.make();
  }

  private static async make(template?: string): Promise<ScratchDatabase> {
    const name = `scratch_${randomBytes(8).toString('hex')}`;
    await createDatabase(inject('databaseUrl'), name, template);
    return new ScratchDatabase(name);
  }

  async drop(): Promise<void> {
    const server = new pg.Client(inject('databaseUrl'));
    await server.connect();
    await server.query(`drop database ${this.name} with (force)`);
    await server.end();
  }
}
