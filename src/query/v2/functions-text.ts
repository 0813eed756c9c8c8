/** Methods of texts. Letters are compared without regard to case, as everywhere in this API. */
import { raw, type Sql, sql } from '../../sql.js';
import type { FunctionRow } from './functions.js';
import { integer, text } from './types.js';

const on = 'text';

export const textFunctions: readonly FunctionRow[] = [
  { on, name: 'length', takes: [], gives: integer, sql: (of) => sql`char_length(${of})` },
  { on, name: 'toLower', takes: [], gives: text, sql: (of) => sql`lower(${of})` },
  { on, name: 'toUpper', takes: [], gives: text, sql: (of) => sql`upper(${of})` },
  { on, name: 'trim', takes: [], gives: text, sql: (of) => sql`btrim(${of}, ${blank})` },
  { on, name: 'trimStart', takes: [], gives: text, sql: (of) => sql`ltrim(${of}, ${blank})` },
  { on, name: 'trimEnd', takes: [], gives: text, sql: (of) => sql`rtrim(${of}, ${blank})` },
  { on, name: 'substring', takes: ['integer'], gives: text, sql: (of, start) => sql`substr(${of}, ${from(start)})` },
  {
    on,
    name: 'substring',
    takes: ['integer', 'integer'],
    gives: text,
    sql: (of, start, length) => sql`substr(${of}, ${from(start)}, greatest(${length}, 0)::int)`,
  },
  {
    on,
    name: 'replace',
    takes: ['text', 'text'],
    gives: text,
    sql: (of, old, by) => sql`replace(${of}, ${old}, ${by})`,
  },
  {
    on,
    name: 'indexOf',
    takes: ['text'],
    gives: integer,
    sql: (of, part) => sql`(strpos(lower(${of}), lower(${part})) - 1)`,
  },
  { on, name: 'toPlainText', takes: [], gives: text, sql: plainText },
];

const blank = raw(`E' \\t\\n\\r'`);

/** Places count from 0 here and from 1 in the database. */
const from = (start: Sql): Sql => sql`greatest(${start}, 0)::int + 1`;

/** What a reader sees: no tags, no escapes, no runs of white space. */
function plainText(of: Sql): Sql {
  const untagged = sql`regexp_replace(regexp_replace(${of}, '<!--.*?-->', '', 'g'), '<[^>]*>', ' ', 'g')`;
  const spelled = Object.entries(entities).reduce(
    (found, [entity, meant]) => sql`replace(${found}, ${raw(`'${entity}'`)}, ${raw(`'${meant}'`)})`,
    untagged,
  );
  return sql`btrim(regexp_replace(${spelled}, ${raw(`'[[:space:]]+'`)}, ' ', 'g'))`;
}

const entities = { '&nbsp;': ' ', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': `''`, '&amp;': '&' };

/** What is not there adds nothing. */
export const concatenation: FunctionRow = {
  name: '+',
  takes: ['text', 'text'],
  gives: text,
  sql: (one, other) => sql`(coalesce(${one}, '') || coalesce(${other}, ''))`,
  nulls: 'never',
};
