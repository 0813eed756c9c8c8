/** The table of a run, and which goals it misses. */
import { cpus, loadavg, totalmem } from 'node:os';
import { quantile } from '../bench/load.mjs';

const limits = { slower: 5, node: 600, backend: 200 };

/** What a kind misses, in words; `quiet` is the canary alone. */
export function missedGoals(result, quiet) {
  const slower = result.p99 / quiet.p99;
  const checks = [
    [result.failures.length > 0, `${result.failures.length} failures`],
    [slower > limits.slower, `p99 ${slower.toFixed(1)} times quiet`],
    [result.node > limits.node, `Node ${Math.round(result.node)} MiB`],
    [result.backend > limits.backend, `backend ${Math.round(result.backend)} MiB`],
    [!result.survives, 'ended, or not ready afterwards'],
  ];
  return checks.filter(([isMissed]) => isMissed).map(([, words]) => words);
}

const columns = [
  ['Kind', ({ name }) => name],
  ['Canary', ({ latencies }) => latencies.length],
  ['Failures', ({ failures }) => failures.length],
  ['p50 ms', ({ latencies }) => quantile(latencies, 0.5).toFixed(0)],
  ['p99 ms', ({ p99 }) => p99.toFixed(0)],
  ['× quiet', ({ p99 }, quiet) => (p99 / quiet.p99).toFixed(1)],
  ['Over after s', ({ overAfter }) => overAfter?.toFixed(0) ?? '–'],
  ['p99 after', ({ after }) => after?.toFixed(0) ?? '–'],
  ['Node MiB', ({ before, node }) => `${Math.round(before)} → ${Math.round(node)}`],
  ['Backend MiB', ({ backend }) => Math.round(backend)],
  ['Stall ms', ({ stallMs, computedMs }) => `${stallMs?.toFixed(0) ?? '–'} (${computedMs?.toFixed(0) ?? '–'})`],
  ['Cores busy', ({ busy }) => `${Math.round(busy * 100)} %`],
  ['Survives', ({ survives }) => (survives ? 'yes' : 'no')],
  ['Sent', ({ sent }) => sent],
  ['Answered', ({ answers }) => spellAnswers(answers)],
  ['Missed', (result, quiet) => missedGoals(result, quiet).join('; ') || '–'],
];

const spellAnswers = (answers) =>
  Object.entries(answers)
    .sort(([, one], [, other]) => other - one)
    .map(([answer, count]) => `${answer}: ${count}`)
    .join(', ') || '–';

export const header = [columns.map(([title]) => title), columns.map(() => '---')].map(row).join('\n');
export const line = (result, quiet) => row(columns.map(([, spell]) => spell(result, quiet)));

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

export function spellReport(results, quiet, { args, database, started, load }) {
  const failures = results.flatMap(({ name, failures: all }) =>
    [...new Set(all.map((failure) => failure.replaceAll(/\d{2,}/g, '…')))]
      .slice(0, 3)
      .map((one) => `- ${name}: ${one}`),
  );
  return `# The siege

\`npm run siege${args.length > 0 ? ` -- ${args.join(' ')}` : ''}\`, ${started.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus().length} cores (${cpus()[0].model.trim()}),
${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}. ${database}. Load of the machine ${load} at the start, ${loadavg()[0].toFixed(1)} at the end.

Goals: no failure of the canary, its p99 at most ${limits.slower} times the quiet one, Node at most ${limits.node} MiB, a backend at most ${limits.backend} MiB (RssAnon), nothing ends.
*Stall* is the longest time without a turn of the event loop, in parentheses what it computed of that. *Over after* is when the database is idle
again, a minute at most; *p99 after* is that of the canary alone, afterwards; the quiet p99 is the median of these.
*Cores busy* counts whatever else the machine does: beside the canary alone, little should be busy.

${header}
${[quiet, ...results].map((result) => line(result, quiet)).join('\n')}
${failures.length > 0 ? `\n## Failures of the canary\n\n${failures.join('\n')}\n` : ''}`;
}
