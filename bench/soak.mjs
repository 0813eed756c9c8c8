/**
 * `--soak 30m`: clients read and write for as long as that, and each minute tells what they got and what it left
 * behind.
 */
import { backendMemory } from './backends.mjs';
import { drive, median, quantile } from './load.mjs';
import { readsIn, writesIn } from './mixed.mjs';
import { startService } from './servers.mjs';

const minute = 60;
const clients = { reads: 12, writes: 4 };
/** Of a rate that is given. */
const shares = { reads: 0.8, writes: 0.2 };

/** A row for each minute; the last one may be shorter. */
export async function soak({ url, client, fixture, options, ending, say }) {
  const service = await startService(url, ending);
  const next = { reads: readsIn(fixture.projects, fixture), writes: await writesIn(fixture.projects, fixture) };
  const rows = [];
  for (let left = options.soak; left > 0; left -= minute) {
    const seconds = Math.min(minute, left);
    const taking = Object.keys(next).map((kind) => {
      const rate = options.rate && options.rate * shares[kind];
      return drive(service.base, { clients: clients[kind], seconds, next: next[kind], rate });
    });
    const [reads, writes] = (await Promise.all(taking)).map(summary);
    const { rss, descriptors } = await service.use();
    const used = { rss: rss / 2 ** 20, descriptors, backends: await backendMemory(client) };
    rows.push({ minute: rows.length + 1, reads, writes, ...used, ...(await sizesOf(client)) });
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
    `select sum(n_dead_tup)::float8 as dead, sum(n_live_tup)::float8 as live,
       sum(pg_table_size(relid))::float8 / 2 ^ 20 as tables, sum(pg_indexes_size(relid))::float8 / 2 ^ 20 as indexes
     from pg_stat_user_tables where schemaname = 'public'`,
  );
  return rows[0];
}

const columns = {
  Minute: (row) => row.minute,
  'Reads /s': ({ reads }) => whole(reads.rate),
  'Reads p99 ms': ({ reads }) => reads.p99.toFixed(1),
  'Writes /s': ({ writes }) => whole(writes.rate),
  'Writes p99 ms': ({ writes }) => writes.p99.toFixed(1),
  'Memory MB': ({ rss }) => whole(rss),
  Descriptors: ({ descriptors }) => whole(descriptors),
  Connections: ({ backends }) => whole(backends.connections),
  'Backends MB': ({ backends }) => whole(backends.together),
  'Largest MB': ({ backends }) => whole(backends.largest),
  'Dead rows': ({ dead }) => whole(dead),
  'Tables MB': ({ tables }) => whole(tables),
  'Indexes MB': ({ indexes }) => whole(indexes),
  Wrong: ({ reads, writes }) => reads.wrong.length + writes.wrong.length,
};

/** Not every system tells everything. */
const whole = (value) => (Number.isFinite(value) ? value.toFixed(0) : '–');

function spellMinute(row) {
  const [wrong] = wrongInSoak([row]);
  const cells = Object.entries(columns).map(([head, cell]) => `${head} ${cell(row)}`);
  return `soak: ${cells.join(', ')}${wrong ? `, WRONG: ${wrong}` : ''}`;
}

export const soakHeads = Object.keys(columns);
export const soakCells = (row) => Object.values(columns).map((cell) => cell(row));
export const wrongInSoak = (rows) => rows.flatMap(({ reads, writes }) => [...reads.wrong, ...writes.wrong]);

/** The last third of the minutes beside the first. */
export function steadiness(rows) {
  if (rows.length < 3) return [];
  const times = (of) => lastOf(rows, of) / firstOf(rows, of);
  const what = (name) => `${name}, the last third of the soak against the first`;
  return [
    { what: what('reads a second'), value: times(({ reads }) => reads.rate), unit: '×', least: 0.8 },
    { what: what('p99 of reads'), value: times(({ reads }) => reads.p99), unit: '×', most: 1.5 },
    { what: what('writes a second'), value: times(({ writes }) => writes.rate), unit: '×', least: 0.8 },
    { what: what('p99 of writes'), value: times(({ writes }) => writes.p99), unit: '×', most: 1.5 },
  ];
}

/** What must not grow, and how much of a difference is none: so many times as much, and `slack`. */
const kept = [
  { name: 'memory', unit: ' MB', of: ({ rss }) => rss, times: 1.1, slack: 8 },
  { name: 'descriptors', unit: '', of: ({ descriptors }) => descriptors, times: 1, slack: 8 },
  { name: 'connections', unit: '', of: ({ backends }) => backends.connections, times: 1, slack: 2 },
  { name: 'memory of backends', unit: ' MB', of: ({ backends }) => backends.together, times: 1.15, slack: 16 },
  // A fiftieth of a table may be dead before it is vacuumed, and that takes a while.
  { name: 'dead rows', unit: ' % of all', of: ({ dead, live }) => (dead / live) * 100, times: 1.5, slack: 2 },
];

/** What grew from the first third to the last. The first sixth is left out, in which memory is still being taken. */
export function grownIn(all) {
  const rows = all.slice(Math.floor(all.length / 6));
  return kept
    .map((one) => ({ ...one, first: firstOf(rows, one.of), last: lastOf(rows, one.of) }))
    .filter(({ first, last, times, slack }) => last > first * times + slack)
    .map(({ name, first, last, unit }) => `${name} (${first.toFixed(1)}${unit} to ${last.toFixed(1)}${unit})`);
}

export function verdictOf(rows) {
  if (rows.length < 6) return 'too short to tell what grows';
  const grown = grownIn(rows);
  return grown.length === 0 ? 'flat' : `not flat, these grew: ${grown.join(', ')}`;
}

const thirdOf = (rows) => Math.max(1, Math.floor(rows.length / 3));
const firstOf = (rows, of) => median(rows.slice(0, thirdOf(rows)).map(of));
const lastOf = (rows, of) => median(rows.slice(-thirdOf(rows)).map(of));
