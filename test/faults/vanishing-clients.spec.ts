/**
 * Hundreds of clients that reset their connections at once: the service gives back their descriptors and connections to
 * the database.
 */
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { expect, it } from 'vitest';
import { lockWaiters } from '../support/connections.js';
import { bareDatabase } from '../support/empty-database.js';
import { adminHeaders } from '../support/ledger.js';
import { Service, until } from '../support/service.js';

const request = `GET /api/v1/Severities HTTP/1.1\r\nHost: x\r\nAuthorization: ${adminHeaders.authorization}\r\n\r\n`;

function sent(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request, () => resolve(socket)));
    socket.once('error', reject);
  });
}

it.skipIf(process.platform !== 'linux')(
  'F14: 500 requests are reset, and nothing of them stays',
  {
    timeout: 120_000,
  },
  async () => {
    const DATABASE_URL = await bareDatabase('reset_by_clients');
    const service = Service.spawn({ DATABASE_URL, DB_POOL: '4' });
    const base = new URL(await service.address());
    const roles = () => fetch(`${base.href}api/v1/Severities`, { headers: adminHeaders });
    const descriptors = () => readdirSync(`/proc/${service.child.pid}/fd`).length;
    expect((await roles()).status).toBe(200);
    const before = descriptors();

    const locking = new pg.Client(DATABASE_URL);
    await locking.connect();
    await locking.query('begin; lock table severity in access exclusive mode');
    const sockets = await Promise.all(Array.from({ length: 500 }, () => sent(Number(base.port))));
    await lockWaiters(locking);
    for (const socket of sockets) socket.on('error', () => undefined).resetAndDestroy();
    // The pool may have grown, and answers may keep a connection of this process.
    await until(() => descriptors() < before + 20, 60);
    await locking.query('commit');
    await until(async () => {
      const { rows } = await locking.query(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
         and backend_type = 'client backend'`,
      );
      return rows.length === 0;
    }, 60);
    expect((await Promise.all(Array.from({ length: 16 }, roles))).map(({ status }) => status)).toEqual(
      Array(16).fill(200),
    );
    await locking.end();
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
  },
);
