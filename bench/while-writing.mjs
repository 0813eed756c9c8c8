/**
 * What becomes of the reference list of a project while others write to it without pause: its latency, its plan, and
 * what the writers leave behind.
 */
import pg from 'pg';
import { tidy } from './database.mjs';
import { drive, quantile } from './load.mjs';
import { referenceListsOf, writesIn } from './mixed.mjs';
import { referenceList } from './requests.mjs';
import { startService } from './servers.mjs';

const [readers, writers] = [16, 4];

export async function whileWriting({ url, client, fixture, options, ending, say }) {
  const service = await startService(url, ending);
  const projects = fixture.projects.slice(0, 1);
  const reading = { clients: readers, next: referenceListsOf(projects, fixture) };
  const writing = { clients: writers, next: await writesIn(projects, fixture) };
  await drive(service.base, { ...reading, seconds: options.warmup });
  await tidy(client);
  const before = await planOf(url, projects[0]);
  const alone = await drive(service.base, { ...reading, seconds: options.writing / 3 });
  const [beside, written] = await Promise.all(
    [reading, writing].map((one) => drive(service.base, { ...one, seconds: options.writing })),
  );
  const after = await planOf(url, projects[0]);
  say(`while-writing: ${beside.right} reads and ${written.right} writes in ${options.writing} s`);
  if (String(before.nodes) !== String(after.nodes))
    say(`while-writing: the plan was ${before.nodes}, is ${after.nodes}`);
  return rowsOf({ alone, beside, written, before, after, dead: await shareOfDead(client) });
}

function rowsOf({ alone, beside, written, before, after, dead }) {
  const [calm, busy] = [alone, beside].map(({ latencies }) => quantile(latencies, 0.99));
  const what = `the reference list with ${readers} clients`;
  const wrong = [alone, beside, written].flatMap((taken) => taken.wrong);
  const others = after.nodes.filter((node, at) => node !== before.nodes[at]).length;
  return [
    { what: `${what}, p99`, value: calm, unit: 'ms' },
    { what: `${what} while ${writers} write, p99`, value: busy, unit: 'ms' },
    { what: `${what} while ${writers} write, p99 in times`, value: busy / calm, unit: '×', most: 4 },
    { what: 'wrong answers meanwhile', value: wrong.length, unit: 'answers', most: 0, isRequired: true },
    { what: 'written meanwhile', value: written.right / written.seconds, unit: '/s' },
    { what: 'dead rows of general behind it', value: dead, unit: '%', most: 25 },
    { what: 'the reference list behind it, in PostgreSQL', value: after.ms, unit: 'ms' },
    { what: 'the reference list behind it, in times', value: after.ms / before.ms, unit: '×', most: 2 },
    { what: 'steps of its plan that are others', value: others, unit: 'steps', most: 0 },
  ];
}

async function planOf(url, { id }) {
  const { executionOf, session } = await import('./statements.mjs');
  const client = new pg.Client({ connectionString: url, options: session });
  await client.connect();
  try {
    const [, text] = decodeURI(referenceList(id)).split('?');
    return await executionOf(client, 'UserStory', text);
  } finally {
    await client.end();
  }
}

/** Of a hundred live rows, by the counters that the servers tell PostgreSQL about once a second. */
async function shareOfDead(client) {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query(
    `select 100.0 * n_dead_tup / greatest(n_live_tup, 1) as share from pg_stat_user_tables where relid = 'public.general'::regclass`,
  );
  return Number(rows[0].share);
}
