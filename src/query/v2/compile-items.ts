/** Spells what is shown of an item. */
import type { Sql } from '../../sql.js';
import type { Row } from '../compile-operand.js';
import { spelledItem } from './compile-json.js';
import { about, type Compiling } from './compile-rows.js';
import type { Binder, Typed } from './typed.js';

export const itemSpeller =
  (item: Typed, binder: Binder, to: Compiling) =>
  (row: Row): Sql =>
    spelledItem(item, about(row, binder, to));
