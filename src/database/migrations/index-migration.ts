/**
 * A migration that only adds indexes to tables which may be large. Where there are rows, they are made before its
 * transaction, while others write (`concurrent-index.ts`); what is missing then, as in a new database, its transaction
 * makes.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { WantedIndex } from '../concurrent-index.js';

export abstract class IndexMigration implements MigrationInterface {
  abstract readonly name: string;
  abstract readonly indexes: readonly WantedIndex[];

  async up(runner: QueryRunner): Promise<void> {
    for (const { name, on } of this.indexes) {
      // "if not exists" would lock the table all the same.
      const [{ made }] = await runner.query('select to_regclass($1) is not null as made', [name]);
      if (!made) await runner.query(`create index ${name} on ${on}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of this.indexes) await runner.query(`drop index ${name}`);
  }
}
