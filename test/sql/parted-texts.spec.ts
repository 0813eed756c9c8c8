/** Words of what was stored when the texts of an item ran into one another and RichText fields were plain text. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { PartedTexts1700000000220 } from '../../src/database/migrations/parted-texts.js';
import { checkWords } from '../../src/doctor/words.js';
import { MigratedDatabase } from '../support/migrated-database.js';
import { searchedRows, type Text, type Write } from '../support/searched-rows.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
  await database.defineAny();
  await rows(
    `insert into custom_field (name, field_type, entity_type_id) select 'Markup', 'RichText', id from entity_type`,
  );
});
afterAll(() => database.drop());

const { rows, set, value, tag, comment, having, expectRenewed, expectCurrent } = searchedRows(() => database);

/** Without tags and custom fields an item has as many texts as before. */
const bare =
  (write: Write): Write =>
  async (id, text) => {
    await rows('delete from general_tag where general_id = $1', [id]);
    await rows(`update general set custom_values = '{}' where id = $1`, [id]);
    return write(id, text);
  };
const values =
  (name: string): Write =>
  (id, text) =>
    set('custom_values')(id, JSON.stringify({ [name]: text }));
const link: Write = (id, text) =>
  set('custom_values')(id, JSON.stringify({ Any: { Url: 'https://zz.example', Label: text } }));

const texts: readonly Text[] = [
  [bare(tag), 'zztag', 'zztag', true],
  [bare(value), 'zzvalue', 'zzvalue', true],
  [bare(values('Markup')), '<p>zzrich</p>', 'zzrich', true],
  [bare(values('Markup')), 'caf&eacute;zz', 'cafézz', true],
  [bare(link), 'zzlabel', 'zzlabel', true],
  [bare(set('description')), 'zzdescription', 'zzdescription', false],
  [bare(set('description')), `zzlong ${'plum '.repeat(400)}`, 'zzlong', false],
  [bare(set('name')), 'zzname', 'zzname', false],
  [comment, 'zzcomment', 'zzcomment', false],
];

it('become others where an item has tags or custom fields, and nowhere else', async () => {
  // Items of the demonstration have both.
  await rows('delete from general_tag');
  await rows(`update general set custom_values = '{}'`);
  await expectRenewed(PartedTexts1700000000220, texts, ['cafézz', 'zzlabel']);
  expect(await having('eacute')).toEqual([]);
  await expectCurrent();
});

it('are those that the doctor expects', async () => {
  const source = await createDataSource(database.url, { timeZone: 'UTC', pool: 1, statementTimeoutMs: 0 }).initialize();
  expect(await checkWords(source)).toEqual([]);
  await source.destroy();
});
