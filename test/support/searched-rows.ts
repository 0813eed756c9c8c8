/** What a database holds to search by, and ways to write texts that it is made of: each gives the key of its row. */
import { expect } from 'vitest';
import { migrations } from '../../src/database/migrations/migrations.js';
import type { MigratedDatabase } from './migrated-database.js';

export type Write = (id: number, text: string) => Promise<string>;

/** With a word that is found in it after a migration, if any, and whether its words become others. */
export type Text = readonly [write: Write, text: string, word: string, changes: boolean];

export function searchedRows(database: () => MigratedDatabase) {
  const rows = (text: string, values?: unknown[]) => database().rows(text, values);
  const set =
    (column: string): Write =>
    async (id, text) => {
      await rows(`update general set ${column} = $2 where id = $1`, [id, text]);
      return `${id} 0`;
    };
  const value: Write = (id, text) => set('custom_values')(id, JSON.stringify({ Any: text }));
  const tag: Write = async (id, text) => {
    await rows(
      `with made as (insert into tag (name) values ($2) returning id)
       insert into general_tag (general_id, tag_id) select $1, id from made`,
      [id, text],
    );
    return `${id} 0`;
  };
  const comment: Write = async (id, text) => {
    const [made] = await rows(
      'insert into comment (general_id, description, owner_id, create_date) values ($1, $2, 1, now()) returning id',
      [id, text],
    );
    return `${id} ${made.id}`;
  };
  /** The transaction that wrote each row, by its key. */
  const stored = async (): Promise<Map<string, string>> =>
    new Map(
      (await rows(`select general_id || ' ' || comment_id as key, xmin::text from search_text order by 1`)).map(
        ({ key, xmin }) => [key, xmin],
      ),
    );
  /** The keys of the rows in which a word is found. */
  const having = async (word: string): Promise<string[]> =>
    (
      await rows(
        `select general_id || ' ' || comment_id as key
         from search_text, search_query(array[$1], '{f}', '{null}', '{f}') asked where words @@ asked order by 1`,
        [word],
      )
    ).map(({ key }) => key);
  /**
   * Texts of before a migration are found behind it, and the rows of those that become others alone are written. What
   * renews rows comes right behind the functions.
   */
  const expectRenewed = async (
    migration: Parameters<MigratedDatabase['undoFrom']>[0],
    texts: readonly Text[],
    newWords: readonly string[],
  ): Promise<void> => {
    const now = await database().schema();
    await database().undoFrom(migration);
    await database().renewWords();
    const ids = await rows('select id::int from general where project_id is not null order by id limit 20');
    const keys: string[] = [];
    for (const [at, [write, text]] of texts.entries()) keys.push(await write(ids[at]!.id, text));
    for (const word of newWords) expect([word, await having(word)]).toEqual([word, []]);
    const before = await stored();

    await database().migrateThrough(migrations[migrations.indexOf(migration) + 1]!);

    const after = await stored();
    const moved = [...before].filter(([key, xmin]) => after.get(key) !== xmin).map(([key]) => key);
    expect(moved.sort()).toEqual(keys.filter((_, at) => texts[at]![3]).sort());
    await database().migrate();
    expect(await database().schema()).toEqual(now);
    for (const [at, [, , word]] of texts.entries())
      if (word !== '') expect([word, await having(word)]).toEqual([word, [keys[at]]]);
  };
  /** All words are those that would be made of the texts now. */
  const expectCurrent = async (): Promise<void> => {
    const words = () =>
      rows('select general_id, comment_id, strip(words)::text as words from search_text order by 1, 2');
    const present = await words();
    await database().renewWords();
    expect(await words()).toEqual(present);
  };
  return { rows, set, value, tag, comment, having, expectRenewed, expectCurrent };
}
