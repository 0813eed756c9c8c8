/** Words of what was stored before letters were composed: the migration writes those anew that become others. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ComposedLetters1700000000105,
  ComposedLettersOfRows1700000000106,
} from '../../src/database/migrations/composed-letters.js';
import { MigratedDatabase } from '../support/migrated-database.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
  await database.defineAny();
});
afterAll(() => database.drop());

const rows = (text: string, values?: unknown[]) => database.rows(text, values);

/** The ids of Generals, and of comments, that have the word. */
const having = async (word: string) =>
  rows(
    `select general_id::int, comment_id::int from search_text, search_query($1, '{f}', '{null}', '{f}') asked
    where words @@ asked order by 1, 2`,
    [[word]],
  );

it('is done where a letter is stored in parts or wide, and nowhere else', async () => {
  await database.undoFrom(ComposedLetters1700000000105);
  await database.renewWords();
  const ids = (await rows('select id::int from general where project_id is not null order by id limit 9')).map(
    ({ id }) => id,
  );
  const [name, description, value, tag, comment, long, wide, plain, composed] = ids;
  const parts = 'zéphyr'.normalize('NFD');
  await rows('update general set name = $2 where id = $1', [name, parts]);
  await rows('update general set description = $2 where id = $1', [description, `<p>${parts}</p>`]);
  await rows(`update general set custom_values = jsonb_build_object('Any', $2::text) where id = $1`, [value, parts]);
  await rows(
    'with made as (insert into tag (name) values ($2) returning id) insert into general_tag (general_id, tag_id) select $1, id from made',
    [tag, parts],
  );
  const [{ id: said }] = await rows(
    'insert into comment (general_id, description, owner_id, create_date) values ($1, $2, 1, now()) returning id::int',
    [comment, parts],
  );
  await rows('update general set description = $2 where id = $1', [long, `${parts} ${'plum '.repeat(400)}`]);
  await rows('update general set name = $2 where id = $1', [wide, 'ＺＥＢＲＡＳ']);
  await rows('update general set name = $2 where id = $1', [plain, 'zebras']);
  await rows('update general set name = $2 where id = $1', [composed, 'zéphyr']);
  expect(await having('zéphyr')).toEqual([{ general_id: composed, comment_id: 0 }]);
  const versions = () => rows('select general_id::int, comment_id::int, xmin::text, words::text from search_text');
  const before = await versions();

  await database.migrateThrough(ComposedLettersOfRows1700000000106);

  const found = [name, description, value, tag, composed, long].map((id) => ({ general_id: id, comment_id: 0 }));
  const expected = [...found, { general_id: comment, comment_id: said }].sort((a, b) => a.general_id - b.general_id);
  for (const spelt of ['zéphyr', parts]) expect(await having(spelt)).toEqual(expected);
  expect((await having('zebras')).map(({ general_id }) => general_id)).toEqual([wide, plain]);
  const after = new Map((await versions()).map((row) => [`${row.general_id} ${row.comment_id}`, row]));
  const moved = before.filter(
    ({ general_id, comment_id, xmin }) => after.get(`${general_id} ${comment_id}`)!.xmin !== xmin,
  );
  const keys = moved.map(({ general_id, comment_id }) => `${general_id} ${comment_id}`).sort();
  const others = [name, description, value, tag, long, wide].map((id) => `${id} 0`);
  expect(keys).toEqual([...others, `${comment} ${said}`].sort());
  await database.migrate();
  const stored = () =>
    rows('select general_id, comment_id, strip(words)::text as words from search_text order by 1, 2');
  const migrated = await stored();
  await database.renewWords();
  expect(await stored()).toEqual(migrated);
});
