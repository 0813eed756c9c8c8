/** `npm run bench`: measures the service beside a server that does the least that can be done, on a database of the run's own. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadCases } from './cases.mjs';
import { describeDatabase, openDatabase } from './database.mjs';
import { readFixture } from './fixture.mjs';
import { measureCase } from './measure.mjs';
import { readOptions, UsageError, usage } from './options.mjs';
import { probes } from './probes.mjs';
import { isSound, spellReport } from './report.mjs';
import { dropSchemas } from './schemas.mjs';
import { startByHand, startService, startStock, startUnchecked } from './servers.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const args = process.argv.slice(2);
const ending = [];
let isEnding = false;

/** Undoes what was made, the last first, whatever happens to one of them. */
async function end() {
  isEnding = true;
  while (ending.length > 0) {
    try {
      await ending.pop()();
    } catch (error) {
      process.stderr.write(`bench: ${error.message}\n`);
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!isEnding) void end().finally(() => process.exit(130));
    isEnding = true;
  });
}

try {
  const options = readOptions(args);
  const { cases, measures } = chosen(await loadCases(), options.cases);
  if (options.isHelp) say(usage);
  else if (options.isList) tellCases(cases, measures);
  else await run(options, cases, measures);
} catch (error) {
  // What a signal interrupts fails in its own way.
  if (!isEnding) {
    process.stderr.write(`bench: ${error instanceof UsageError ? `${error.message}\n\n${usage}` : error.stack}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
} finally {
  if (!isEnding) await end();
}

/** The cases and the probes of these names; all when none is said. */
function chosen(all, names) {
  const known = [...all.map(({ name }) => name), ...Object.keys(probes)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw new UsageError(`There is no case '${unknown}'; there are ${known.join(', ')}.`);
  const isChosen = (name) => names.length === 0 || names.includes(name);
  return { cases: all.filter(({ name }) => isChosen(name)), measures: Object.keys(probes).filter(isChosen) };
}

function tellCases(cases, measures) {
  for (const { name, what } of cases) say(`${name.padEnd(14)} ${what}`);
  for (const name of measures) say(`${name.padEnd(14)} of the service alone`);
}

async function run(options, cases, measures) {
  const started = new Date();
  if (options.isToBuild) build();
  say(`Making a database of ${options.generals} Generals …`);
  const { url, client } = await openDatabase(options, ending, say);
  const database = await describeDatabase(client);
  const alone = await probed(measures, { url, client, options, ending, say });
  const measured = cases.length > 0 ? await compared(cases, { url, client, options }) : [];
  const report = spellReport({ measured, alone }, { args, database, started });
  writeFileSync(options.report, report);
  say(`\n${report}`);
  if (!isSound(measured)) process.exitCode = 1;
}

/** Each with nothing else at work. */
async function probed(measures, context) {
  const rows = [];
  for (const name of measures) {
    const own = [];
    const fixture = await readFixture(context.client);
    try {
      rows.push(...(await probes[name]({ ...context, fixture, ending: own })));
    } finally {
      while (own.length > 0) await own.pop()();
    }
  }
  return rows;
}

async function compared(cases, { url, client, options }) {
  const isAsked = (server) => cases.some((one) => one[server]);
  const servers = [await startService(url, ending)];
  for (const name of ['limit', 'bare', 'same'].filter(isAsked)) servers.push(await startByHand(name, url, ending));
  ending.push(() => dropSchemas(client));
  if (options.isStock && isAsked('stock')) servers.push(await startStock(url, ending));
  if (isAsked('unchecked')) servers.push(...(await startUnchecked(url, ending)));
  const fixture = await readFixture(client, servers[0]);
  const measured = [];
  for (const one of cases) measured.push(await measureCase(one, { client, servers, fixture, options, say }));
  return measured;
}

/** Quick when nothing has changed. */
function build() {
  const root = new URL('..', import.meta.url);
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new UsageError('The build failed.');
}
