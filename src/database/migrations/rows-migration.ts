/**
 * A migration that renews the words to search by of what is stored. Where there are rows, that is done ahead of its
 * transaction, some at a time, each time in a transaction of its own (`renew-rows.ts`): whoever writes one of them
 * waits for these few alone. In its transaction, as with TypeORM's command line, all are done at once.
 *
 * Its SQL file has a statement that lists the Generals concerned, then those that renew what is listed in `$1`, with
 * blank lines between them. What it renews may be renewed again.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from './sql-files.js';

type Ask = (text: string, values?: unknown[]) => Promise<{ id: string }[]>;

// Writers change these rows at the end of what they do. Who has them locked sees all that was written to them before,
// with the next statement; who writes later waits, and writes by itself.
const lock = 'select from search_text where general_id = any($1::bigint[]) order by general_id, comment_id for update';

export abstract class RowsMigration implements MigrationInterface {
  abstract readonly name: string;
  /** Below `src/database/migrations/`. */
  abstract readonly file: string;
  /** How many Generals a transaction renews. */
  readonly atOnce: number = 200;
  /** What is left to do, once it is listed. */
  left?: string[];

  async list(ask: Ask): Promise<string[]> {
    this.left ??= (await ask(this.statements[0]!)).map(({ id }) => id);
    return this.left;
  }

  async renew(ids: readonly string[], ask: Ask): Promise<void> {
    await ask(lock, [ids]);
    for (const renewal of this.statements.slice(1)) await ask(renewal, [ids]);
  }

  async up(runner: QueryRunner): Promise<void> {
    const ask: Ask = (text, values) => runner.query(text, values);
    const ids = await this.list(ask);
    if (ids.length > 0) await this.renew(ids, ask);
    this.left = undefined;
  }

  /** What is written from then on has the words of the functions before. */
  async down(): Promise<void> {}

  private get statements(): string[] {
    return readSql(this.file).trim().split(/;\n\n/);
  }
}
