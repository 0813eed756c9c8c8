/**
 * The version of a row, which its entity tag is made of: a function of what its reader may be shown of the row. So it tells
 * nothing of hidden columns and of other rows, and stays the same when a database is dumped and restored.
 */
import { column, columnsOf, list, name, type Sql, sql } from '../sql.js';
import type { ReferenceField, ResourceType, ScalarField } from './model.js';

/** `reader` is the id of the user who is shown private columns of that user's row alone; undefined: of all rows. */
export function versionSql({ root, fields }: ResourceType, alias: Sql, reader: Sql | undefined): Sql {
  const counter = fields.filter((field) => field.kind === 'scalar').find(({ isVersion }) => isVersion);
  if (counter) return versionOf(counter, alias);
  const shown = [...readableColumns(root, alias)].map(([columnName, isPrivate]) => {
    const stored = sql`${alias}.${columnName}`;
    return isPrivate && reader ? sql`case when ${column(alias, 'id')} = ${reader} then ${stored} end` : stored;
  });
  return keyedDigest(sql`hash_record_extended(row(${list(shown)}), 0)`);
}

/** A counter that tells of the row alone, whatever kind the row is read as. */
const versionOf = ({ expression, column: counter }: ScalarField, alias: Sql): Sql =>
  expression
    ? sql`(${expression((columnName) => column(alias, columnName))})::text`
    : sql`${column(alias, counter!)}::text`;

/** Without a key, the digest would confirm a guess of the id of a hidden entity that the row refers to. */
const keyedDigest = (hash: Sql): Sql => sql`left(encode(sha256(convert_to(
  (select value #>> '{}' from setting where name = 'token-secret') || ${hash}, 'UTF8')), 'hex'), 16)`;

/** The columns that any kind of the table shows, and whether each is private: the version does not depend on the kind a row is read as. */
function readableColumns(root: ResourceType, alias: Sql): Map<Sql, boolean> {
  const columns = new Map<Sql, boolean>();
  for (const { fields, settings, discriminator } of withDerived(root)) {
    if (discriminator) columns.set(name(discriminator.column), false);
    if (settings.customFields) columns.set(name('custom_values'), false);
    for (const field of fields) {
      if (field.kind === 'collection') continue;
      const isPrivate = field.kind === 'scalar' && field.isPrivate;
      for (const read of columnsRead(field, alias)) columns.set(read, isPrivate && (columns.get(read) ?? true));
    }
  }
  return columns;
}

const withDerived = (resource: ResourceType): ResourceType[] => [resource, ...resource.derived.flatMap(withDerived)];

function columnsRead(field: ScalarField | ReferenceField, alias: Sql): Sql[] {
  if (field.kind === 'scalar' && field.expression) {
    return columnsOf(
      field.expression((columnName) => column(alias, columnName)),
      alias,
    );
  }
  return field.column === undefined ? [] : [name(field.column)];
}
