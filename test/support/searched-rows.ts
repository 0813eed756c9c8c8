/** What a database holds to search by, and ways to write texts that it is made of: each gives the key of its row. */
import type { MigratedDatabase } from './migrated-database.js';

export type Write = (id: number, text: string) => Promise<string>;

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
  return { rows, set, value, tag, comment, stored, having };
}
