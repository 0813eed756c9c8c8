/**
 * Measures one case: first whether the servers do the same work, then all in turn, so that what else the machine does
 * hits all.
 */
import { backendTimes, spent } from './backends.mjs';
import { tidy } from './database.mjs';
import { drive, quantile } from './load.mjs';
import { compareWork } from './same-work.mjs';
import { copyTables } from './schemas.mjs';

export async function measureCase(one, { client, servers, fixture, options, say }) {
  const next = counters(one, fixture);
  const asked = servers.filter(({ name }) => one[name]);
  await copyTables(
    client,
    asked.map(({ schema }) => schema),
  );
  await tidy(client);
  const compared = asked.filter(({ name, isPeer }) => name !== 'stock' || isPeer);
  const work = await compareWork(client, compared, (server) => next(server)(), one.isRead);
  for (const { server, problem } of work.outcomes) {
    if (problem) say(`${one.name}: the ${server} is skipped: ${problem}`);
  }
  for (const difference of work.differences) say(`${one.name}: NOT THE SAME WORK, ${difference}`);
  const failed = work.outcomes.filter(({ problem }) => problem).map(({ server }) => server);
  const able = asked.filter(({ name }) => !failed.includes(name));
  const results = able.length > 0 ? await measure(one, able, next, { client, options, say }) : [];
  return { case: one, work, results };
}

/** Requests of a server are numbered through, so that no two are alike. */
export function counters(one, fixture) {
  const sent = new Map();
  return (server) => () => {
    const i = sent.get(server.name) ?? 0;
    sent.set(server.name, i + 1);
    return one[server.name](i, fixture);
  };
}

/** In each round all numbers of clients and all servers have a turn, so that any two can be compared. */
async function measure(one, servers, next, { client, options, say }) {
  const counts = options.clients ?? one.clients;
  const results = counts.map((clients) => ({ clients, turns: {} }));
  for (const server of servers) {
    await warmUp(server, { clients: Math.max(...counts), seconds: options.warmup, next: next(server) });
  }
  const { rounds, seconds } = one.isClose ? inShortTurns(options) : options;
  for (const { round, clients, turns, server } of schedule(rounds, results, servers)) {
    const turn = await takeTurn(one, clients, server, next(server), { client, seconds });
    const name = standIns[server.name] ?? server.name;
    turns[name] = [...(turns[name] ?? []), turn];
    say(`${one.name}, ${clients} clients, round ${round}, ${server.name}: ${spellTurn(one, turn)}`);
  }
  return results;
}

/** So many requests it takes until their code is compiled for good. */
const warming = 4000;

/** At least so long, and until enough was done, but not for ever. */
async function warmUp(server, load) {
  let done = 0;
  for (let turn = 0; turn < 5 && done < warming && load.seconds > 0; turn += 1)
    done += (await drive(server.base, load)).right;
}

/** Who comes first in one round comes last in the next: the processor keeps something of whoever went before. */
function schedule(rounds, results, servers) {
  const orders = [servers, servers.toReversed()];
  return Array.from({ length: rounds }, (_, at) =>
    results.flatMap((result) => orders[at % 2].map((server) => ({ round: at + 1, ...result, server }))),
  ).flat();
}

/** A service beside itself stands in the table as the service and its limit. */
const standIns = { checked: 'service', unchecked: 'limit' };

const spellTurn = (one, { rate, p50, p99, wrong }) =>
  `${rate.toFixed(0)} ${one.unit}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${wrong.length > 0 ? `, WRONG: ${wrong[0]}` : ''}`;

/** The same time in all: the shorter a turn, the more alike is what else the machine does in it and in the next. */
function inShortTurns({ rounds, seconds }) {
  const parts = Math.max(1, Math.round(seconds / 0.5));
  return { rounds: rounds * parts, seconds: seconds / parts };
}

async function takeTurn(one, clients, server, next, { client, seconds: length }) {
  const [before, backendsBefore] = [await server.use(), await backendTimes(client)];
  const { latencies, right, wrong, seconds } = await drive(server.base, { clients, seconds: length, next });
  const [after, backendsAfter] = [await server.use(), await backendTimes(client)];
  const requests = Math.max(1, latencies.length);
  return {
    rate: (right * one.size) / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpuMs: (after.cpuMs - before.cpuMs) / requests,
    databaseMs: (spent(backendsBefore, backendsAfter) ?? Number.NaN) / requests,
    rss: after.rss / 2 ** 20,
    stallMs: after.stallMs,
    computedMs: after.computedMs,
    wrong,
  };
}
