/**
 * `npm run cluster`: three services on three Patroni nodes with etcd, HAProxy and PgBouncer, under a steady load, while
 * one thing after another fails. `--short` has few faults and judges no times; `--only NAME` runs one. Needs root, for
 * a network and a disk of its own.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { costsOf } from './costs.mjs';
import { faults } from './faults.mjs';
import { Load } from './load.mjs';
import { canMakeNetworks, hostAddress } from './network.mjs';
import { Cluster, missing, ports, servicePorts } from './nodes.mjs';
import { run, until } from './processes.mjs';
import { failuresOf, header, lineOf, missedGoals, rowOf } from './report.mjs';
import { Services } from './services.mjs';

const say = (text) => process.stdout.write(`${text}\n`);
const args = process.argv.slice(2);
const isShort = args.includes('--short');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
const chosen = faults.filter(({ name, isShort }) => (only ? name === only : isShort || !args.includes('--short')));
const mostMinutes = 15;

const absent = [...missing(), ...(canMakeNetworks() ? [] : ['the right to make networks'])];
if (absent.length > 0) {
  say(`skipped: the cluster needs ${absent.join(', ')}.`);
  process.exit(0);
}

const ending = [];
async function end() {
  while (ending.length > 0) await Promise.resolve(ending.pop()()).catch((error) => say(`cluster: ${error.message}`));
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => end().finally(() => process.exit(130)));
setTimeout(() => {
  say(`cluster: not done after ${mostMinutes} minutes.`);
  void end().finally(() => process.exit(1));
}, mostMinutes * 60_000).unref();

try {
  process.exitCode = (await runAll()) ? 0 : 1;
} catch (error) {
  say(`cluster: ${error.stack}`);
  process.exitCode = 1;
} finally {
  await end();
  // Connections that are kept open would hold the process.
  process.exit();
}

async function runAll() {
  const cluster = new Cluster({ hasSmallDisk: chosen.some(({ name }) => name === 'full disk') });
  ending.push(() =>
    args.includes('--keep-logs')
      ? say(
          run(
            'sh',
            '-c',
            `mkdir -p /tmp/worktrack-cluster-logs && cp ${cluster.directory}/*.log /tmp/worktrack-cluster-logs; echo logs kept`,
          ),
        )
      : undefined,
  );
  ending.unshift(() => cluster.end());
  await cluster.start();
  const services = new Services(cluster);
  ending.push(() => services.end());
  await services.start();
  const load = await prepared();
  load.start();
  ending.push(() => load.end());
  await pause(3000);
  say(header);
  const rows = [];
  for (const fault of chosen) {
    rows.push(await suffered(fault, { cluster, services }, load));
    say(lineOf(rows.at(-1)));
  }
  await load.end();
  if (!isShort && !only) say(`\n${await measured(cluster, services, load)}`);
  const verdict = await load.verdict(async (text) => (await cluster.leader()).rows(text));
  say(
    `\n${Object.entries(verdict)
      .map(([what, count]) => `${what}: ${count}`)
      .join(', ')}`,
  );
  for (const row of rows) failuresOf(row).map(say);
  const missed = missedGoals(isShort ? [] : rows, verdict);
  for (const one of load.stale.slice(0, 5)) say(`stale: ${JSON.stringify(one)}`);
  say(missed.length === 0 ? 'All goals are reached.' : `Missed: ${missed.join('; ')}.`);
  return missed.length === 0;
}

async function suffered({ name, leads, act }, all, load) {
  load.delay.reset();
  const from = performance.now();
  const before = await all.cluster.leader();
  let leaderAt;
  const watching = setInterval(async () => {
    const leader = await all.cluster.leader();
    if (leader && leader !== before) leaderAt ??= performance.now();
  }, 150);
  try {
    await act(all);
  } finally {
    clearInterval(watching);
  }
  await until('the cluster is whole', () => all.cluster.isWhole(), 240).catch((error) => {
    for (const node of all.cluster.nodes) say(`${node.name}:\n${run('tail', '-n', '12', node.log)}`);
    throw error;
  });
  await pause(3000);
  const { reads, writes } = load;
  const ownStall = load.delay.max / 1e6;
  if (ownStall > 300) say(`The load itself stood still for ${ownStall.toFixed(0)} ms.`);
  return rowOf(name, { from, to: performance.now(), reads, writes, leaderAt: leads ? leaderAt : undefined });
}

async function measured(cluster, services, load) {
  const without = await services.startPlain();
  const ask = async (port, path, headers, body) => {
    const send = { method: body ? 'POST' : 'GET', body: body && JSON.stringify(body) };
    const answer = await fetch(`http://${hostAddress}:${port}/api/v1/${path}`, {
      ...send,
      headers: { ...load.headers, ...headers },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  return costsOf({ leader: await cluster.leader(), ask, withReplicas: servicePorts[0], without });
}

async function prepared() {
  const base = `http://${hostAddress}:${ports.http}`;
  const basic = `Basic ${Buffer.from('admin:cluster only').toString('base64')}`;
  const json = { accept: 'application/json', 'content-type': 'application/json' };
  const post = async (path, body) => {
    const answer = await fetch(`${base}/api/v1/${path}`, {
      method: 'POST',
      headers: { ...json, authorization: basic },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await until('the balancer has services', async () => (await fetch(`${base}/health/ready`)).ok);
  const { Id } = await post('Projects', { Name: 'Cluster' });
  const token = await post('AccessTokens', { Name: 'cluster' });
  return new Load(base, { ...json, 'x-access-token': token.Token }, Id);
}
