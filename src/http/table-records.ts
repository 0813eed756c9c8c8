/** How the statements of the service record their own changes: as the triggers of the database do. */
import type { TableRecord } from '../command/change.js';
import {
  marked,
  mentionedBy,
  recordColumns,
  recordOf,
  resourceOf,
} from '../database/migrations/24-change-statements.js';
import { recorded } from '../database/migrations/24-recorded-tables.js';

const records = new Map<string, TableRecord>(
  Object.entries(recorded).map(([table, { columns }]) => [
    table,
    {
      columns,
      mentioned: mentionedBy(table),
      into: recordColumns,
      resource: (row) => resourceOf(table, row),
      insert: (row, request) => recordOf(table, 'insert', row, undefined, request),
      update: (row, before, request) => recordOf(table, 'update', row, before, request),
      mark: marked(table),
    },
  ]),
);

export const tableRecordOf = (table: string): TableRecord | undefined => records.get(table);
