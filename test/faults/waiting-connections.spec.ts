/** Clients that connect while the service is busy wait for it, however many come at once. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { emptyDatabase } from '../support/empty-database.js';
import { Service } from '../support/service.js';

const most = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));

it.each(['1', '2'])('%s processes: a thousand connect while it does nothing', { timeout: 120_000 }, async (WORKERS) => {
  const DATABASE_URL = await emptyDatabase(`waiting_connections_${WORKERS}`);
  const service = Service.spawn({ DATABASE_URL, DB_POOL: '2', WORKERS });
  const base = new URL(await service.address());
  const connections: Socket[] = [];
  service.kill('SIGSTOP');
  try {
    // One after another: for many at once the kernel says yes before it looks whether there is room for them.
    for (let at = 0; at < Math.min(1000, most); at += 1) {
      connections.push(connect(Number(base.port), base.hostname));
      await once(connections[at]!, 'connect', { signal: AbortSignal.timeout(20_000) });
    }
  } finally {
    for (const connection of connections) connection.destroy();
    service.kill('SIGCONT');
  }
  expect((await fetch(`${base.href}health/ready`)).status).toBe(200);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});
