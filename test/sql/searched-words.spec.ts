/** Words of what was stored when a sigma at the end of a word, and any number with a word, were read in another way. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SearchedWords1700000000115 } from '../../src/database/migrations/searched-words.js';
import { MigratedDatabase } from '../support/migrated-database.js';
import { searchedRows, type Write } from '../support/searched-rows.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
  await database.defineAny();
});
afterAll(() => database.drop());

const { rows, set, value, tag, comment, stored, having } = searchedRows(() => database);

/** Each with a word that is found in it afterwards, and whether its words become others. */
const texts: [write: Write, text: string, word: string, changes: boolean][] = [
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
  const now = await database.schema();
  await database.undoFrom(SearchedWords1700000000115);
  const ids = await rows('select id::int from general where project_id is not null order by id limit 20');
  const keys: string[] = [];
  for (const [at, [write, text]] of texts.entries()) keys.push(await write(ids[at]!.id, text));
  for (const word of ['zzweeks', 'ZZΑΒΣ']) expect([word, (await having(word)).length]).toEqual([word, 0]);
  const before = await stored();

  await database.migrate();

  expect(await database.schema()).toEqual(now);
  for (const [at, [, , word]] of texts.entries())
    if (word !== '') expect([word, await having(word)]).toEqual([word, [keys[at]]]);
  const after = await stored();
  const moved = [...before].filter(([key, xmin]) => after.get(key) !== xmin).map(([key]) => key);
  expect(moved.sort()).toEqual(keys.filter((_, at) => texts[at]![3]).sort());
  expect(await having('83641')).toEqual([]);
  const words = () => rows('select general_id, comment_id, strip(words)::text as words from search_text order by 1, 2');
  const migrated = await words();
  await rows(
    'select search_renew_all(array(select id from general)), search_renew(array(select id from general), true)',
  );
  expect(await words()).toEqual(migrated);
});
