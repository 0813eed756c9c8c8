/** Processor time of PostgreSQL's connections, where their processes can be seen: a database on this machine, on Linux. */
import { readFileSync } from 'node:fs';

/** Milliseconds by process id. Only one server works at a time, so all connections may be taken together. */
export async function backendTimes(client) {
  const { rows } = await client.query(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  return new Map(rows.map(({ pid }) => [pid, timeOf(pid)]));
}

/** Undefined when nothing can be told. */
export function spent(before, after) {
  const times = [...after].filter(([, ms]) => ms !== undefined);
  if (times.length === 0) return undefined;
  return times.reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

function timeOf(pid) {
  try {
    // The server may be on another machine, and the process of that number anybody's.
    if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('postgres:')) return undefined;
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
    // User and system time in ticks, a hundred a second on every Linux there is.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
