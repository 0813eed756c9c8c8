/** All rows of the database as plain SQL reads them, found by id and by any column. */
import type { ResourceType } from '../../../src/model/model.js';
import type { TestApp } from '../app.js';
import { model } from '../builder.js';

export interface Row {
  id: number;
  [column: string]: unknown;
}

/** The definition of a custom field. */
export interface Definition {
  name: string;
  type: string;
  processId: number | null;
  entityTypeId: number;
}

export class Dump {
  private readonly indexes = new Map<string, Map<unknown, Row[]>>();

  private constructor(
    private readonly tables: ReadonlyMap<string, readonly Row[]>,
    readonly definitions: readonly Definition[],
    /** The clock of the database, in milliseconds. */
    readonly now: number,
    /** What addresses of the service start with. */
    readonly base: string,
  ) {}

  static async of(app: TestApp): Promise<Dump> {
    const tables = new Map<string, Row[]>();
    for (const table of tableNames()) tables.set(table, await app.rows(`select * from "${table}"`));
    const definitions = await app.rows(`select name, field_type as "type", process_id as "processId",
      entity_type_id as "entityTypeId" from custom_field order by process_id nulls first, numeric_priority, id`);
    const [{ now }] = await app.rows('select now()');
    return new Dump(tables, definitions, now.getTime(), app.base);
  }

  rows(table: string): readonly Row[] {
    const rows = this.tables.get(table);
    if (!rows) throw new Error(`the table ${table} was not read`);
    return rows;
  }

  /** The rows that have a value in a column. */
  having(table: string, column: string, value: unknown): readonly Row[] {
    const key = `${table}.${column}`;
    let index = this.indexes.get(key);
    if (!index) {
      index = new Map();
      for (const row of this.rows(table)) {
        const same = index.get(row[column]);
        if (same) same.push(row);
        else index.set(row[column], [row]);
      }
      this.indexes.set(key, index);
    }
    return index.get(value) ?? [];
  }

  row(table: string, id: unknown): Row | undefined {
    return id === null || id === undefined ? undefined : this.having(table, 'id', id)[0];
  }
}

const tableNames = (): Set<string> =>
  new Set(model.resources.flatMap((resource) => [resource.table, ...links(resource)]));

const links = ({ fields }: ResourceType): string[] =>
  fields.flatMap((field) => (field.kind === 'collection' && field.via.kind === 'link' ? [field.via.table] : []));
