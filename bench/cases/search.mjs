/**
 * Searches for a rare word, for a common one and for the beginning of one, beside the same statement with nothing
 * around it.
 */
import { get } from '../requests.mjs';

const letter = '[\\p{L}\\p{N}]';

/** Of `$1` what is wanted, of `$2` the pattern of the piece that is shown, and `$3` the id that comes first. */
const statement = `with wanted as materialized (select $1::tsquery as words), hit as materialized (
    select hit.* from wanted, search_blocks() block, lateral (
      select s.general_id, s.comment_id, ts_rank(ts_filter(s.words, '{a,b}'), wanted.words, 1) as rank
      from search_text s join general t on t.id = s.general_id
      where s.words @@ (wanted.words && block) and t.delete_date is null
      order by s.general_id + 0 desc, s.comment_id desc limit 500) hit limit 500),
  page as (
    select general_id, max(rank) as rank, (array_agg(comment_id order by rank desc, comment_id))[1] as comment_id
    from hit group by general_id order by general_id = $3::bigint desc, rank desc, general_id desc limit 26)
  select p.general_id as id, p.rank, p.comment_id as comment, g.name,
    search_piece(case when p.comment_id = 0 then g.description else c.description end, $2) as piece
  from page p join general g on g.id = p.general_id left join comment c on c.id = p.comment_id
  order by p.general_id = $3::bigint desc, p.rank desc, p.general_id desc`;

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function marked(text, word, isPrefix) {
  const wanted = new RegExp(`(?<!${letter})(?:${word}${isPrefix ? `${letter}*` : ''})(?!${letter})`, 'iu');
  if (text === null || !wanted.test(text)) return undefined;
  const html = text.replace(/[&<>"]/g, (one) => escapes[one]);
  return html.replace(new RegExp(wanted.source, 'giu'), '<mark>$&</mark>');
}

function itemOf({ id, rank, comment, name, piece }, word, isPrefix) {
  const isItem = Number(comment) === 0;
  const texts = [
    { Field: 'Name', Html: marked(name, word, isPrefix) },
    { Field: isItem ? 'Description' : 'Comment', Html: marked(piece, word, isPrefix) },
  ];
  const Found = {
    Rank: Math.round(rank * 1e4) / 1e4,
    ...(!isItem && { CommentId: Number(comment) }),
    Highlights: { Items: texts.filter(({ Html }) => Html !== undefined) },
  };
  return JSON.stringify({ ResourceType: 'General', Id: Number(id), Name: name, Found });
}

/** `wordOf(i)`: what the i-th request looks for. */
const one = ({ name, what, wordOf, isPrefix = false, goal }) => ({
  name,
  what,
  clients: [1, 8],
  unit: 'requests',
  size: 1,
  isRead: true,
  goal: (clients) => (clients === 1 ? goal : undefined),
  service: (i, { headers }) =>
    get(`/api/v1/Search?q=${wordOf(i)}${isPrefix ? '*' : ''}&include=[Id,Name]&format=json`, headers),
  limit: (i) => get(`/${name}/${wordOf(i)}`),
  async answer(database, [word]) {
    const id = /^\d+$/.test(word) ? Number(word) : -1;
    const wanted = `'${word}'${isPrefix ? ':*' : ''}${id > 0 ? ` | '#i${id}'` : ''}`;
    const pattern = `(^|[^[:alnum:]])(${word}${isPrefix ? '' : '([^[:alnum:]]|$)'})`;
    const rows = await database.rows('search', statement, [wanted, pattern, id]);
    const next = rows.length > 25 ? '"Next":"http://127.0.0.1:10000/",' : '';
    const items = rows.slice(0, 25).map((row) => itemOf(row, word, isPrefix));
    return { status: 200, text: `{${next}"Items":[${items.join(',')}]}` };
  },
});

const inTurn = (words) => (i) => words[i % words.length];

export default [
  one({
    name: 'search-rare',
    what: 'a number that a few texts hold, searched for',
    wordOf: (i) => String(700 + (i % 250)),
    goal: { within: 20 },
  }),
  one({
    name: 'search-common',
    what: 'a word that a tenth of all texts hold, searched for',
    wordOf: inTurn(['payment', 'delivery', 'reports', 'stock']),
    goal: { within: 100 },
  }),
  one({
    name: 'search-prefix',
    what: 'words that begin so, searched for',
    wordOf: inTurn(['pay', 'deliv', 'repo', 'stoc']),
    isPrefix: true,
    goal: { within: 100 },
  }),
];
