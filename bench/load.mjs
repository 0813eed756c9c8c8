/** Drives a server with a number of clients, each asking again as soon as it is answered, and keeps every latency. */
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, spell } from './connection.mjs';

/** However quick a server is, a turn is not longer than this. */
const most = 1_000_000;

/**
 * `next()` gives the request to send: `{ method, path, headers, body, expects }`, and `isWrong(text)` where the status
 * alone does not tell. With `rate` all clients together send so many a second at most.
 */
export async function drive(base, { clients, seconds, next, rate }) {
  const url = new URL(base);
  const taken = { latencies: [], wrong: [], right: 0 };
  const started = performance.now();
  const until = started + seconds * 1000;
  const asked = { until, next, turn: turnsAt(rate) };
  await Promise.all(Array.from({ length: clients }, () => client(url, asked, taken)));
  const elapsed = (performance.now() - started) / 1000;
  // Those under way at the end are waited for and counted, and so is their time.
  return { ...taken, latencies: Float64Array.from(taken.latencies).sort(), seconds: elapsed };
}

/** When the next request may be sent: evenly, and what was missed is not made up for. */
function turnsAt(rate = Number.POSITIVE_INFINITY) {
  let last = 0;
  return async () => {
    const now = performance.now();
    last = Math.max(now, last + 1000 / rate);
    if (last > now) await pause(last - now);
  };
}

async function client(url, { until, next, turn }, taken) {
  const { latencies, wrong } = taken;
  const connection = new Connection(url);
  try {
    while (performance.now() < until && latencies.length < most && wrong.length < 20) {
      await turn();
      const request = next();
      const text = spell(request, url.host);
      const sent = performance.now();
      const answer = await connection.ask(text);
      latencies.push(performance.now() - sent);
      if (answer.status === request.expects && !request.isWrong?.(answer.text())) taken.right += 1;
      else wrong.push(`${answer.status} ${answer.text().slice(0, 300)}`);
    }
  } catch (error) {
    wrong.push(error.message);
  } finally {
    connection.close();
  }
}

/** One request alone, with its whole answer. */
export async function askOnce(base, request) {
  const url = new URL(base);
  const connection = new Connection(url);
  try {
    const { status, text } = await connection.ask(spell(request, url.host));
    return { status, text: text() };
  } finally {
    connection.close();
  }
}

export const quantile = (sorted, share) =>
  sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
