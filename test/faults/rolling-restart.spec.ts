/** Services behind a balancer, restarted one after the other: nobody notices. */
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/runtime/free-port.js';
import { bareDatabase } from '../support/empty-database.js';
import { HAProxy, haproxyPath } from '../support/haproxy.js';
import { Service, until } from '../support/service.js';

const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
const callers = 8;
const requests = 3000;

describe.skipIf(!haproxyPath)('behind HAProxy with its defaults', () => {
  let DATABASE_URL: string;
  let proxy: HAProxy;
  const ports: number[] = [];
  const services = new Map<number, Service>();

  /** It drains as long as it does by itself. */
  function start(port: number): void {
    services.set(port, Service.spawn({ DATABASE_URL, PORT: String(port), DRAIN_SECONDS: '', LOG_LEVEL: 'silent' }));
  }

  const isUp = (port: number) => until(() => proxy.isUp(port), 60);

  async function restart(port: number): Promise<void> {
    services.get(port)!.kill('SIGTERM');
    expect(await services.get(port)!.ended).toEqual({ code: 0, signal: null });
    start(port);
    await services.get(port)!.address();
    await isUp(port);
  }

  beforeAll(async () => {
    DATABASE_URL = await bareDatabase('rolling_restart');
    ports.push(await freePort('127.0.0.1'), await freePort('127.0.0.1'));
    for (const port of ports) start(port);
    await Promise.all([...services.values()].map((service) => service.address()));
    proxy = await HAProxy.before(ports);
    await Promise.all(ports.map(isUp));
  }, 120_000);
  afterAll(async () => {
    await proxy?.stop();
    for (const service of services.values()) service.kill('SIGKILL');
    await Promise.all([...services.values()].map(({ ended }) => ended));
  });

  it('no request fails', { timeout: 300_000 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: callers });
    const statuses = new Map<unknown, number>();
    let asked = 0;
    let isOver = false;
    const call = async (): Promise<void> => {
      while (!isOver || asked < requests) {
        asked += 1;
        const status = await statusOf(agent, `${proxy.base}/api/v1/Roles?format=json`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // So that they last for as long as the restarts.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const calls = Array.from({ length: callers }, call);
    try {
      for (const port of ports) await restart(port);
    } finally {
      isOver = true;
      await Promise.all(calls);
      agent.destroy();
    }
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThanOrEqual(requests);
  });
});

const statusOf = (agent: Agent, url: string): Promise<number | string | undefined> =>
  new Promise((resolve) => {
    const asked = request(url, { agent, headers: { authorization } }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
      answer.once('error', (error) => resolve(error.message));
    });
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    asked.end();
  });
