/**
 * One row per kind of scalar: how it is stored, what the metadata calls it and how PostgreSQL types a bound value of
 * it.
 */
import type { SqlType } from '../sql.js';

export type ScalarKind =
  | 'text'
  | 'richText'
  | 'id'
  | 'integer'
  | 'long'
  | 'decimal'
  | 'double'
  | 'flag'
  | 'moment'
  | 'choice';

export interface ScalarRow {
  /** TypeORM column options. */
  readonly column: { type: string; precision?: number; scale?: number; collation?: string };
  /** The type's name in `/meta` answers. */
  readonly metaName: string;
  /** The PostgreSQL type that a value is bound as. */
  readonly sqlType: SqlType;
  readonly isText: boolean;
}

// Order must not depend on how a database was created, so text columns carry a Unicode collation of their own.
const text = { type: 'text', collation: 'und-x-icu' };

export const scalars: Record<ScalarKind, ScalarRow> = {
  text: { column: text, metaName: 'String', sqlType: 'text', isText: true },
  richText: { column: text, metaName: 'String', sqlType: 'text', isText: true },
  choice: { column: { type: 'text' }, metaName: 'String', sqlType: 'text', isText: true },
  id: { column: { type: 'bigint' }, metaName: 'Int32', sqlType: 'bigint', isText: false },
  integer: { column: { type: 'integer' }, metaName: 'Int32', sqlType: 'bigint', isText: false },
  long: { column: { type: 'bigint' }, metaName: 'Int64', sqlType: 'bigint', isText: false },
  decimal: {
    column: { type: 'numeric', precision: 18, scale: 4 },
    metaName: 'Decimal',
    sqlType: 'numeric',
    isText: false,
  },
  double: { column: { type: 'double precision' }, metaName: 'Double', sqlType: 'double precision', isText: false },
  flag: { column: { type: 'boolean' }, metaName: 'Boolean', sqlType: 'boolean', isText: false },
  moment: {
    column: { type: 'timestamptz', precision: 3 },
    metaName: 'DateTime',
    sqlType: 'timestamptz',
    isText: false,
  },
};
