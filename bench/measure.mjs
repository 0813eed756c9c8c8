/** Measures one case: first whether both servers do the same work, then both in turn, so that what else the machine does hits both. */
import { backendTimes, spent } from './backends.mjs';
import { tidy } from './database.mjs';
import { drive, median, quantile } from './load.mjs';
import { compareWork } from './same-work.mjs';

export async function measureCase(one, { client, servers, fixture, options, say }) {
  const next = counters(one, fixture);
  const compared = servers.filter(({ name }) => name !== 'stock' && one[name]);
  const work = await compareWork(client, compared, (server) => next(server)(), one.isRead);
  for (const { server, problem } of work.outcomes) {
    if (problem) say(`${one.name}: the ${server} is skipped: ${problem}`);
  }
  for (const difference of work.differences) say(`${one.name}: NOT THE SAME WORK, ${difference}`);
  const failed = work.outcomes.filter(({ problem }) => problem).map(({ server }) => server);
  const able = servers.filter(({ name }) => one[name] && !failed.includes(name));
  const results = [];
  if (able.length > 0) {
    for (const clients of options.clients ?? one.clients) {
      await tidy(client);
      results.push(await measure(one, clients, able, next, { client, options, say }));
    }
  }
  return { case: one, work, results };
}

/** Requests of a server are numbered through, so that no two are alike. */
function counters(one, fixture) {
  const sent = new Map();
  return (server) => () => {
    const i = sent.get(server.name) ?? 0;
    sent.set(server.name, i + 1);
    return one[server.name](i, fixture);
  };
}

async function measure(one, clients, servers, next, { client, options, say }) {
  for (const server of servers) {
    if (options.warmup > 0) await drive(server.base, { clients, seconds: options.warmup, next: next(server) });
  }
  const turns = Object.fromEntries(servers.map(({ name }) => [name, []]));
  const { rounds, seconds } = one.isClose ? inShortTurns(options) : options;
  for (let round = 1; round <= rounds; round += 1) {
    // Who comes first in one round comes last in the next: the processor keeps something of whoever went before.
    for (const server of round % 2 === 1 ? servers : servers.toReversed()) {
      const turn = await takeTurn(one, clients, server, next(server), { client, seconds });
      turns[server.name].push(turn);
      say(
        `${one.name}, ${clients} clients, round ${round}, ${server.name}: ${turn.rate.toFixed(0)} ${one.unit}/s, ` +
          `p50 ${turn.p50.toFixed(1)} ms, p99 ${turn.p99.toFixed(1)} ms${turn.wrong.length > 0 ? `, WRONG: ${turn.wrong[0]}` : ''}`,
      );
    }
  }
  const told = { service: turns.service ?? turns.checked, limit: turns.limit ?? turns.unchecked, stock: turns.stock };
  return { clients, ...told, ratio: ratioOf(told) };
}

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

/** Of each round its own, since a noisy neighbour stays longer than a turn. */
function ratioOf({ service, limit }) {
  if (!service || !limit) return undefined;
  return median(service.map(({ rate }, at) => rate / limit[at].rate));
}
