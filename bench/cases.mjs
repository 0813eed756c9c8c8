/**
 * The cases, those of one kind in a file of `cases/`: name, what how it is asked for and what it measures clients
 * numbers of concurrent clients unit, size what is counted, and how many of them one request has service, limit, bare,
 * same, stock what each of these servers is asked, as far as the case has it: a function of `(i, fixture)` that gives
 * the i-th request, { method, path, headers, body, expects, isWrong } peers optional: what those servers are asked that
 * run with `--peers` alone, { stock, postgraphile } answer(database, input, facts) what a server by hand does with it:
 * { status, text, type }; `input` is the body, or the segments of the path behind the name; `database.server` is the
 * name of the server checked(i, fixture), unchecked(i, fixture) instead: two requests to one service, see
 * `unchecked.mjs` isClose whether both differ so little that they are compared in many short turns isRead whether both
 * must answer with the very same bytes, links aside goal(clients) optional, by the names of `goals.mjs`: { rate: at
 * least so many a second, ratio, bare, same: at least this share of the rate of the limit, of bare, of same; rateWhere:
 * { rate: at least so many a second, bare: where bare reaches so many }, p50, p99: at most so many times the limit's,
 * within: p50 of at most so many milliseconds, spread: p99 at most so many times p50, stall: at most so many
 * milliseconds, beside: { case, clients, least, most }: so many times the rate of another row, of this case unless it
 * names one }
 */
import { readdirSync } from 'node:fs';

const directory = new URL('cases/', import.meta.url);

export async function loadCases() {
  const files = readdirSync(directory).filter((file) => file.endsWith('.mjs'));
  const modules = await Promise.all(files.sort().map((file) => import(new URL(file, directory).href)));
  const cases = modules.flatMap((module) => module.default);
  // Small requests first: large ones make the database grow.
  return cases.sort((a, b) => a.size - b.size);
}
