/**
 * The cases, those of one kind in a file of `cases/`:
 *   name, what      how it is asked for and what it measures
 *   clients         numbers of concurrent clients
 *   unit, size      what is counted, and how many of them one request has
 *   service(i, fixture), limit(i, fixture)   the i-th request to each server: { method, path, headers, body, expects }
 *   answer(database, said, facts)            what the limit server does with it: { status, text, type }; `said` is the body, or
 *                   the segments of the path behind the name
 *   checked(i, fixture), unchecked(i, fixture)   instead: two requests to one service, see `unchecked.mjs`
 *   isClose         whether both differ so little that they are compared in many short turns
 *   isRead          whether both must answer with the very same bytes, links aside
 *   goal(clients)   optional: { rate: at least so many a second, ratio: at least this share of the limit's,
 *                   p50, p99: at most so many times the limit's, stall: at most so many milliseconds }
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
