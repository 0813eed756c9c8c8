/** How texts are compared: by the rules of Unicode, without regard to case, whatever the rules of the database are. */
import { type Sql, sql, value } from '../sql.js';

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
export function patternSql(text: string, { wholeStart, wholeEnd }: Ends): Sql {
  const escaped = text.replace(/[\\%_]/g, (special) => `\\${special}`);
  return folded(value(`${wholeStart ? '' : '%'}${escaped}${wholeEnd ? '' : '%'}`, 'text'));
}
