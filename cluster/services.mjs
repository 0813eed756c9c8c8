/** Three services on the cluster, each connected in another way. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostAddress } from './network.mjs';
import { ports, servicePorts } from './nodes.mjs';
import { Program, until } from './processes.mjs';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** By several addresses, through a balancer, through a pooler. */
const waysOf = (cluster) =>
  [
    { DATABASE_URL: `${cluster.urlOf(cluster.addresses)}?target_session_attrs=read-write` },
    { DATABASE_URL: cluster.urlOf(`${hostAddress}:${ports.writes}`) },
    {
      DATABASE_URL: cluster.urlOf(`${hostAddress}:${ports.pgbouncer}`),
      MIGRATE_DATABASE_URL: cluster.urlOf(`${hostAddress}:${ports.writes}`),
    },
  ].map((way) => ({ READ_DATABASE_URL: cluster.urlOf(cluster.addresses), ...way }));

const portOf = (at) => servicePorts[0] + at;

export class Services {
  constructor(cluster) {
    this.cluster = cluster;
    this.running = [];
  }

  async start() {
    // The first one makes the schema.
    for (const at of servicePorts.keys()) await this.startOne(at);
  }

  async startOne(at) {
    const env = {
      ...(waysOf(this.cluster)[at] ?? { ...waysOf(this.cluster)[0], READ_DATABASE_URL: '' }),
      MAX_REPLICA_LAG: '3',
      HOST: hostAddress,
      PORT: String(portOf(at)),
      ADMIN_PASSWORD: 'cluster only',
      WAIT_FOR_DATABASE: '60',
      DRAIN_SECONDS: '2',
      DB_POOL: '6',
      LOG_LEVEL: 'info',
    };
    this.running[at] = new Program([process.execPath, main], {
      log: join(this.cluster.directory, `service${at}.log`),
      env,
    });
    await until(`service ${at} is ready`, () => this.isReady(at), 120);
  }

  async isReady(at) {
    return (await fetch(`http://${hostAddress}:${portOf(at)}/health/ready`)).ok;
  }

  /** One that knows no replicas; gives its port. */
  async startPlain() {
    await this.startOne(servicePorts.length);
    return portOf(servicePorts.length);
  }

  async kill(at) {
    await this.running[at].end('SIGKILL');
  }

  async replace(at) {
    await this.running[at].end('SIGTERM', 20_000);
    await this.startOne(at);
  }

  async end() {
    await Promise.all(this.running.map((one) => one.end('SIGINT')));
  }
}
