/**
 * The cases, one file each in `cases/`:
 *   name, what      how it is asked for and what it measures
 *   clients         numbers of concurrent clients
 *   unit, size      what is counted, and how many of them one request has
 *   service(i, fixture), limit(i, fixture)   the i-th request to each server: { method, path, headers, body, expects }
 *   answer(database, body, facts)            what the limit server does with it: { status, text }
 *   goal            optional: { rate: at least so many a second, ratio: at least this share of the limit }
 */
import { readdirSync } from 'node:fs';

const directory = new URL('cases/', import.meta.url);

export async function loadCases() {
  const files = readdirSync(directory).filter((file) => file.endsWith('.mjs'));
  const modules = await Promise.all(files.sort().map((file) => import(new URL(file, directory).href)));
  // Small requests first: large ones make the database grow.
  return modules.map((module) => module.default).sort((a, b) => a.size - b.size);
}
