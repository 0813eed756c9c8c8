/** Words of what was stored when they depended on the locale of the database and on what it took for a number. */
import 'reflect-metadata';
import { afterAll, beforeAll, it } from 'vitest';
import { WordsInAnyLocale1700000000150 } from '../../src/database/migrations/words-in-any-locale.js';
import { MigratedDatabase } from '../support/migrated-database.js';
import { searchedRows, type Text } from '../support/searched-rows.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
  await database.defineAny();
});
afterAll(() => database.drop());

const { set, value, tag, comment, expectRenewed, expectCurrent } = searchedRows(() => database);

const far = 'plum '.repeat(400);

const texts: readonly Text[] = [
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
  await expectRenewed(WordsInAnyLocale1700000000150, texts, ['١١', '二零']);
  await expectCurrent();
});
