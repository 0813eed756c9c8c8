/** Words of what was stored when they depended on the locale of the database and on what it took for a number. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WordsInAnyLocale1700000000150 } from '../../src/database/migrations/words-in-any-locale.js';
import { MigratedDatabase } from '../support/migrated-database.js';
import { searchedRows, type Write } from '../support/searched-rows.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
  await database.defineAny();
});
afterAll(() => database.drop());

const { rows, set, value, tag, comment, stored, having } = searchedRows(() => database);

const far = 'plum '.repeat(400);

/** Each with a word that is found in it afterwards, and whether its words become others. */
const texts: [write: Write, text: string, word: string, changes: boolean][] = [
  [value, 'zz ١١', '١١', true],
  [value, 'zzпривет', 'zzпривет', false],
  [value, 'zz 5e5a', '5e5a', true],
  [set('name'), 'zz ١٢', '١٢', false],
  [set('name'), 'zz 1e5a', '1e5a', true],
  [set('name'), 'zz a1e5', 'a1e5', false],
  [set('name'), 'zz 二〇', '二零', true],
  [tag, 'zz 三〇', '三零', true],
  [tag, 'zz 2e5a', '2e5a', true],
  [set('description'), '<p>3E5A</p>', '3e5a', true],
  [set('description'), '<p>四&#12295; é</p>', '四零', true],
  [set('description'), `${far} 五〇`, '五零', true],
  [set('description'), '<style>p > b {}</style>zzstyled', 'zzstyled', true],
  [set('description'), '<a title="1 > 2">zztitled</a>', 'zztitled', true],
  [set('description'), '<a title="1">zzplain</a>', 'zzplain', false],
  [set('description'), `${far} <!-- a > b --> zzremarked`, 'zzremarked', true],
  [comment, '4e5a', '4e5a', true],
  [comment, '六〇', '六零', true],
  [comment, "<a title='1 > 2'>zzcomment</a>", 'zzcomment', true],
  [comment, '<b>zzother</b>', 'zzother', false],
];

it('become others where the rule does, and nowhere else', async () => {
  const now = await database.schema();
  await database.undoFrom(WordsInAnyLocale1700000000150);
  const ids = await rows('select id::int from general where project_id is not null order by id limit 20');
  const keys: string[] = [];
  for (const [at, [write, text]] of texts.entries()) keys.push(await write(ids[at]!.id, text));
  expect([await having('١١'), await having('二零')]).toEqual([[], []]);
  const before = await stored();

  await database.migrate();

  expect(await database.schema()).toEqual(now);
  for (const [at, [, , word]] of texts.entries()) expect([word, await having(word)]).toEqual([word, [keys[at]]]);
  const after = await stored();
  const moved = [...before].filter(([key, xmin]) => after.get(key) !== xmin).map(([key]) => key);
  expect(moved.sort()).toEqual(keys.filter((_, at) => texts[at]![3]).sort());
  const words = () => rows('select general_id, comment_id, strip(words)::text as words from search_text order by 1, 2');
  const migrated = await words();
  await rows(
    'select search_renew_all(array(select id from general)), search_renew(array(select id from general), true)',
  );
  expect(await words()).toEqual(migrated);
});
