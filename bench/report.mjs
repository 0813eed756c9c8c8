/** Tells the results as Markdown, with all that is needed to repeat the run. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { median } from './load.mjs';

export function spellReport(measured, { args, database, started }) {
  const lines = [
    '# Measurements',
    '',
    'Both servers on one machine and one database, in turn; medians over the rounds. `a / b` is service / limit; CPU is the processor time',
    'of a request in the server, Database that in the processes of its connections; RSS the memory of the server.',
    '',
    `- Command: \`npm run bench${args.length > 0 ? ` -- ${args.join(' ')}` : ''}\``,
    `- When: ${started.toISOString()}, at ${commit()}`,
    `- Machine: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}, load ${loadavg()[0].toFixed(1)} at the end`,
    `- Node ${process.version}; ${database}`,
    '',
    ...table(measured),
    ...measured.flatMap(notes),
  ];
  return `${lines.join('\n')}\n`;
}

const heads = [
  'Case',
  'Clients',
  'Unit',
  'Service /s',
  'Limit /s',
  'Ratio',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'Database ms',
  'RSS MB',
  'Goal',
];

function table(measured) {
  const rows = measured.flatMap(({ case: one, results }) => results.map((result) => row(one, result)));
  return [
    line(heads),
    line(heads.map((_, at) => (at === 0 || at === 2 || at === 11 ? '---' : '---:'))),
    ...rows.map(line),
  ];
}

const line = (cells) => `| ${cells.join(' | ')} |`;

function row(one, { clients, service, limit, ratio }) {
  const rate = service && median(service.map((turn) => turn.rate));
  const pair = (key, digits) => [service, limit].map((turns) => told(turns, (turn) => turn[key], digits)).join(' / ');
  return [
    one.name,
    clients,
    one.unit,
    told(service, (turn) => turn.rate, 0),
    told(limit, (turn) => turn.rate, 0),
    ratio === undefined ? '–' : ratio.toFixed(2),
    pair('p50', 1),
    pair('p99', 1),
    pair('cpuMs', 2),
    pair('databaseMs', 2),
    pair('rss', 0),
    goalOf(one.goal, rate, ratio),
  ];
}

function told(turns, of, digits) {
  const value = turns ? median(turns.map(of)) : Number.NaN;
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

function goalOf(goal, rate, ratio) {
  if (!goal) return '–';
  const parts = [
    ['rate', rate, goal.rate && `${goal.rate}/s`],
    ['ratio', ratio, goal.ratio && `ratio ${goal.ratio.toFixed(2)}`],
  ].filter(([name]) => goal[name] !== undefined);
  return parts
    .map(([name, value, text]) => `≥ ${text}: ${value === undefined ? '–' : value >= goal[name] ? 'met' : 'missed'}`)
    .join(', ');
}

function notes({ case: one, work, results }) {
  const wrong = results.flatMap(({ service = [], limit = [] }) => [...service, ...limit].flatMap((turn) => turn.wrong));
  return [
    '',
    `**${one.name}**: ${one.what}. A request changes ${changesOf(work)}; answers of ${work.outcomes.map(({ text }) => Buffer.byteLength(text)).join(' / ')} bytes.`,
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
