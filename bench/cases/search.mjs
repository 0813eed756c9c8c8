/**
 * Searches for a rare word, for common ones and for the beginning of one, in all projects and in one, beside the same
 * statement with nothing around it.
 */
import { searchBlocks } from '../../build/query/compile/search-blocks.js';
import { statement as finished, name as named, raw, sql } from '../../build/sql.js';
import { get } from '../requests.mjs';

const letter = '[\\p{L}\\p{N}]';

/**
 * Of `$1` what is wanted, of `$2` the pattern of the piece that is shown, `$3` the id that comes first, and `$4` the
 * project, or null.
 */
function statementOf(hasPrefix, isInProject) {
  const blocks = searchBlocks({
    table: 'general',
    alias: named('t'),
    exists: raw(`t.delete_date is null${isInProject ? ' and t.project_id = $4::bigint' : ''}`),
    isFiltered: false,
    hasPrefix,
    shown: raw(`ts_rank(ts_filter(s.words, '{a,b}'), wanted.words, 1) as rank`),
    most: 500,
  });
  const { text } = finished(sql`with wanted as materialized (
      select words, loose, loose as narrow from (
        select words, coalesce(words && ('#p0|#p' || $4::bigint)::tsquery, words) as loose
        from (select $1::tsquery as words) w) w),
    hit as materialized (select * from (${blocks}) hit limit 500), page as (
      select general_id, max(rank) as rank, (array_agg(comment_id order by rank desc, comment_id))[1] as comment_id
      from hit group by general_id order by general_id = $3::bigint desc, rank desc, general_id desc limit 26)
    select p.general_id as id, p.rank, p.comment_id as comment, g.name,
      search_piece(case when p.comment_id = 0 then g.description else c.description end, $2) as piece
    from page p join general g on g.id = p.general_id left join comment c on c.id = p.comment_id
    order by p.general_id = $3::bigint desc, p.rank desc, p.general_id desc`);
  return text;
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function marked(text, words, isPrefix) {
  const wanted = new RegExp(`(?<!${letter})(?:${words.join('|')}${isPrefix ? `${letter}*` : ''})(?!${letter})`, 'iu');
  if (text === null || !wanted.test(text)) return undefined;
  const html = text.replace(/[&<>"]/g, (one) => escapes[one]);
  return html.replace(new RegExp(wanted.source, 'giu'), '<mark>$&</mark>');
}

function itemOf({ id, rank, comment, name, piece }, words, isPrefix) {
  const isItem = Number(comment) === 0;
  const texts = [
    { Field: 'Name', Html: marked(name, words, isPrefix) },
    { Field: isItem ? 'Description' : 'Comment', Html: marked(piece, words, isPrefix) },
  ];
  const Found = {
    Rank: Math.round(rank * 1e4) / 1e4,
    ...(!isItem && { CommentId: Number(comment) }),
    Highlights: { Items: texts.filter(({ Html }) => Html !== undefined) },
  };
  return JSON.stringify({ ResourceType: 'General', Id: Number(id), Name: name, Found });
}

/** `wordsOf(i)`: what the i-th request looks for. */
function one({ name, what, wordsOf, isPrefix = false, isInProject = false, goal }) {
  const text = statementOf(isPrefix, isInProject);
  const projectOf = (i, projects) => projects[i % projects.length].id;
  return {
    name,
    what,
    clients: [1, 8],
    unit: 'requests',
    size: 1,
    isRead: true,
    goal: (clients) => (clients === 1 ? goal : undefined),
    service(i, { headers, projects }) {
      const q = wordsOf(i).join('+') + (isPrefix ? '*' : '');
      const project = isInProject ? `&project=${projectOf(i, projects)}` : '';
      return get(`/api/v1/Search?q=${q}${project}&include=[Id,Name]&format=json`, headers);
    },
    limit: (i, { projects }) =>
      get(`/${name}/${wordsOf(i).join('+')}${isInProject ? `/${projectOf(i, projects)}` : ''}`),
    async answer(database, [joined, project = null]) {
      const words = joined.split('+');
      const id = /^\d+$/.test(joined) ? Number(joined) : -1;
      const wanted = words.map((word) => `'${word}'${isPrefix ? ':*' : ''}`).join(' & ');
      const pattern = `(^|[^[:alnum:]])(${words.join('|')}${isPrefix ? '' : '([^[:alnum:]]|$)'})`;
      const values = [id > 0 ? `${wanted} | '#i${id}'` : wanted, pattern, id, project];
      const rows = await database.rows(name, text, values);
      const next = rows.length > 25 ? '"Next":"http://127.0.0.1:10000/",' : '';
      const items = rows.slice(0, 25).map((row) => itemOf(row, words, isPrefix));
      return { status: 200, text: `{${next}"Items":[${items.join(',')}]}` };
    },
  };
}

const inTurn = (words) => (i) => words[i % words.length];
const common = inTurn(['payment', 'delivery', 'reports', 'stock']);

export default [
  one({
    name: 'search-rare',
    what: 'a number that a few texts hold, searched for',
    wordsOf: (i) => [String(700 + (i % 250))],
    goal: { within: 20 },
  }),
  one({
    name: 'search-common',
    what: 'a word that a tenth of all texts hold, searched for',
    wordsOf: (i) => [common(i)],
    goal: { within: 100 },
  }),
  one({
    name: 'search-two',
    what: 'two common words that the newest items do not have, searched for',
    wordsOf: (i) => ['story', common(i)],
    goal: { within: 100 },
  }),
  one({
    name: 'search-project',
    what: 'a common word, searched for in one project of a hundred',
    wordsOf: (i) => [common(i)],
    isInProject: true,
    goal: { within: 100 },
  }),
  one({
    name: 'search-prefix',
    what: 'words that begin so, searched for',
    wordsOf: inTurn([['pay'], ['deliv'], ['repo'], ['stoc']]),
    isPrefix: true,
    goal: { within: 100 },
  }),
];
