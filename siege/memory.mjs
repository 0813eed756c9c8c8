/** Watches the memory of the service and of its backends, ten times a second, as Linux tells it. */
import { readFileSync } from 'node:fs';

const everyMs = 100;
const ownBackends = `select pid from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** `pid` is the service, `client` is connected to its database. Where nothing is told, memory is 0. */
export function watchMemory(pid, client) {
  let backends = [];
  let isAsking = false;
  const most = { node: memoryOf(pid, 'VmRSS'), backend: 0, before: memoryOf(pid, 'VmRSS') };
  const look = () => {
    most.node = Math.max(most.node, memoryOf(pid, 'VmRSS'));
    for (const backend of backends) most.backend = Math.max(most.backend, memoryOf(backend, 'RssAnon'));
    if (!isAsking) void refresh();
  };
  const refresh = async () => {
    isAsking = true;
    const { rows } = await client.query(ownBackends).catch(() => ({ rows: [] }));
    backends = rows.map((row) => row.pid);
    isAsking = false;
  };
  const timer = setInterval(look, everyMs);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}

/** In MiB. */
function memoryOf(pid, name) {
  try {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
