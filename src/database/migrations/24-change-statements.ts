/**
 * What is recorded of a change, whoever records it: the triggers, or the statement itself that makes the change and knows what it changes.
 * Such a statement leaves a mark that keeps the triggers of its table from recording the same.
 */
import { recorded } from './24-recorded-tables.js';

export type Operation = 'insert' | 'update' | 'delete';

const mark = (table: string): string => `'${table} ' || statement_timestamp()`;

export const isRecorded = (table: string): string => `current_setting('worktrack.recorded', true) = ${mark(table)}`;

/** An expression that is never null. */
export const marked = (table: string): string => `set_config('worktrack.recorded', ${mark(table)}, true)`;

export const recordColumns = '(author_id, request_id, kind, resource, entity_id, project_id, changes)';

const author = `nullif(current_setting('worktrack.author', true), '')::bigint`;
const request = `nullif(current_setting('worktrack.request', true), '')`;

/**
 * Values of all but the last column. `row` holds the row as it is afterwards, or was; `before` the row as it was. `ofRow`: the request that
 * changes this row, where several share a transaction.
 */
export function recordOf(table: string, operation: Operation, row: string, before = 'o', ofRow?: string): string[] {
  const { id = 'r.id', project = 'null::bigint', author: own, kind } = recorded[table]!;
  const of = (expression: string): string => expression.replaceAll('r.', `${row}.`);
  const kinds = {
    insert: `'create'`,
    update: kind?.replaceAll('o.', `${before}.`).replaceAll('n.', `${row}.`) ?? `'update'`,
    delete: `'delete'`,
  };
  return [
    own ? `coalesce(${author}, ${of(own)})` : author,
    ofRow ?? request,
    kinds[operation],
    resourceOf(table, row),
    of(id),
    of(project),
  ];
}

export const resourceOf = (table: string, row: string): string => recorded[table]!.resource.replaceAll('r.', `${row}.`);

/** Columns that the values of a record are made of. */
export function mentionedBy(table: string): string[] {
  const { resource, id = 'r.id', project = '', author: own = '', kind = '' } = recorded[table]!;
  const names = [...`${resource} ${id} ${project} ${own} ${kind}`.matchAll(/\b[rn]\.(\w+)/g)].map(([, name]) => name!);
  return [...new Set(['id', ...names])];
}
