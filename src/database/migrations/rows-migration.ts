/**
 * A migration that renews what is stored, such as the words to search by. Where there are rows, that is done ahead of
 * its transaction, some at a time, each time in a transaction of its own (`renew-rows.ts`): whoever writes one of them
 * waits for these few alone. In its transaction, as with TypeORM's command line, all are done at once.
 *
 * Its SQL file has a statement that lists the ids of those concerned, then those that renew what is listed in `$1`,
 * with blank lines between them. The list is a table as long as there is something left of it, so that a process goes
 * on where one before was interrupted.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type Ask, bytesOfTexts, fewBytes } from '../few-bytes.js';
import { readSql } from './sql-files.js';

/** A list of rows is out of date once the functions of words are made anew. Its comment names its migration. */
const dropList = 'drop table if exists renewal_left';

/** Changes how words are made; those of stored rows follow in a migration behind it. `file`: see `RowsMigration`. */
export async function changeWords(runner: QueryRunner, file: string): Promise<void> {
  // Whoever has written words as before is done, so that the next migration sees all of them.
  await runner.query('lock table search_text in share mode');
  await runner.query(readSql(file));
  await runner.query(dropList);
}

export abstract class RowsMigration implements MigrationInterface {
  abstract readonly name: string;
  /** Below `src/database/migrations/`. */
  abstract readonly file: string;
  /** How many ids a transaction takes up, at most. */
  readonly atOnce: number = 200;
  /** The key of the rows that are renewed; the first column is listed. */
  readonly key: readonly string[] = ['general_id', 'comment_id'];
  /** What is renewed, to whoever waits for it. */
  readonly what: string = 'words of stored texts';

  /** Whose rows are renewed. */
  get table(): string {
    return 'search_text';
  }

  /** How long the texts of `listed.id` are: a transaction takes up fewer ids where they are long. */
  protected get bytes(): string {
    return bytesOfTexts;
  }

  /** What is left to do. */
  async list(ask: Ask): Promise<string[]> {
    const [isListed] = await ask(`select 1 as id where obj_description(to_regclass('renewal_left')) = '${this.name}'`);
    if (!isListed) {
      await ask(dropList);
      await ask('create table renewal_left (general_id bigint primary key)');
      await ask(`comment on table renewal_left is '${this.name}'`);
      await ask(`insert into renewal_left (general_id) ${this.statements[0]}`);
    }
    return (await ask('select general_id as id from renewal_left order by 1')).map(({ id }) => id);
  }

  /** Takes up the first of these ids, renews what nobody else has locked, and gives the others. */
  async renewFree(next: readonly string[], ask: Ask): Promise<{ taken: number; locked: string[] }> {
    const ids = await fewBytes(next, this.bytes, ask);
    const locked = (await ask(this.lockFree, [ids])).map(({ id }) => id);
    const held = new Set(locked);
    const free = ids.filter((id) => !held.has(id));
    await this.renew(free, ask);
    await ask('delete from renewal_left where general_id = any($1::bigint[])', [free]);
    return { taken: ids.length, locked };
  }

  async up(runner: QueryRunner): Promise<void> {
    const ask: Ask = (text, values) => runner.query(text, values);
    const ids = await this.list(ask);
    if (ids.length > 0) {
      await ask(this.lockAll, [ids]);
      await this.renew(ids, ask);
    }
    await ask(dropList);
  }

  /** What is written from then on has the words of the functions before. */
  async down(): Promise<void> {}

  private async renew(ids: readonly string[], ask: Ask): Promise<void> {
    for (const renewal of this.statements.slice(1)) await ask(renewal, [ids]);
  }

  protected get statements(): string[] {
    return readSql(this.file).trim().split(/;\n\n/);
  }

  // Writers change words at the end of what they do. Who has them locked sees all that was written to them before, with
  // the next statement; who writes later waits, and writes by itself.
  private get lockAll(): string {
    return `select from "${this.table}" where ${this.key[0]} = any($1::bigint[]) order by ${this.key.join(', ')} for update`;
  }

  /** Gives those ids of which others have locked something. */
  private get lockFree(): string {
    const [id, all] = [this.key[0], this.key.join(', ')];
    return `with free as materialized (
        select ${all} from "${this.table}" where ${id} = any($1::bigint[]) order by ${all} for update skip locked)
      select s.${id} as id from "${this.table}" s left join free on (${this.key.map((one) => `free.${one} = s.${one}`).join(' and ')})
      where s.${id} = any($1::bigint[]) group by s.${id} having bool_or(free.${id} is null) order by 1`;
  }
}
