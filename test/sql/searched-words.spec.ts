/** Words of what was stored when a sigma at the end of a word, and any number with a word, were read in another way. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SearchedWords1700000000115 } from '../../src/database/migrations/searched-words.js';
import { MigratedDatabase } from '../support/migrated-database.js';
import { searchedRows, type Text } from '../support/searched-rows.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
  await database.defineAny();
});
afterAll(() => database.drop());

const { set, value, tag, comment, having, expectRenewed, expectCurrent } = searchedRows(() => database);

const texts: readonly Text[] = [
  [set('name'), 'zzαας', 'zzαας', true],
  // Its capital was no last letter to a rule that looks beyond the dot; that of the query was.
  [set('name'), 'ZZΑΒΣ.pdf', 'ZZΑΒΣ', false],
  [set('name'), 'ZZΑΚΣ end', 'ZZΑΚΣ', true],
  [set('description'), '<p>zzαγς</p>', 'zzαγς', true],
  [set('description'), '<p>zz&alpha;&delta;&sigmaf;</p>', 'zzαδς', true],
  [set('description'), `zzαες ${'plum '.repeat(400)}`, 'zzαες', true],
  [value, 'zzαζς', 'zzαζς', true],
  [value, '2 zzweeks', 'zzweeks', true],
  [tag, 'zzαης', 'zzαης', true],
  [comment, 'zzαθς', 'zzαθς', true],
  [comment, 'zzα&#x3B9;&#962;', 'zzαις', true],
  [set('name'), 'zzσας', 'zzσας', true],
  [set('name'), 'ZZΣΗΜΑ', 'zzσημα', false],
  [set('name'), 'zzplain &sigma; é', 'zzplain', false],
  [value, '83641 bug,83642 userstory', '', false],
  [value, 'about 2 zzdays', 'zzdays', false],
];

it('become others where the rule does, and nowhere else', async () => {
  await expectRenewed(SearchedWords1700000000115, texts, ['zzweeks', 'ZZΑΒΣ']);
  expect(await having('83641')).toEqual([]);
  await expectCurrent();
});
