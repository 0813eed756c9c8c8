/**
 * The version of a row, which its entity tag is made of: a function of what its reader may be shown of the row. So it
 * tells nothing of hidden columns and of other rows, and stays the same when a database is dumped and restored. With
 * the id, or the table, in it, it is never that of another row, which may have been written at the same moment.
 */
import { column, columnsOf, constant, list, name, type Sql, sql } from '../sql.js';
import type { ReferenceField, ResourceType, ScalarField } from './model.js';

/** `reader` is the id of the user who is shown private columns of that user's row alone; undefined: of all rows. */
export function versionSql({ root, fields }: ResourceType, alias: Sql, reader: Sql | undefined): Sql {
  const versions = fields.filter((field) => field.kind === 'scalar').filter(({ isVersion }) => isVersion);
  if (versions.length > 0)
    return sql`concat_ws('_', ${list([column(alias, 'id'), ...versions.map((field) => versionOf(field, alias))])})`;
  const shown = [...readableColumns(root, alias)].flatMap(([columnName, readers]) => {
    const stored = sql`${alias}.${columnName}`;
    if (!reader || readers === 'everyone') return stored;
    return readers === 'self' ? sql`case when ${column(alias, 'id')} = ${reader} then ${stored} end` : [];
  });
  return keyedDigest(sql`${constant(root.table)} || hash_record_extended(row(${list(shown)}), 0)`);
}

/**
 * What tells of the row alone, whatever kind the row is read as: a counter, and the moment of the last change. After
 * an older archive is restored versions are counted again, of other contents and at other moments.
 */
function versionOf({ scalar, expression, column: stored }: ScalarField, alias: Sql): Sql {
  if (scalar === 'moment') return sql`to_hex((extract(epoch from ${column(alias, stored!)}) * 1000)::bigint)`;
  return expression
    ? sql`(${expression((columnName) => column(alias, columnName))})::text`
    : sql`${column(alias, stored!)}::text`;
}

/** Without a key, the digest would confirm a guess of the id of a hidden entity that the row refers to. */
const keyedDigest = (hash: Sql): Sql => sql`left(encode(sha256(convert_to(
  (select value #>> '{}' from setting where name = 'token-secret') || ${hash}, 'UTF8')), 'hex'), 16)`;

/** Besides administrators. */
type Readers = 'everyone' | 'self' | 'nobody';

/**
 * The columns that any kind of the table shows, and to whom: the version does not depend on the kind a row is read as.
 * What nobody writes needs no version of what it refers to: the digest of the answer tells as much of that as is seen.
 */
function readableColumns(root: ResourceType, alias: Sql): Map<Sql, Readers> {
  const columns = new Map<Sql, Readers>();
  const kinds = [root, ...root.kindsBelow];
  const isWritten = kinds.some(({ settings: { operations } }) => operations.update || operations.delete);
  for (const { fields, settings, discriminator } of kinds) {
    if (discriminator) columns.set(name(discriminator.column), 'everyone');
    if (settings.customFields) columns.set(name('custom_values'), 'everyone');
    for (const field of fields) {
      if (field.kind === 'collection' || !(isWritten || isOpen(field))) continue;
      for (const read of columnsRead(field, alias)) {
        if (columns.get(read) !== 'everyone') columns.set(read, readersOf(field));
      }
    }
  }
  return columns;
}

const isOpen = (field: ScalarField | ReferenceField): boolean =>
  field.kind === 'scalar' || field.target.settings.visible.kind === 'everyone';

function readersOf(field: ScalarField | ReferenceField): Readers {
  if (field.kind === 'scalar') return field.isPrivate ? 'self' : 'everyone';
  return field.target.settings.visible.kind === 'administrators' ? 'nobody' : 'everyone';
}

function columnsRead(field: ScalarField | ReferenceField, alias: Sql): Sql[] {
  if (field.kind === 'scalar' && field.expression) {
    return columnsOf(
      field.expression((columnName) => column(alias, columnName)),
      alias,
    );
  }
  return field.column === undefined ? [] : [name(field.column)];
}
