/** `npm run siege`: the built service with its default settings under attack, beside a well-behaved caller. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { describeDatabase, openDatabase, tidy } from '../bench/database.mjs';
import { median } from '../bench/load.mjs';
import { startService } from '../bench/servers.mjs';
import { makeFixture } from './fixture.mjs';
import { kinds } from './kinds.mjs';
import { readOptions, UsageError, usage } from './options.mjs';
import { header, line, missedGoals, spellReport } from './report.mjs';
import { besiege } from './siege.mjs';

const say = (text) => process.stdout.write(`${text}\n`);
const args = process.argv.slice(2);
const all = { name: 'all', row: '', what: 'all of them at once' };
const rows = [...kinds, all];
const ending = [];
const timeoutMs = 5000;

async function end() {
  while (ending.length > 0) {
    await Promise.resolve(ending.pop()()).catch((error) => process.stderr.write(`siege: ${error.message}\n`));
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => end().finally(() => process.exit(130)));

try {
  const options = readOptions(
    args,
    rows.map(({ name }) => name),
  );
  if (options.isHelp) say(usage);
  else if (options.isList) for (const { name, row, what } of rows) say(`${name.padEnd(18)} ${row.padEnd(11)} ${what}`);
  else await run(options);
} catch (error) {
  process.stderr.write(`siege: ${error instanceof UsageError ? `${error.message}\n\n${usage}` : error.stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
} finally {
  await end();
}

async function run({ kinds: chosen, seconds, generals, report, isToBuild }) {
  const facts = { args, started: new Date(), load: loadavg()[0].toFixed(1) };
  if (isToBuild) build();
  say(`Making a database of ${generals} Generals …`);
  const { url, client } = await openDatabase({ generals, durable: false }, ending, () => {});
  const service = await startService(url, ending);
  const fixture = await makeFixture(service.base, client);
  await tidy(client);
  const database = await describeDatabase(client);
  const attack = (names, duration) => besiege(names, { service, client, fixture, seconds: duration, timeoutMs });
  await attack([], seconds);
  const quiet = startQuiet(await attack([], seconds));
  const results = [];
  say(`${header}\n${line(quiet, quiet)}`);
  for (const name of chosen) {
    const names = name === all.name ? kinds.map((kind) => kind.name) : [name];
    const result = { name, ...(await attack(names, seconds)) };
    results.push(result);
    if (result.survives) result.after = addQuiet(quiet, await attack([], seconds / 2));
    say(line(result, quiet));
    if (!result.survives) break;
  }
  finish(spellReport(results, quiet, { ...facts, database }), report);
  if (results.some((result) => missedGoals(result, quiet).length > 0)) process.exitCode = 1;
}

/** The canary alone, again between the kinds: what else the machine does hits both. */
function startQuiet(result) {
  const { p99 } = result;
  return { name: 'quiet', ...result, all: [p99] };
}

/** What an attack leaves behind may slow one of these down, so their median counts. Gives the p99 of this one. */
function addQuiet(quiet, { p99, failures, busy }) {
  quiet.all.push(p99);
  quiet.p99 = median(quiet.all);
  quiet.busy = Math.max(quiet.busy, busy);
  quiet.failures.push(...failures);
  return p99;
}

function finish(text, report) {
  if (report) writeFileSync(report, text);
  else say(text.slice(text.indexOf('\n## ') + 1 || text.length));
}

function build() {
  const root = new URL('..', import.meta.url);
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new UsageError('The build failed.');
}
