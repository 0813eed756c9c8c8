/** How many rows a transaction takes up whose texts it reads: whoever writes one of them waits for its end. */

// biome-ignore lint/suspicious/noExplicitAny: rows as they come
export type Ask = (text: string, values?: unknown[]) => Promise<any[]>;

/** To make the words of so much text takes less than half a second. */
const most = 2 ** 20;

/** Of the item `listed.id`: how long its texts are, with those of its comments. */
export const bytesOfTexts = `(
  select coalesce(octet_length(g.description), 0) + octet_length(g.custom_values::text)
    + (select coalesce(sum(octet_length(c.description)), 0) from comment c where c.general_id = g.id)
  from general g where g.id = listed.id)`;

/** The first of these ids, as many as have few `bytes` together; one at least. */
export async function fewBytes(ids: readonly string[], bytes: string, ask: Ask): Promise<readonly string[]> {
  const [{ count }] = await ask(
    `select greatest(1, count(*) filter (where total <= ${most}))::int as count from (
       select sum(coalesce(${bytes}, 0)) over (order by place) as total
       from unnest($1::bigint[]) with ordinality listed (id, place)) totals`,
    [ids],
  );
  return ids.slice(0, count);
}
