/** Words of what was changed while a change of long custom fields was passed over. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ComparedTexts1700000000230 } from '../../src/database/migrations/compared-texts.js';
import { MigratedDatabase } from '../support/migrated-database.js';
import { searchedRows, type Text, type Write } from '../support/searched-rows.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
  await database.defineAny();
  await rows(`insert into custom_field (name, field_type, entity_type_id) select 'A', 'RichText', id from entity_type`);
});
afterAll(() => database.drop());

const { rows, set, value, comment, having, expectRenewed, expectCurrent } = searchedRows(() => database);

const behindMarks =
  (attributes: number, before: string): Write =>
  async (id, text) => {
    const values = (Any: string) => JSON.stringify({ A: `<p style="${'color:red;'.repeat(attributes)}">`, Any });
    await set('custom_values')(id, values(before));
    return set('custom_values')(id, values(text));
  };
const otherField: Write = async (id, text) => {
  await set('custom_values')(id, JSON.stringify({ A: text }));
  return value(id, text);
};
/** As many tags as are searched, and one more. */
const behindTags: Write = async (id, text) => {
  await rows(
    `with made as (
       insert into tag (name) select 'tag ' || n || repeat('!', 240) from generate_series(1, 60) n
       union all select $2 returning id)
     insert into general_tag (general_id, tag_id) select $1, id from made`,
    [id, text],
  );
  await rows(`update tag set name = replace(name, '!', '') where name like '%!'`);
  return `${id} 0`;
};

const texts: readonly Text[] = [
  [behindMarks(2500, 'zzeldest'), 'zzhidden', 'zzhidden', true],
  [behindMarks(1, 'zzelder'), 'zzshown', 'zzshown', false],
  [otherField, '<i>zzmark', 'zzmark', true],
  [behindTags, 'zztag', 'zztag', true],
  [value, 'zza < zzb', 'zzb', false],
  [comment, 'zzcomment', 'zzcomment', false],
];

it('become those of the texts now, where they are others', async () => {
  await expectRenewed(ComparedTexts1700000000230, texts, ['zzhidden', 'zztag']);
  expect([await having('zzeldest'), await having('zzelder')]).toEqual([[], []]);
  await expectCurrent();
});
