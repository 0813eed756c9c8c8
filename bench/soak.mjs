/** `--soak 30m`: clients read and write for as long as that, and each minute tells what they got and what it left behind. */
import { drive, median, quantile } from './load.mjs';
import { readsIn, writesIn } from './mixed.mjs';
import { startService } from './servers.mjs';

const minute = 60;
const clients = { reads: 12, writes: 4 };

/** A row for each minute; the last one may be shorter. */
export async function soak({ url, client, fixture, options, ending, say }) {
  const service = await startService(url, ending);
  const next = { reads: readsIn(fixture.projects, fixture), writes: await writesIn(fixture.projects, fixture) };
  const rows = [];
  for (let left = options.soak; left > 0; left -= minute) {
    const seconds = Math.min(minute, left);
    const taking = Object.keys(next).map((kind) =>
      drive(service.base, { clients: clients[kind], seconds, next: next[kind] }),
    );
    const [reads, writes] = (await Promise.all(taking)).map(summary);
    const { rss } = await service.use();
    rows.push({ minute: rows.length + 1, reads, writes, rss: rss / 2 ** 20, ...(await sizesOf(client)) });
    say(spellMinute(rows.at(-1)));
  }
  return rows;
}

const summary = ({ right, wrong, seconds, latencies }) => ({
  rate: right / seconds,
  p99: quantile(latencies, 0.99),
  wrong,
});

/** Of all tables of the service. */
async function sizesOf(client) {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query(
    `select sum(n_dead_tup)::float8 as dead, sum(pg_table_size(relid))::float8 / 2 ^ 20 as tables,
       sum(pg_indexes_size(relid))::float8 / 2 ^ 20 as indexes
     from pg_stat_user_tables where schemaname = 'public'`,
  );
  return rows[0];
}

const columns = {
  Minute: (row) => row.minute,
  'Reads /s': ({ reads }) => reads.rate.toFixed(0),
  'Reads p99 ms': ({ reads }) => reads.p99.toFixed(1),
  'Writes /s': ({ writes }) => writes.rate.toFixed(0),
  'Writes p99 ms': ({ writes }) => writes.p99.toFixed(1),
  'Dead rows': ({ dead }) => dead,
  'Tables MB': ({ tables }) => tables.toFixed(0),
  'Indexes MB': ({ indexes }) => indexes.toFixed(0),
  'Memory MB': ({ rss }) => rss.toFixed(0),
  Wrong: ({ reads, writes }) => reads.wrong.length + writes.wrong.length,
};

function spellMinute(row) {
  const [wrong] = wrongInSoak([row]);
  const cells = Object.entries(columns).map(([head, cell]) => `${head} ${cell(row)}`);
  return `soak: ${cells.join(', ')}${wrong ? `, WRONG: ${wrong}` : ''}`;
}

export const soakHeads = Object.keys(columns);
export const soakCells = (row) => Object.values(columns).map((cell) => cell(row));
export const wrongInSoak = (rows) => rows.flatMap(({ reads, writes }) => [...reads.wrong, ...writes.wrong]);

/** The last third of the minutes beside the first. */
export function flatness(rows) {
  const third = Math.floor(rows.length / 3);
  if (third === 0) return [];
  const times = (of) => median(rows.slice(-third).map(of)) / median(rows.slice(0, third).map(of));
  const what = (name) => `${name}, the last third of the soak against the first`;
  return [
    { what: what('reads a second'), value: times(({ reads }) => reads.rate), unit: '×', least: 0.8 },
    { what: what('p99 of reads'), value: times(({ reads }) => reads.p99), unit: '×', most: 1.5 },
    { what: what('writes a second'), value: times(({ writes }) => writes.rate), unit: '×', least: 0.8 },
    { what: what('p99 of writes'), value: times(({ writes }) => writes.p99), unit: '×', most: 1.5 },
    { what: what('memory'), value: times(({ rss }) => rss), unit: '×', most: 1.2 },
  ];
}
