/** A copy of the demonstration database whose migrations are undone and done again, for one spec file. */
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { schemaOf } from './schema.js';
import { ScratchDatabase } from './scratch-database.js';

export class MigratedDatabase {
  private constructor(
    private readonly scratch: ScratchDatabase,
    private readonly source: DataSource,
    private readonly client: pg.Client,
  ) {}

  static async create(): Promise<MigratedDatabase> {
    const scratch = await ScratchDatabase.create();
    const { url } = scratch;
    const source = await createDataSource(url, { timeZone: 'UTC', pool: 2, statementTimeoutMs: 0 }).initialize();
    const client = new pg.Client(url);
    await client.connect();
    return new MigratedDatabase(scratch, source, client);
  }

  /** Undoes this migration and those after it. */
  async undoFrom(first: (typeof migrations)[number]): Promise<void> {
    for (const _ of migrations.slice(migrations.indexOf(first))) await this.source.undoLastMigration();
  }

  get url(): string {
    return this.scratch.url;
  }

  migrate(): Promise<unknown> {
    return migrate(this.source);
  }

  /** Does those up to this one. */
  async migrateThrough(last: (typeof migrations)[number]): Promise<void> {
    const source = createDataSource(this.url, { timeZone: 'UTC', pool: 2, statementTimeoutMs: 0 });
    source.setOptions({ migrations: migrations.slice(0, migrations.indexOf(last) + 1) });
    await source.initialize();
    await migrate(source).finally(() => source.destroy());
  }

  /** Words to search by as the functions that are there make them. */
  async renewWords(): Promise<void> {
    await this.rows(
      'select search_renew_all(array(select id from general)), search_renew(array(select id from general), true)',
    );
  }

  // biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
  async rows(text: string, values: unknown[] = []): Promise<any[]> {
    return (await this.client.query(text, values)).rows;
  }

  /** A custom field of texts, `Any`, for every kind in every process. */
  async defineAny(): Promise<void> {
    await this.rows(
      `insert into custom_field (name, field_type, entity_type_id) select 'Any', 'Text', id from entity_type`,
    );
  }

  /** What is defined in it, to be compared. */
  schema() {
    return schemaOf(this.url);
  }

  async drop(): Promise<void> {
    await this.source.destroy();
    await this.client.end();
    await this.scratch.drop();
  }
}
