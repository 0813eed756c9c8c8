/**
 * `npm run bench`: measures the service beside a server that does the least that can be done, on a database of the
 * run's own.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadCases } from './cases.mjs';
import { describeDatabase, openDatabase } from './database.mjs';
import { readFixture } from './fixture.mjs';
import { measureCase } from './measure.mjs';
import { casesOnNode, installOtherNode } from './node.mjs';
import { readOptions, UsageError, usage } from './options.mjs';
import { startPeers } from './peers.mjs';
import { lateProbes, probes } from './probes.mjs';
import { isSound, spellReport } from './report.mjs';
import { dropSchemas } from './schemas.mjs';
import { startByHand, startOnNode, startService, startStock, startUnchecked } from './servers.mjs';
import { soak, steadiness, verdictOf } from './soak.mjs';
import { writeStatements } from './write-statements.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const args = process.argv.slice(2);
const ending = [];
let isEnding = false;

async function end() {
  isEnding = true;
  await undo(ending);
}

/** Undoes what was made, the last first, whatever happens to one of them. */
async function undo(list) {
  while (list.length > 0) {
    try {
      await list.pop()();
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
  const choice = chosen(await loadCases(), options);
  if (options.isHelp) say(usage);
  else if (options.isList) tellCases(choice);
  else await run(options, choice);
} catch (error) {
  // What a signal interrupts fails in its own way.
  if (!isEnding) {
    process.stderr.write(`bench: ${error instanceof UsageError ? `${error.message}\n\n${usage}` : error.stack}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
} finally {
  if (!isEnding) await end();
}

/** The cases and the probes of these names; when there are none all, or what an option stands for. */
function chosen(all, { cases: names, soak: isSoak, isPeers, isOfStatements, node }) {
  const possible = [...all.map(({ name }) => name), ...Object.keys(probes), ...Object.keys(lateProbes)];
  const unknown = names.find((name) => !possible.includes(name));
  if (unknown) throw new UsageError(`There is no case '${unknown}'; there are ${possible.join(', ')}.`);
  if (node) return { cases: casesOnNode(all, names), early: [], late: [] };
  const isUnnamed = names.length === 0;
  if (isOfStatements)
    return { cases: all.filter(({ name, bare }) => bare && (isUnnamed || names.includes(name))), early: [], late: [] };
  const isChosen = (name) => names.includes(name) || (isUnnamed && !isSoak && !isPeers);
  const cases = all.filter(({ name, peers }) => isChosen(name) || (isUnnamed && isPeers && peers));
  return { cases, early: entriesOf(probes, isChosen), late: entriesOf(lateProbes, isChosen) };
}

function entriesOf(some, isChosen) {
  return Object.entries(some).filter(([name]) => isChosen(name));
}

function tellCases({ cases, early, late }) {
  const tell = (name, what) => say(`${name.padEnd(14)} ${what}`);
  for (const { name, what } of cases) tell(name, what);
  for (const [name] of early) tell(name, 'of the service alone');
  for (const [name] of late) tell(name, 'of the service alone, while clients write');
  tell('--soak 30m', 'reads and writes for as long as that, told minute by minute');
  tell('--node 24', 'one, list, create and create-one beside the same on another version of Node');
  tell('--statements', 'what each statement of a write takes in PostgreSQL');
  tell('--peers', 'create-one and list beside PostGraphile 4 and Nest with TypeORM');
}

async function run(options, { cases, early, late }) {
  const started = new Date();
  if (options.isToBuild) build();
  const other = options.node && installOtherNode(options.node, { say, ending });
  say(`Making a database of ${options.generals} Generals …`);
  const { url, client } = await openDatabase(options, ending, say);
  const database = await describeDatabase(client);
  const context = { url, client, options, other, say };
  const alone = await probed(early, context);
  const statements = options.isOfStatements ? await counted(cases, context) : [];
  const measured =
    cases.length > 0 && !options.isOfStatements
      ? await withOwnEnding((own) => compared(cases, { ...context, ending: own }))
      : [];
  alone.push(...(await probed(late, context)));
  const minutes = options.soak > 0 ? await probed([['soak', soak]], context) : [];
  const results = { measured, alone: [...alone, ...steadiness(minutes)], minutes, statements };
  const report = spellReport(results, { args, database, started, other });
  writeFileSync(options.report, report);
  say(`\n${report}`);
  if (minutes.length > 0) say(`The soak is ${verdictOf(minutes)}.`);
  if (!isSound(results)) process.exitCode = 1;
}

/** By cases, of the service alone. */
async function counted(cases, context) {
  const fixture = await readFixture(context.client);
  return await withOwnEnding((own) => writeStatements(cases, { ...context, fixture, ending: own }));
}

/** Each with nothing else at work. */
async function probed(measures, context) {
  const rows = [];
  for (const [, measure] of measures) {
    const fixture = await readFixture(context.client);
    rows.push(...(await withOwnEnding((own) => measure({ ...context, fixture, ending: own }))));
  }
  return rows;
}

/** What `act` makes is undone behind it, or with all else when the run is ended before. */
async function withOwnEnding(act) {
  const own = [];
  ending.push(() => undo(own));
  try {
    return await act(own);
  } finally {
    await undo(own);
    if (!isEnding) ending.pop();
  }
}

async function compared(all, { url, client, options, other, say, ending }) {
  const cases = options.isPeers ? all.map((one) => ({ ...one, ...one.peers })) : all;
  const isAsked = (server) => cases.some((one) => one[server]);
  const servers = [await startService(url, ending)];
  ending.push(() => dropSchemas(client));
  for (const name of ['limit', 'bare', 'same'].filter(isAsked)) servers.push(await startByHand(name, url, ending));
  if (other) servers.push(await startOnNode(other.executable, url, ending));
  else if (options.isPeers) servers.push(...(await startPeers({ url, client, say, ending })));
  else if (options.isStock && isAsked('stock')) servers.push(await startStock(url, 'public', ending));
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
