/**
 * What the statements of a write take in PostgreSQL, by its own account (pg_stat_statements), of the service alone:
 * those that the service sends, and within them those of triggers and functions.
 */
import { backendTimes, spent } from './backends.mjs';
import { tidy } from './database.mjs';
import { drive } from './load.mjs';
import { counters } from './measure.mjs';
import { startService } from './servers.mjs';

/** Of those within others, so many that take the most. */
const shownWithin = 12;

/** Gives for each case and number of clients the milliseconds of a request, and the statements that took them. */
export async function writeStatements(cases, { url, client, fixture, options, ending, say }) {
  const service = await startService(url, ending);
  const measured = [];
  for (const one of cases) {
    const next = counters(one, fixture)(service);
    await drive(service.base, { clients: 4, seconds: options.warmup, next });
    await tidy(client);
    for (const clients of options.clients ?? one.clients) {
      measured.push({ ...(await measure(one, { service, client, clients, options, next })), case: one, clients });
      say(`${one.name}, ${clients} clients: ${measured.at(-1).statements.length} statements`);
    }
  }
  return measured;
}

async function measure(one, { service, client, clients, options, next }) {
  const [used, backends] = [await service.use(), await backendTimes(client)];
  await client.query('select pg_stat_statements_reset()');
  const { right, wrong, seconds } = await drive(service.base, { clients, seconds: options.seconds, next });
  const { rows } = await client.query(taken);
  const perRequest = (ms) => ms / Math.max(1, right);
  return {
    wrong,
    rate: (right * one.size) / seconds,
    wallMs: perRequest(seconds * 1000 * clients),
    nodeMs: perRequest((await service.use()).cpuMs - used.cpuMs),
    databaseMs: perRequest(spent(backends, await backendTimes(client)) ?? Number.NaN),
    statements: rows.map(({ text, isWithin, calls, ms }) => ({
      text,
      isWithin,
      calls: perRequest(calls),
      ms: perRequest(ms),
    })),
  };
}

const taken = `
  select query as text, not toplevel as "isWithin", sum(calls)::float8 as calls,
    sum(total_plan_time + total_exec_time) as ms
  from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_%'
  group by query, toplevel order by ms desc`;

/** The tables of a case, as lines of Markdown. */
export function spellStatements({ case: one, clients, rate, wallMs, nodeMs, databaseMs, statements, wrong }) {
  const sent = statements.filter(({ isWithin, ms }) => !isWithin && ms >= 0.001);
  const within = statements.filter(({ isWithin }) => isWithin);
  const all = sum(sent);
  return [
    '',
    `## ${one.name}, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
    '',
    ...linesOf(
      `${one.what}. ${rate.toFixed(0)} ${one.unit} a second. Of a request ${wallMs.toFixed(2)} ms passed; Node computed ` +
        `for ${nodeMs.toFixed(2)} ms, PostgreSQL for ${databaseMs.toFixed(2)}, ${all.toFixed(2)} of these within statements.`,
    ),
    ...(wrong.length > 0 ? ['', `${wrong.length} wrong answers, such as ${wrong[0]}`] : []),
    '',
    '| Statement that the service sends | A request | ms each | ms a request |',
    '| --- | ---: | ---: | ---: |',
    ...sent.map(spellRow),
    '',
    `| Within these, the ${shownWithin} that take the most | A request | ms each | ms a request |`,
    '| --- | ---: | ---: | ---: |',
    ...within.slice(0, shownWithin).map(spellRow),
    ...(within.length > shownWithin ? [spellRest(within.slice(shownWithin))] : []),
  ];
}

/** Prose in lines of at most 120 characters. */
const linesOf = (text) => text.match(/.{1,120}(?=\s|$)/g).map((part) => part.trim());

const sum = (some) => some.reduce((total, { ms }) => total + ms, 0);

const spellRow = ({ text, calls, ms }) =>
  `| \`${shorten(text)}\` | ${calls.toFixed(2)} | ${(ms / calls).toFixed(3)} | ${ms.toFixed(3)} |`;

const spellRest = (rest) => `| ${rest.length} others | – | – | ${sum(rest).toFixed(3)} |`;

const shownLetters = 110;

/** The tables that a statement writes, where they stand far behind its beginning. */
const written = /\b(?:insert into|update|delete from) "?(\w+)"?/g;

function shorten(text) {
  const line = text
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('|', '\\|')
    .replaceAll('`', "'");
  if (line.length <= shownLetters) return line;
  const tables = new Set([...line.slice(shownLetters).matchAll(written)].map(([, table]) => table));
  const short = `${line.slice(0, shownLetters)} …`;
  return tables.size > 0 && line.startsWith('with ') ? `${short} writes ${[...tables].join(', ')}` : short;
}
