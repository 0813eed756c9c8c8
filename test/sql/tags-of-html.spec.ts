/** What looks like a tag of HTML and is none: words of what was stored before, and the rule of the service. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TagsOfHtml1700000000156 } from '../../src/database/migrations/tags-of-html.js';
import { noTag } from '../../src/texts/html-tags.js';
import { MigratedDatabase } from '../support/migrated-database.js';
import { searchedRows, type Write } from '../support/searched-rows.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
});
afterAll(() => database.drop());

const { rows, set, comment, stored, having } = searchedRows(() => database);

const description = set('description');

/** Each with a word that is found in it afterwards, and whether its words become others. */
const texts: [write: Write, text: string, word: string, changes: boolean][] = [
  [description, '<https://zzone.example/a> fails', 'zzone', true],
  [description, 'The type List<ZzTwo> is missing', 'zztwo', true],
  [description, `mail <zzthree@work.example> ${'plum '.repeat(400)}`, 'zzthree', true],
  [comment, '<zzfour@work.example> wrote', 'zzfour', true],
  [comment, '<p>zzfive <O:P>six</O:P></p><br/>', 'zzfive', false],
  [description, '<div class="zzclass">zzseven</div >', 'zzseven', false],
  [description, '<svg viewBox="0 0 9 9"><path d="M10 zzpath"/></svg> zzeight <u1:p></u1:p>', 'zzeight', false],
  [description, '<svg><title>zztitle</title></svg> zznine', 'zznine', true],
  [comment, '<math><mi>zzformula</mi></math> zzten', 'zzten', true],
];

it('becomes words that are searched, and nothing else is renewed', async () => {
  const now = await database.schema();
  await database.undoFrom(TagsOfHtml1700000000156);
  const ids = await rows('select id::int from general where project_id is not null order by id limit 20');
  const keys: string[] = [];
  for (const [at, [write, text]] of texts.entries()) keys.push(await write(ids[at]!.id, text));
  for (const word of ['zzone', 'zztwo', 'zzthree', 'zzfour']) expect([word, await having(word)]).toEqual([word, []]);
  const before = await stored();

  await database.migrate();

  expect(await database.schema()).toEqual(now);
  for (const [at, [, , word]] of texts.entries()) expect([word, await having(word)]).toEqual([word, [keys[at]]]);
  const after = await stored();
  const moved = [...before].filter(([key, xmin]) => after.get(key) !== xmin).map(([key]) => key);
  expect(moved.sort()).toEqual(keys.filter((_, at) => texts[at]![3]).sort());
  for (const word of ['zzclass', 'zzpath', 'path', 'zztitle', 'zzformula'])
    expect([word, await having(word)]).toEqual([word, []]);
});

it('follows the same rule as in the service', async () => {
  expect(await rows('select search_no_mark() as rule')).toEqual([{ rule: noTag }]);
});
