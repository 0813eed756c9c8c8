/** Tells the results as Markdown, with all that is needed to repeat the run. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { median } from './load.mjs';

export function spellReport({ measured, alone }, { args, database, started }) {
  const lines = [
    '# Measurements',
    '',
    'All servers on one machine and one database, in turn; medians over the rounds. `a / b` is service / limit; CPU is the processor time',
    'of a request in the server, Database that in the processes of its connections; RSS the memory of the server, Stall the longest time its event loop did not',
    'turn - it computed, or waited for a core beside PostgreSQL and the clients - and Computed the longest that it computed without a turn.',
    '',
    `- Command: \`npm run bench${args.length > 0 ? ` -- ${args.join(' ')}` : ''}\``,
    `- When: ${started.toISOString()}, at ${commit()}`,
    `- Machine: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}, load ${loadavg()[0].toFixed(1)} at the end`,
    `- Node ${process.version}; ${database}`,
    '',
    ...(measured.length > 0 ? table(measured) : []),
    ...(alone.length > 0
      ? ['', line(['Of the service alone', 'Measured', 'Goal']), line(['---', '---:', '---']), ...alone.map(probeRow)]
      : []),
    ...measured.flatMap(notes),
  ];
  return `${lines.join('\n')}\n`;
}

const probeRow = ({ what, value, unit, most, least }) =>
  line([what, `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`, probeGoal(value, unit, most, least)]);

function probeGoal(value, unit, most, least) {
  if (most !== undefined) return `≤ ${most} ${unit}: ${value <= most ? 'met' : 'missed'}`;
  return least === undefined ? '–' : `≥ ${least} ${unit}: ${value >= least ? 'met' : 'missed'}`;
}

const heads = [
  'Case',
  'Clients',
  'Unit',
  'Service /s',
  'Limit /s',
  'Stock /s',
  'Ratio',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'Database ms',
  'RSS MB',
  'Stall ms',
  'Computed ms',
  'Goal',
];

function table(measured) {
  const rows = measured.flatMap(({ case: one, results }) => results.map((result) => row(one, result)));
  return [
    line(heads),
    line(heads.map((_, at) => (at === 0 || at === 2 || at === heads.length - 1 ? '---' : '---:'))),
    ...rows.map(line),
  ];
}

const line = (cells) => `| ${cells.join(' | ')} |`;

function row(one, { clients, service, limit, stock, ratio }) {
  const pair = (key, digits) => [service, limit].map((turns) => told(turns, (turn) => turn[key], digits)).join(' / ');
  return [
    one.name,
    clients,
    one.unit,
    told(service, (turn) => turn.rate, 0),
    told(limit, (turn) => turn.rate, 0),
    told(stock, (turn) => turn.rate, 0),
    ratio === undefined ? '–' : ratio.toFixed(2),
    pair('p50', 1),
    pair('p99', 1),
    pair('cpuMs', 2),
    pair('databaseMs', 2),
    pair('rss', 0),
    pair('stallMs', 0),
    pair('computedMs', 0),
    goalOf(one.goal?.(clients), { service, limit, ratio }),
  ];
}

function told(turns, of, digits) {
  const value = turns ? median(turns.map(of)) : Number.NaN;
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

/** Goals in words, each with whether it was reached. */
const goals = {
  rate: { reached: (goal, { service }) => medianOf(service, 'rate') >= goal, words: (goal) => `≥ ${goal}/s` },
  ratio: { reached: (goal, { ratio }) => ratio >= goal, words: (goal) => `ratio ≥ ${goal.toFixed(2)}` },
  p50: { reached: slower('p50'), words: (goal) => `p50 ≤ ${goal} ×` },
  p99: { reached: slower('p99'), words: (goal) => `p99 ≤ ${goal} ×` },
  stall: {
    reached: (goal, { service }) => medianOf(service, 'computedMs') <= goal,
    words: (goal) => `computed ≤ ${goal} ms`,
  },
};

function slower(key) {
  return (goal, { service, limit }) => medianOf(service, key) <= goal * medianOf(limit, key);
}

const medianOf = (turns, key) => (turns ? median(turns.map((turn) => turn[key])) : Number.NaN);

function goalOf(goal, result) {
  if (!goal) return '–';
  return Object.entries(goal)
    .map(([name, value]) => `${goals[name].words(value)}: ${goals[name].reached(value, result) ? 'met' : 'missed'}`)
    .join(', ');
}

function notes({ case: one, work, results }) {
  const wrong = results.flatMap(({ service = [], limit = [], stock = [] }) =>
    [...service, ...limit, ...stock].flatMap((turn) => turn.wrong),
  );
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

/** By the limit: the service does the same, or it is told that it does not. */
function changesOf({ outcomes }) {
  const changed = Object.entries(outcomes.at(-1).changed).filter(([, by]) => by !== 0);
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

export const isSound = (measured) =>
  measured.every(
    ({ work, results }) =>
      work.differences.length === 0 &&
      results.every(({ service = [], limit = [] }) => [...service, ...limit].every(({ wrong }) => wrong.length === 0)),
  );
