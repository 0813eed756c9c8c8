/** `npm run bench`: measures the service beside a server that does the least that can be done, on a database of the run's own. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadCases } from './cases.mjs';
import { describeDatabase, openDatabase } from './database.mjs';
import { readFixture } from './fixture.mjs';
import { measureCase } from './measure.mjs';
import { readOptions, UsageError, usage } from './options.mjs';
import { isSound, spellReport } from './report.mjs';
import { startLimit, startService, startStock } from './servers.mjs';

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
  const cases = chosen(await loadCases(), options.cases);
  if (options.isHelp) say(usage);
  else if (options.isList) for (const { name, what } of cases) say(`${name.padEnd(14)} ${what}`);
  else await run(options, cases);
} catch (error) {
  // What a signal interrupts fails in its own way.
  if (!isEnding) {
    process.stderr.write(`bench: ${error instanceof UsageError ? `${error.message}\n\n${usage}` : error.stack}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
} finally {
  if (!isEnding) await end();
}

function chosen(all, names) {
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown)
    throw new UsageError(`There is no case '${unknown}'; there are ${all.map(({ name }) => name).join(', ')}.`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

async function run(options, cases) {
  const started = new Date();
  if (options.isToBuild) build();
  say(`Making a database of ${options.generals} Generals …`);
  const { url, client } = await openDatabase(options, ending, say);
  const servers = [await startService(url, ending), await startLimit(url, options.limitTotals, ending)];
  if (options.isStock && cases.some(({ stock }) => stock)) servers.push(await startStock(url, ending));
  const [fixture, database] = [await readFixture(client), await describeDatabase(client)];
  const measured = [];
  for (const one of cases) measured.push(await measureCase(one, { client, servers, fixture, options, say }));
  const report = spellReport(measured, { args, database, started });
  writeFileSync(options.report, report);
  say(`\n${report}`);
  if (!isSound(measured)) process.exitCode = 1;
}

/** Quick when nothing has changed. */
function build() {
  const root = new URL('..', import.meta.url);
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new UsageError('The build failed.');
}
