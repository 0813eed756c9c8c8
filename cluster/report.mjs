/** What a fault did, as a row of a table. */
const columns = [
  ['fault', (row) => row.name],
  ['reads', (row) => row.reads],
  ['failed', (row) => row.failedReads],
  ['s without', (row) => seconds(row.readGap)],
  ['writes', (row) => row.writes],
  ['failed', (row) => row.failedWrites],
  ['s without', (row) => seconds(row.writeGap)],
  ['new leader after s', (row) => seconds(row.leaderAfter)],
  ['writes back s later', (row) => seconds(row.backAfter)],
];

const seconds = (ms) => (ms === undefined ? '–' : (ms / 1000).toFixed(1));

const isGood = ({ status }) => status >= 200 && status < 300;

/** The longest time in which none ended well, of those that were sent from the beginning of the window on. */
function longestGap(records, from, to) {
  const times = [from, ...records.filter(isGood).map(({ at }) => at), to]
    .filter((at) => at >= from && at <= to)
    .sort((a, b) => a - b);
  return Math.max(...times.slice(1).map((at, before) => at - times[before]));
}

export function rowOf(name, { from, to, reads, writes, leaderAt }) {
  const within = (all) => all.filter(({ since }) => since >= from && since <= to);
  const [ownReads, ownWrites] = [within(reads), within(writes)];
  const back =
    leaderAt &&
    ownWrites
      .filter(isGood)
      .map(({ at }) => at)
      .filter((at) => at >= leaderAt)
      .sort((a, b) => a - b)[0];
  return {
    name,
    reads: ownReads.length,
    failedReads: ownReads.filter((one) => !isGood(one)).length,
    readGap: longestGap(reads, from, to),
    writes: ownWrites.length,
    failedWrites: ownWrites.filter((one) => !isGood(one)).length,
    writeGap: longestGap(writes, from, to),
    leaderAfter: leaderAt && leaderAt - from,
    backAfter: back && back - leaderAt,
    failures: countsOf(ownReads),
  };
}

/** How often reads failed with which answer, the most frequent first. */
function countsOf(reads) {
  const counts = new Map();
  for (const { failure } of reads) if (failure) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, 5);
}

export const failuresOf = ({ name, failures }) =>
  failures.map(([failure, count]) => `${name}: ${count} reads were answered ${JSON.stringify(failure)}`);

export const header = `| ${columns.map(([title]) => title).join(' | ')} |\n|${columns.map((_, at) => (at === 0 ? '---|' : '---:|')).join('')}`;
export const lineOf = (row) => `| ${columns.map(([, value]) => value(row)).join(' | ')} |`;

/** In words; none where all are reached. */
export function missedGoals(rows, verdict) {
  const wrong = ['lost', 'doubled', 'halfDone', 'stale'].filter((what) => verdict[what] > 0);
  return [
    ...wrong.map((what) => `${what}: ${verdict[what]}`),
    ...rows
      .filter(({ readGap }) => readGap > 1000)
      .map(({ name, readGap }) => `${name}: reads stopped for ${seconds(readGap)} s`),
    ...rows
      .filter(({ backAfter }) => backAfter > 2000)
      .map(({ name, backAfter }) => `${name}: writes were back ${seconds(backAfter)} s after the new leader`),
  ];
}
