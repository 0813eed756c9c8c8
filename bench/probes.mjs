/** What is measured once and not beside another server: starting, memory, and what grows with the data. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from './database.mjs';
import { readFixture } from './fixture.mjs';
import { drive, median } from './load.mjs';
import { get, projectInTurn, referenceList } from './requests.mjs';
import { startService } from './servers.mjs';
import { whileWriting } from './while-writing.mjs';

/**
 * Each gives rows `{ what, value, unit, most | least }`; a run fails where one with `isRequired` has not reached its
 * goal.
 */
export const probes = { start, memory, statements, expressions, growth };

/** Those that write much, and so come last. */
export const lateProbes = { 'while-writing': whileWriting };

async function start({ url, say }) {
  const home = mkdtempSync(join(tmpdir(), 'worktrack-start-'));
  chmodSync(home, 0o711);
  try {
    const own = { DATA_DIR: join(home, 'data'), DATABASE_URL: '' };
    await startedIn(own);
    say('start: the embedded database is made');
    return [
      { what: 'start, its own database', value: await medianOf(() => startedIn(own)), unit: 's', most: 1.5 },
      {
        what: 'start, an external database',
        value: await medianOf(() => startedIn({ DATABASE_URL: url })),
        unit: 's',
        most: 1,
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function medianOf(measure) {
  const values = [];
  for (let run = 0; run < 5; run += 1) values.push(await measure());
  return median(values);
}

/** Seconds until it listens. */
async function startedIn(env) {
  const ending = [];
  const began = performance.now();
  await startService('', ending, env);
  const seconds = (performance.now() - began) / 1000;
  for (const end of ending) await end();
  return seconds;
}

async function memory({ url, fixture, ending }) {
  const service = await startService(url, ending);
  await pause(3000);
  const idle = (await service.use()).rss;
  let i = 0;
  const requests = [
    () => get(referenceList(projectInTurn(i++, fixture)), fixture.headers),
    () => get('/api/v1/UserStories?format=json', fixture.headers),
    () => get('/api/v1/UserStories?format=xml&take=1000', fixture.headers),
  ];
  let loaded = 0;
  for (const next of requests) {
    const driving = drive(service.base, { clients: 16, seconds: 8, next });
    let isDone = false;
    driving.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      loaded = Math.max(loaded, (await service.use()).rss);
      await pause(250);
    }
  }
  return [
    { what: 'memory, idle', value: idle / 2 ** 20, unit: 'MiB', most: 150 },
    { what: 'memory, at its most under load', value: loaded / 2 ** 20, unit: 'MiB', most: 250 },
  ];
}

async function statements({ url }) {
  const { executionTime, session } = await import('./statements.mjs');
  const client = new pg.Client({ connectionString: url, options: session });
  await client.connect();
  const time = (resource, text) => executionTime(client, resource, text);
  const { rows } = await client.query('select count(*)::int as stories from general where entity_type_id = 4');
  const skip = Math.min(100_000, Math.floor(rows[0].stories * 0.9));
  try {
    return [
      {
        what: `skip=${skip}, in PostgreSQL`,
        value: await time('UserStory', `include=[Name]&take=25&skip=${skip}`),
        unit: 'ms',
        most: 10,
      },
      {
        what: 'a rare part of a name, in PostgreSQL',
        value: await time('UserStory', "include=[Name]&where=Name contains 'story 4711'"),
        unit: 'ms',
        most: 10,
      },
      {
        what: 'two letters of a name, in PostgreSQL',
        value: await time('UserStory', "include=[Name]&where=Name contains 'zq'"),
        unit: 'ms',
      },
      {
        what: 'what was changed lately, in PostgreSQL',
        value: await time('UserStory', "include=[Name]&where=ModifyDate gt '2100-01-01'"),
        unit: 'ms',
        most: 10,
      },
    ];
  } finally {
    await client.end();
  }
}

/** What is built is loaded when it is measured, as there may be nothing to load before. */
async function expressions() {
  const { timesOfExpressions } = await import('./expressions.mjs');
  return timesOfExpressions();
}

/** The reference list on a database of the size that `--growth` says, beside the one that is measured otherwise. */
async function growth({ url, fixture, options, ending, say }) {
  if (!options.growth) return [];
  const large = await openDatabase(
    { ...options, generals: options.growth },
    ending,
    say,
    process.env.BENCH_GROWTH_URL ?? '',
  );
  const sides = [
    { fixture, server: await startService(url, ending) },
    { fixture: await readFixture(large.client), server: await startService(large.url, ending) },
  ];
  const ratios = [];
  for (let round = 0; round <= options.rounds; round += 1) {
    const [small, big] = [await rateOf(sides[0], options), await rateOf(sides[1], options)];
    // The first round warms up.
    if (round > 0) ratios.push(big / small);
    say(`growth, round ${round}: ${small.toFixed(0)} and ${big.toFixed(0)} requests/s`);
  }
  return [
    {
      what: `reference list, ${options.growth} Generals against ${options.generals}`,
      value: median(ratios),
      unit: '×',
      least: 0.8,
    },
    ...(await statements(large)).map((row) => ({ ...row, what: `${row.what}, ${options.growth} Generals` })),
  ];
}

async function rateOf({ server, fixture }, { seconds }) {
  let i = 0;
  const next = () => get(referenceList(projectInTurn(i++, fixture)), fixture.headers);
  const { right, seconds: elapsed } = await drive(server.base, { clients: 16, seconds, next });
  return right / elapsed;
}
