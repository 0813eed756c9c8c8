/**
 * How the statements of the service record their own changes: as the triggers of the database do. Such a statement
 * leaves a mark that keeps the triggers of its table from recording the same.
 */
import type { TableRecord } from '../command/change.js';
import type { Model } from '../model/model.js';
import { type Recorded, recordedTables } from '../model/recorded-tables.js';

export const tableRecords = (model: Model): ReadonlyMap<string, TableRecord> =>
  new Map([...recordedTables(model)].map(([table, one]) => [table, recordOf(table, one)]));

function recordOf(table: string, one: Recorded): TableRecord {
  return {
    columns: one.columns,
    mentioned: mentionedBy(one),
    into: '(author_id, request_id, kind, resource, entity_id, project_id, changes)',
    resource: (row) => of(row, one.resource),
    insert: (row, request) => valuesOf(one, row, `'create'`, request),
    update: (row, before, request) =>
      valuesOf(one, row, one.kind?.replaceAll('o.', `${before}.`).replaceAll('n.', `${row}.`) ?? `'update'`, request),
    mark: `set_config('worktrack.recorded', '${table} ' || statement_timestamp(), true)`,
  };
}

const author = `nullif(current_setting('worktrack.author', true), '')::bigint`;
const requestOfTransaction = `nullif(current_setting('worktrack.request', true), '')`;

/**
 * Values of all but the last column, of a row as it is afterwards. `request`: of this row, where several share a
 * transaction.
 */
function valuesOf(one: Recorded, row: string, kind: string, request = requestOfTransaction): string[] {
  const { resource, id = 'r.id', project = 'null::bigint', author: own } = one;
  return [
    own ? `coalesce(${author}, ${of(row, own)})` : author,
    request,
    kind,
    of(row, resource),
    of(row, id),
    of(row, project),
  ];
}

function of(row: string, expression: string): string {
  return expression.replaceAll('r.', `${row}.`);
}

/** Columns that the values of a record are made of. */
function mentionedBy({ resource, id = 'r.id', project = '', author: own = '', kind = '' }: Recorded): string[] {
  const names = [...`${resource} ${id} ${project} ${own} ${kind}`.matchAll(/\b[rn]\.(\w+)/g)].map(([, name]) => name!);
  return [...new Set(['id', ...names])];
}
