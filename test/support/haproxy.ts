/** A real HAProxy with its defaults in front of services, on machines that have one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/runtime/free-port.js';
import { until } from './service.js';

export const haproxyPath = ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/opt/homebrew/bin/haproxy'].find((path) =>
  existsSync(path),
);

export class HAProxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly base: string,
  ) {}

  /** Servers are called by their ports. */
  static async before(ports: readonly number[]): Promise<HAProxy> {
    const port = await freePort('127.0.0.1');
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-haproxy-'));
    const file = join(directory, 'haproxy.cfg');
    writeFileSync(file, configuration(port, ports));
    const child = spawn(haproxyPath!, ['-db', '-f', file], { stdio: 'ignore' });
    const proxy = new HAProxy(child, directory, `http://127.0.0.1:${port}`);
    await until(() => proxy.states().catch(() => false));
    return proxy;
  }

  /** As it has found out by its checks. */
  async isUp(port: number): Promise<boolean> {
    return (await this.states()).includes(`,${port},UP`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.directory, { recursive: true });
  }

  /** Lines such as `,8081,UP`. */
  private async states(): Promise<string> {
    const table = await (await fetch(`${this.base}/balancer;csv`)).text();
    const rows = table.split('\n').map((line) => line.split(','));
    return rows.map(([, server, ...others]) => `,${server},${others[15]}`).join('\n');
  }
}

const configuration = (port: number, ports: readonly number[]): string =>
  [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 30s',
    '  timeout server 30s',
    'frontend all',
    `  bind 127.0.0.1:${port}`,
    '  stats enable',
    '  stats uri /balancer',
    '  default_backend services',
    'backend services',
    '  option httpchk GET /health/ready',
    ...ports.map((one) => `  server ${one} 127.0.0.1:${one} check`),
    '',
  ].join('\n');
