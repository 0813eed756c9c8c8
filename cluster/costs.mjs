/**
 * What reads and writes cost, side by side and in turns: on the primary and on replicas, with and without telling
 * positions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { familyOf, pidIn } from './processes.mjs';

const turns = 4;
const readsOfTurn = 250;
const writesOfTurn = 60;
const ticksOfSecond = 100;

/** Processor time of a server so far, in milliseconds; that of connections that ended is with their parent. */
function processorMs(node) {
  const times = familyOf(pidIn(join(node.data, 'postmaster.pid'))).map((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
      return fields[11] + fields[12] + fields[13] + fields[14];
    } catch {
      return 0;
    }
  });
  return (times.reduce((sum, one) => sum + one, 0) * 1000) / ticksOfSecond;
}

async function timed(count, act, node) {
  const [before, began] = [processorMs(node), performance.now()];
  for (let at = 0; at < count; at += 1) await act(at);
  return { processor: (processorMs(node) - before) / count, elapsed: (performance.now() - began) / count };
}

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function sideBySide(ways, count, node) {
  const results = new Map(ways.map(([name]) => [name, []]));
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const [name, act] of ways) {
      const result = await timed(count, act, node);
      // The first turn warms up.
      if (turn > 0) results.get(name).push(result);
    }
  }
  return [...results].map(([name, all]) => {
    const [processor, elapsed] = ['processor', 'elapsed'].map((what) => median(all.map((one) => one[what])));
    return { name, processor, elapsed };
  });
}

/** `ask(port, path, headers, body)` is answered by one service. */
export async function costsOf({ leader, ask, withReplicas, without }) {
  const list = 'UserStories?take=25';
  const reads = [
    ['a read on the primary', () => ask(withReplicas, list, {})],
    ['a read that replicas serve', () => ask(withReplicas, list, { 'x-read-after': '0' })],
  ];
  const write = (port) => (at) => ask(port, 'Tags', {}, { Name: `cost ${port} ${at} ${Math.random()}` });
  const writes = [
    ['a write without replicas', write(without)],
    ['a write that tells its position', write(withReplicas)],
  ];
  const rows = [...(await sideBySide(reads, readsOfTurn, leader)), ...(await sideBySide(writes, writesOfTurn, leader))];
  const table = rows.map(
    ({ name, processor, elapsed }) => `| ${name} | ${processor.toFixed(2)} | ${elapsed.toFixed(1)} |`,
  );
  return ['| | processor time of the primary, ms | until the answer, ms |', '|---|---:|---:|', ...table].join('\n');
}
