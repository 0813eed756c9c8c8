/** Conversions to whole numbers of 32 and 64 bits: a text must be one, a fraction is rounded. What does not fit becomes null. */
import { raw, type Sql, sql } from '../../sql.js';

type Bits = 32 | 64;

const bounds: Record<Bits, [least: Sql, most: Sql]> = {
  32: [raw('-2147483648'), raw('2147483647')],
  64: [raw('-9223372036854775808'), raw('9223372036854775807')],
};

/** `text` is a sign and digits. */
export const isWholeNumber = (text: string, bits: Bits): boolean =>
  BigInt.asIntN(bits, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''));

export const bitsOf = (name: string): Bits => (name.endsWith('64') ? 64 : 32);

const wholeForm = raw(`'^[ \\t\\n\\r]*[+-]?[0-9]{1,30}[ \\t\\n\\r]*$'`);

const numeric = (kind: string, of: Sql): Sql =>
  kind === 'boolean' ? sql`(case when ${of} then 1 when not ${of} then 0 end)::numeric` : sql`round((${of})::numeric)`;

/** Null for what does not fit. */
export function wholeNumber(kind: string, of: Sql, bits: Bits): Sql {
  const [least, most] = bounds[bits];
  const fitting = (number: Sql): Sql => sql`(case when ${number} between ${least} and ${most} then ${number} end)`;
  if (kind !== 'text') return fitting(numeric(kind, of));
  return sql`(case when ${of} ~ ${wholeForm} then ${fitting(sql`(btrim(${of}))::numeric`)} end)`;
}
