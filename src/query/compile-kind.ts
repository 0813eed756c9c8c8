/** Rows of one kind in a table that several share. */
import type { ResourceType } from '../model/model.js';
import { column, list, raw, type Sql, sql } from '../sql.js';
import type { Row } from './compiling.js';

/** Conditions that make rows of a shared table rows of one kind. */
export function kindConditions(resource: ResourceType, row: Row): Sql[] {
  const { discriminator } = resource;
  return discriminator?.values
    ? [kindSql(row.alias, discriminator.column, discriminator.type, discriminator.values)]
    : [];
}

/** That a column that holds kinds, as numbers or as names, holds one of these. */
export function kindSql(
  alias: Sql,
  columnName: string,
  type: 'int' | 'text',
  values: readonly (string | number)[],
): Sql {
  const spelled = values.map((kind) => raw(type === 'int' ? String(Number(kind)) : `'${kind}'`));
  const key = column(alias, columnName);
  return spelled.length === 1 ? sql`${key} = ${spelled[0]!}` : sql`${key} in (${list(spelled)})`;
}
