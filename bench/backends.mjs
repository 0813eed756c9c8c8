/** What PostgreSQL's connections use, where their processes can be seen: a database on this machine, on Linux. */
import { readFileSync } from 'node:fs';

/** Milliseconds by process id. Only one server works at a time, so all connections may be taken together. */
export async function backendTimes(client) {
  return new Map((await backendsOf(client)).map((pid) => [pid, timeOf(pid)]));
}

/** How many there are, and the MiB of their own that they hold together and at most. */
export async function backendMemory(client) {
  const own = (await backendsOf(client)).map(memoryOf);
  return { connections: own.length, together: own.reduce((sum, one) => sum + one, 0), largest: Math.max(0, ...own) };
}

/** Of this database, but not the connection that asks. */
async function backendsOf(client) {
  const { rows } = await client.query(
    `select pid from pg_stat_activity
     where backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()`,
  );
  return rows.map(({ pid }) => pid);
}

/** Undefined when nothing can be told. */
export function spent(before, after) {
  const times = [...after].filter(([, ms]) => ms !== undefined);
  if (times.length === 0) return undefined;
  return times.reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

function timeOf(pid) {
  // User and system time in ticks, a hundred a second on every Linux there is.
  const fields = read(pid, 'stat')?.split(') ')[1].split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Without the buffers that all share. */
const memoryOf = (pid) => Number(/RssAnon:\s+(\d+) kB/.exec(read(pid, 'status') ?? '')?.[1] ?? Number.NaN) / 1024;

/**
 * Undefined when nothing can be told: the server may be on another machine, and the process of that number anybody's.
 */
function read(pid, file) {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('postgres:')) return undefined;
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return undefined;
  }
}
