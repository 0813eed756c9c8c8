/** Identifiers of 128 bits. No field is one; clients use them as names of what they show. */
import { raw, sql } from '../../sql.js';
import { text } from '../types.js';
import type { FunctionRow } from './function-row.js';

const on = 'Guid';

const digits = '[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}';
const form = `^(${digits}|\\{${digits}\\})$`;

export const guidFunctions: readonly FunctionRow[] = [
  { on, name: 'newGuid', takes: [], gives: text, sql: () => raw('gen_random_uuid()::text'), nulls: 'never' },
  {
    on,
    name: 'empty',
    takes: [],
    gives: text,
    sql: () => raw(`'${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}'::text`),
    nulls: 'never',
  },
  {
    on,
    name: 'parse',
    takes: ['text'],
    gives: text,
    sql: (of) => sql`(case when btrim(${of}) ~ ${raw(`'${form}'`)} then btrim(${of})::uuid::text end)`,
    nulls: 'always',
    fits: (of) => typeof of !== 'string' || new RegExp(form).test(of.trim()),
  },
];
