/**
 * Compares the columns whose changes the triggers of the database record with those that the service records: where a
 * migration has made the triggers of a table anew for its own columns, the others are missing.
 */
import type { DataSource } from 'typeorm';
import type { Model } from '../model/model.js';
import { recordedTables } from '../model/recorded-tables.js';
import type { Finding } from './finding.js';

/** Of each trigger the list that tools.sql has put into it; a function of somebody else's has none. */
const lists = `select * from (select substring(proname from '^record_(.*)_(?:insert|update|delete)$') as "table",
    string_to_array(substring(prosrc from 'unnest\\(''\\{([^}]*)\\}''::text\\[\\]\\)'), ',') as columns
  from pg_proc where pronamespace = current_schema()::regnamespace and proname ~ '^record_.*_(insert|update|delete)$') lists
  where columns is not null`;

export async function checkRecords(dataSource: DataSource, model: Model): Promise<Finding[]> {
  const recorded = recordedTables(model);
  const triggers: { table: string; columns: string[] }[] = await dataSource.query(lists);
  return triggers
    .flatMap(({ table, columns }) =>
      (recorded.get(table)?.columns ?? [])
        .filter((column) => !columns.includes(column))
        .map((column) => ({ table, column })),
    )
    .filter((one, at, all) => all.findIndex((other) => same(one, other)) === at)
    .map(({ table, column }) => ({
      check: 'record',
      problem: `What others than the service change in the column ${column} of ${table} is not recorded.`,
      mends: [`call record_also('${table}', '${column}')`],
    }));
}

interface Column {
  readonly table: string;
  readonly column: string;
}

const same = (one: Column, other: Column): boolean => one.table === other.table && one.column === other.column;
