/** Conversions to whole numbers of 32 and 64 bits: a text must be one, a fraction is rounded. */
import { raw, type Sql, sql } from '../../sql.js';

type Bits = 32 | 64;

const bounds: Record<Bits, [least: Sql, most: Sql]> = {
  32: [raw('-2147483648'), raw('2147483647')],
  64: [raw('-9223372036854775808'), raw('9223372036854775807')],
};

export const bitsOf = (name: string): Bits => (name.endsWith('64') ? 64 : 32);

const wholeForm = raw(`'^\\s*[+-]?\\d{1,30}\\s*$'`);

const numeric = (kind: string, of: Sql): Sql =>
  kind === 'boolean' ? sql`(case when ${of} then 1 when not ${of} then 0 end)::numeric` : sql`round((${of})::numeric)`;

/** What does not fit fails in the database, with a code that tells so. */
export function failingInteger(kind: string, of: Sql, bits: Bits): Sql {
  const type = raw(bits === 32 ? 'int' : 'bigint');
  // Of the signs that the database would take in a number, clients know two.
  if (kind === 'text') return sql`(regexp_replace(btrim(${of}), '[^0-9+-]', 'x', 'g'))::${type}`;
  return sql`(${numeric(kind, of)})::${type}`;
}

export function safeInteger(kind: string, of: Sql, bits: Bits): Sql {
  const [least, most] = bounds[bits];
  const fitting = (number: Sql): Sql => sql`(case when ${number} between ${least} and ${most} then ${number} end)`;
  if (kind !== 'text') return fitting(numeric(kind, of));
  return sql`(case when ${of} ~ ${wholeForm} then ${fitting(sql`(btrim(${of}))::numeric`)} end)`;
}
