/** How texts are compared: by the rules of Unicode, without regard to case, whatever the rules of the database are. */
import type { Bound } from '../../bound.js';
import { raw, type Sql, type SqlType, sql, value } from '../../sql.js';
import { isFreeText, type Type } from '../types.js';

/** Text that compares as text columns do. */
export const unicode = (text: Sql): Sql => sql`((${text}) collate "und-x-icu")`;

/** Text as it is compared without regard to case. */
export const folded = (text: Sql): Sql => sql`lower(${text} collate "und-x-icu")`;

/** Which ends of the part that is looked for are ends of the whole. */
interface Ends {
  wholeStart?: boolean;
  wholeEnd?: boolean;
}

/** What `like` takes. */
export function patternSql(text: Bound<string>, { wholeStart, wholeEnd }: Ends): Sql {
  const escaped = text.map((part) => part.replace(/[\\%_]/g, (special) => `\\${special}`));
  return folded(
    value(
      escaped.map((part) => `${wholeStart ? '' : '%'}${part}${wholeEnd ? '' : '%'}`),
      'text',
    ),
  );
}

/** Whether a value is one of a list. `left` is folded where texts are compared. */
export function listedSql(
  left: Sql,
  values: readonly unknown[] | Bound<unknown[]>,
  type: SqlType,
  isText: boolean,
): Sql {
  const bound = value(values, `${type}[]` as SqlType);
  return isText
    ? sql`${left} in (select ${folded(raw('listed'))} from unnest(${bound}) listed)`
    : sql`${left} = any(${bound})`;
}

// To groups and to `Distinct` as to `=`, texts are the same without regard to case. Of the spellings of one value the
// first in order is shown. Objects are compared as they are shown, in JSON.

/** Its values may be the same and look different. */
export const hasSpellings = (type: Type): boolean => isFreeText(type) || type.kind === 'object';

/** Equal for values that are the same. */
export const sameSql = (value: Sql, type: Type): Sql => (hasSpellings(type) ? folded(value) : value);

/** The value of a group whose rows have the same one. */
export const sameSpelled = (value: Sql, type: Type): Sql => (hasSpellings(type) ? sql`min(${unicode(value)})` : value);
