/** Tells the results as Markdown, with all that is needed to repeat the run. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { medianOf, ratioOf, ratioTo, spellGoals } from './goals.mjs';
import { grownIn, soakCells, soakHeads, verdictOf, wrongInSoak } from './soak.mjs';
import { spellStatements } from './write-statements.mjs';

export function spellReport({ measured, alone, minutes, statements }, { args, database, started, other }) {
  const lines = [
    '# Measurements',
    '',
    ...(statements.length > 0 ? wordsOfStatements : wordsOfServers),
    '',
    `- Command: \`npm run bench${args.length > 0 ? ` -- ${args.join(' ')}` : ''}\``,
    `- When: ${started.toISOString()}, at ${commit()}`,
    `- Machine: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}, load ${loadavg()[0].toFixed(1)} at the end`,
    `- Node ${process.version}${other ? ` (service), ${other.version} (other Node)` : ''}; ${database}`,
    ...(measured.length > 0 ? ['', ...table(measured)] : []),
    ...(alone.length > 0
      ? ['', line(['Of the service alone', 'Measured', 'Goal']), line(['---', '---:', '---']), ...alone.map(probeRow)]
      : []),
    ...(minutes.length > 0
      ? ['', `**Verdict:** ${verdictOf(minutes)}.`, '', ...plainTable(soakHeads, minutes.map(soakCells))]
      : []),
    ...measured.flatMap(notes),
    ...statements.flatMap(spellStatements),
  ];
  return `${lines.join('\n')}\n`;
}

const wordsOfServers = [
  'All servers on one machine and one database, in turn; medians over the rounds. `a / b` is service / limit, or bare where there is no limit, or the other Node; CPU is the processor time',
  'of a request in the server, Database that in the processes of its connections; RSS the memory of the server, Stall the longest time its event loop did not',
  'turn - it computed, or waited for a core beside PostgreSQL and the clients - and Computed the longest that it computed without a turn.',
];

const wordsOfStatements = [
  'What the statements of a write take in PostgreSQL, with the time to plan them, by its own account. The first table of',
  'a case has the statements that the service sends; what takes less than a microsecond a request is left out. The second',
  'has those that triggers and functions run within them: their time is part of the first.',
];

const probeRow = ({ what, value, unit, most, least }) =>
  line([what, `${spellValue(value)} ${unit}`, probeGoal(value, unit, most, least)]);

const spellValue = (value) => value.toFixed(value < 10 && !Number.isInteger(value) ? 2 : 0);

function probeGoal(value, unit, most, least) {
  if (most !== undefined) return `≤ ${most} ${unit}: ${value <= most ? 'met' : 'missed'}`;
  return least === undefined ? '–' : `≥ ${least} ${unit}: ${value >= least ? 'met' : 'missed'}`;
}

const plainTable = (heads, rows) => [line(heads), line(heads.map(() => '---:')), ...rows.map(line)];

const line = (cells) => `| ${cells.join(' | ')} |`;

const number = (value, digits) => (value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits));
const rate =
  (server) =>
  ({ turns }) =>
    number(medianOf(turns[server], 'rate'), 0);
const share =
  (server) =>
  ({ turns }) =>
    number(ratioTo(server, turns), 2);
/** Of the service and of what it stands beside. */
const pair =
  (key, digits) =>
  ({ turns }) =>
    [turns.service, turns.limit ?? turns.bare ?? turns.node]
      .map((ones) => number(medianOf(ones, key), digits))
      .join(' / ');

const columns = {
  Case: { isText: true, cell: (row) => row.case },
  Clients: { cell: ({ clients }) => clients },
  Unit: { isText: true, cell: ({ unit }) => unit },
  'Service /s': { cell: rate('service') },
  'Limit /s': { cell: rate('limit') },
  'Bare /s': { cell: rate('bare') },
  'Same /s': { cell: rate('same') },
  'Stock /s': { cell: rate('stock') },
  'PostGraphile /s': { cell: rate('postgraphile') },
  'Other Node /s': { cell: rate('node') },
  Ratio: { cell: share('limit') },
  'Of bare': { cell: share('bare') },
  'Of same': { cell: share('same') },
  'Other Node × service': { cell: ({ turns }) => number(turns.node && ratioOf(turns.node, turns.service), 2) },
  'p50 ms': { cell: pair('p50', 1) },
  'p99 ms': { cell: pair('p99', 1) },
  'CPU ms': { cell: pair('cpuMs', 2) },
  'Database ms': { cell: pair('databaseMs', 2) },
  'RSS MB': { cell: pair('rss', 0) },
  'Stall ms': { cell: pair('stallMs', 0) },
  'Computed ms': { cell: pair('computedMs', 0) },
  Goal: { isText: true, cell: (row) => spellGoals(row.goal, row) },
};

/** Columns that have nothing to show are left out. */
function table(measured) {
  const rows = measured.flatMap(({ case: one, results }) =>
    results.map((result) => ({ ...one, ...result, case: one.name })),
  );
  const rowOf = (name, clients) => rows.find((row) => row.case === name && row.clients === clients);
  for (const row of rows) Object.assign(row, { rowOf, goal: row.goal?.(row.clients) });
  const shown = Object.entries(columns)
    .map(([head, { isText, cell }]) => ({ head, isText, cells: rows.map(cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== '–'));
  return [
    line(shown.map(({ head }) => head)),
    line(shown.map(({ isText }) => (isText ? '---' : '---:'))),
    ...rows.map((_, at) => line(shown.map(({ cells }) => cells[at]))),
  ];
}

function notes({ case: one, work, results }) {
  const wrong = results.flatMap(wrongIn);
  return [
    '',
    `**${one.name}**: ${one.what}. ${one.isRead ? 'The same' : `A request changes ${changesOf(work)};`} answers of ${work.outcomes.map(({ text }) => Buffer.byteLength(text)).join(' / ')} bytes.`,
    ...work.outcomes
      .filter(({ problem }) => problem)
      .map(({ server, problem }) => `- The ${server} was skipped: ${problem}`),
    ...work.differences.map((difference) => `- Not the same work: ${difference}`),
    ...(wrong.length > 0 ? [`- ${wrong.length} wrong answers, such as ${wrong[0]}`] : []),
  ];
}

const wrongIn = ({ turns }) => Object.values(turns).flatMap((ones) => ones.flatMap(({ wrong }) => wrong));

/** By the service: the others do the same, or it is told that they do not. */
function changesOf({ outcomes }) {
  const changed = Object.entries(outcomes[0].changed).filter(([, by]) => by !== 0);
  return changed.map(([name, by]) => `${name} by ${by}`).join(', ') || 'nothing';
}

function commit() {
  try {
    const git = (...args) =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', '../src') ? ' with changes' : ''}`;
  } catch {
    return 'an unknown commit';
  }
}

export const isSound = ({ measured, alone, minutes, statements }) =>
  statements.every(({ wrong }) => wrong.length === 0) &&
  wrongInSoak(minutes).length === 0 &&
  (minutes.length < 6 || grownIn(minutes).length === 0) &&
  alone.every(({ isRequired, value, most }) => !isRequired || value <= most) &&
  measured.every(({ work, results }) => work.differences.length === 0 && results.flatMap(wrongIn).length === 0);
