/** Words of what was stored before words were whole: the migration writes those anew that become others. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WholeWords1700000000107, WholeWordsOfRows1700000000108 } from '../../src/database/migrations/whole-words.js';
import { composed, isApart, wordsOf } from '../../src/modules/search/letters.js';
import { MigratedDatabase } from '../support/migrated-database.js';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await MigratedDatabase.create();
  await database.defineAny();
});
afterAll(() => database.drop());

const rows = (text: string, values?: unknown[]) => database.rows(text, values);

const versions = () => rows('select general_id::int, comment_id::int, xmin::text, words::text from search_text');
const keyOf = ({ general_id, comment_id }: { general_id: number; comment_id: number }) => `${general_id} ${comment_id}`;

/** The texts of Generals and comments that have the word, by id and comment. */
const having = async (word: string): Promise<string[]> =>
  (
    await rows(
      `select general_id::int, comment_id::int from search_text, search_query($1, '{f}', '{null}', '{f}') asked
      where words @@ asked order by 1, 2`,
      [[word]],
    )
  ).map(keyOf);

it('is done where a word becomes another, and nowhere else', async () => {
  const now = await database.schema();
  await database.undoFrom(WholeWords1700000000107);
  await database.renewWords();
  const ids: number[] = (
    await rows('select id::int from general where project_id is not null order by id limit 14')
  ).map(({ id }) => id);
  const comment = async (id: number, text: string): Promise<string> => {
    const [made] = await rows(
      'insert into comment (general_id, description, owner_id, create_date) values ($1, $2, 1, now()) returning id::int',
      [id, text],
    );
    return `${id} ${made.id}`;
  };
  const set = (column: string, value: string) => async (id: number) => {
    await rows(`update general set ${column} = $2 where id = $1`, [id, value]);
    return `${id} 0`;
  };
  const tagged = (name: string) => async (id: number) => {
    const sql = `with made as (insert into tag (name) values ($2) returning id)
      insert into general_tag (general_id, tag_id) select $1, id from made`;
    await rows(sql, [id, name]);
    return `${id} 0`;
  };
  const value = (text: string) => set('custom_values', JSON.stringify({ Any: text }));
  /** Each with a word that is found in it afterwards, and whether its words become others. */
  const texts: [write: (id: number) => Promise<string>, word: string, changes: boolean][] = [
    [set('name', 'q\u0303zq'), 'q\u0303zq', true],
    [set('description', '<p>q\u0303zr</p>'), 'q\u0303zr', true],
    [value('q\u0303zs'), 'q\u0303zs', true],
    [tagged('q\u0303zt'), 'q\u0303zt', true],
    [(id) => comment(id, 'q\u0303zu'), 'q\u0303zu', true],
    [set('description', `q\u0303zv ${'plum '.repeat(400)}`), 'q\u0303zv', true],
    [set('name', '测试搜索'), '搜索', true],
    [set('name', 'İzmirzz'), 'izmirzz', true],
    [set('description', 'zz&uuml;rich'), 'zzürich', true],
    [(id) => comment(id, 'a < zzberry > b'), 'zzberry', true],
    [set('name', 'zz\u00adsoft'), 'zzsoft', true],
    [set('description', '<p>zzplain&nbsp;&amp;&rsquo;é zzplainer</p>'), 'zzplainer', false],
    [set('name', 'zzcafé'), 'zzcafé', false],
    [set('name', 'e\u0301zz'), 'ézz', false],
  ];
  const keys: string[] = [];
  for (const [at, [write]] of texts.entries()) keys.push(await write(ids[at]!));
  for (const word of ['搜索', 'izmirzz', 'zzürich', 'zzberry', 'zzsoft'])
    expect([word, await having(word)]).toEqual([word, []]);
  const before = await versions();

  await database.migrateThrough(WholeWordsOfRows1700000000108);

  const after = new Map((await versions()).map((row) => [keyOf(row), row]));
  const moved = before.filter((row) => after.get(keyOf(row))!.xmin !== row.xmin);
  expect(moved.filter((row) => after.get(keyOf(row))!.words === row.words)).toEqual([]);
  const written = moved.map(keyOf).filter((key) => keys.includes(key));
  expect(written.sort()).toEqual(keys.filter((_, at) => texts[at]![2]).sort());
  await database.migrate();
  expect(await database.schema()).toEqual(now);
  for (const [at, [, word]] of texts.entries()) expect([word, await having(word)]).toEqual([word, [keys[at]]]);
  const stored = () =>
    rows('select general_id, comment_id, strip(words)::text as words from search_text order by 1, 2');
  const migrated = await stored();
  await database.renewWords();
  expect(await stored()).toEqual(migrated);
});

it('asks for the same letters as the service', async () => {
  const points = Array.from({ length: 0x30000 }, (_, point) => point).filter(
    (point) => point > 127 && (point < 0xd800 || point > 0xdfff),
  );
  const told = await rows(
    `select c, chr(c) ~ ('[' || search_apart() || ']') as is_apart, search_compose('a' || chr(c)) as composed,
       chr(c) ~ ('[' || search_marks() || ']') as is_mark
     from unnest($1::int[]) c`,
    [points],
  );
  expect(told).toHaveLength(points.length);
  const differing = told.filter(({ c, is_apart, composed: stored, is_mark }) => {
    const text = String.fromCodePoint(c);
    if (/\p{Cn}/u.test(text)) return false;
    // Letters may stand between the marks.
    const isMarkHere = /\p{M}/u.test(text) || (is_mark && /[\p{L}\p{N}]/u.test(text));
    return isApart(text) !== is_apart || composed(`a${text}`) !== stored || isMarkHere !== is_mark;
  });
  expect(differing).toEqual([]);
  expect(wordsOf('測q\u0303 ที่1')).toEqual(['測', 'q\u0303', 'ที่', '1']);
});
