/** What looks like a tag of HTML and is none: words of what was stored before, and the rule of the service. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TagsOfHtml1700000000156 } from '../../src/database/migrations/tags-of-html.js';
import { noTag } from '../../src/texts/html-tags.js';
import { MigratedDatabase } from '../support/migrated-database.js';
import { searchedRows, type Text } from '../support/searched-rows.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
});
afterAll(() => database.drop());

const { rows, set, comment, having, expectRenewed } = searchedRows(() => database);

const description = set('description');

const texts: readonly Text[] = [
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
  await expectRenewed(TagsOfHtml1700000000156, texts, ['zzone', 'zztwo', 'zzthree', 'zzfour']);
  for (const word of ['zzclass', 'zzpath', 'path', 'zztitle', 'zzformula'])
    expect([word, await having(word)]).toEqual([word, []]);
});

it('follows the same rule as in the service', async () => {
  expect(await rows('select search_no_mark() as rule')).toEqual([{ rule: noTag }]);
});
