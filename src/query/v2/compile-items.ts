/** Spells what is shown of an item. */
import { type Sql, sql } from '../../sql.js';
import type { Row } from '../compile-operand.js';
import { jsonSql } from './compile-json.js';
import { about, type Compiling } from './compile-rows.js';
import type { Binder, Typed } from './typed.js';

/** An item of a list has its place there, so that null is told. */
export const itemSpeller =
  (item: Typed, binder: Binder, to: Compiling) =>
  (row: Row): Sql => {
    const text = jsonSql(item, about(row, binder, to));
    return item.nullable ? sql`coalesce(${text}, 'null')` : text;
  };
