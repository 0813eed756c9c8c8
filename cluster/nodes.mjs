/**
 * etcd, three Patroni nodes, HAProxy and PgBouncer, of Debian's packages, in a directory and a network of their own.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { hostAddress, Network, network } from './network.mjs';
import { familyOf, Program, pidIn, run, runBeside, signalAll, until } from './processes.mjs';

export const programs = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  postgres: '/usr/lib/postgresql/15/bin/postgres',
};

export const missing = () => Object.entries(programs).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));

const password = 'cluster-only';
export const ports = { etcd: 23790, postgres: 5432, rest: 8008, writes: 25000, pgbouncer: 26432, http: 28080 };
/** Of the disk that is filled. */
const diskMegabytes = 900;

export class Node {
  constructor(cluster, number) {
    Object.assign(this, cluster.network.join(number));
    this.name = `node${number}`;
    this.directory = join(cluster.directory, this.name);
    this.log = join(cluster.directory, `${this.name}.log`);
    this.hasSmallDisk = cluster.hasSmallDisk;
    mkdirSync(this.directory);
    if (this.hasSmallDisk)
      run('mount', '-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'worktrack-cluster', this.directory);
    const [uid, gid] = run('sh', '-c', 'id -u postgres; id -g postgres').trim().split('\n').map(Number);
    chownSync(this.directory, uid, gid);
    this.data = join(this.directory, 'data');
    this.file = join(cluster.directory, `${this.name}.yml`);
    writeFileSync(this.file, JSON.stringify(configuration(this)));
  }

  start() {
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--pdeathsig=KILL'];
    this.program = new Program([...this.prefix, ...asPostgres, programs.patroni, this.file], { log: this.log });
  }

  get url() {
    return `postgres://postgres:${password}@${this.address}:${ports.postgres}/worktrack`;
  }

  get pids() {
    const file = join(this.data, 'postmaster.pid');
    return [...familyOf(this.program.child.pid), ...(existsSync(file) ? familyOf(pidIn(file)) : [])];
  }

  async kill() {
    signalAll(this.pids, 'SIGKILL');
    await this.program.ended;
  }

  /** What it says of itself: role, timeline, state. */
  async status() {
    const answer = await fetch(`http://${this.address}:${ports.rest}/patroni`, { signal: AbortSignal.timeout(800) });
    return answer.json();
  }

  async isLeader() {
    const answer = await fetch(`http://${this.address}:${ports.rest}/primary`, { signal: AbortSignal.timeout(800) });
    // It leads before it is promoted to the end.
    return answer.status === 200 && /^(master|primary)$/.test((await answer.json()).role);
  }

  async rows(text, values) {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 3000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async fillDisk() {
    const { bavail, bsize } = statfsSync(this.directory);
    await runBeside('sh', '-c', `head -c ${bavail * bsize} /dev/zero > ${join(this.directory, 'ballast')} || true`);
  }

  async emptyDisk() {
    await rm(join(this.directory, 'ballast'), { force: true });
  }

  async end() {
    if (!this.program) return;
    await this.program.end('SIGTERM', 20_000);
    const file = join(this.data, 'postmaster.pid');
    if (existsSync(file)) signalAll(familyOf(pidIn(file)), 'SIGKILL');
  }
}

const configuration = ({ name, address, data }) => ({
  scope: 'worktrack',
  name,
  restapi: { listen: `${address}:${ports.rest}`, connect_address: `${address}:${ports.rest}` },
  etcd3: { host: `${hostAddress}:${ports.etcd}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 3,
      retry_timeout: 5,
      maximum_lag_on_failover: 1_048_576,
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: {
          max_connections: 150,
          shared_buffers: '64MB',
          max_wal_size: '256MB',
          wal_keep_size: '128MB',
          hot_standby_feedback: 'on',
        },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
  },
  postgresql: {
    listen: `${address}:${ports.postgres}`,
    connect_address: `${address}:${ports.postgres}`,
    data_dir: data,
    // A replica that cannot follow the new leader is made anew.
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
    bin_dir: '/usr/lib/postgresql/15/bin',
    parameters: {
      unix_socket_directories: '',
      wal_receiver_timeout: '5s',
      wal_sender_timeout: '5s',
      tcp_user_timeout: '5s',
      wal_retrieve_retry_interval: '500ms',
    },
    authentication: {
      superuser: { username: 'postgres', password },
      replication: { username: 'replicator', password },
    },
    pg_hba: [`host all all ${network} scram-sha-256`, `host replication all ${network} scram-sha-256`],
  },
});

export class Cluster {
  /** That may be filled, in memory. */
  constructor({ hasSmallDisk }) {
    this.hasSmallDisk = hasSmallDisk;
    this.directory = mkdtempSync(join(tmpdir(), 'worktrack-cluster-'));
    chmodSync(this.directory, 0o755);
    this.network = new Network();
    this.nodes = [];
    this.others = [];
  }

  async start() {
    this.startEtcd();
    await until('etcd answers', async () => (await fetch(`http://${hostAddress}:${ports.etcd}/health`)).ok);
    for (const number of [1, 2, 3]) {
      const node = new Node(this, number);
      this.nodes.push(node);
      node.start();
      if (number === 1) await until('the first node leads', () => node.isLeader(), 90);
    }
    await until('all replicas stream', async () => (await this.replicas()).length === 2, 120);
    const leader = await this.leader();
    const client = new pg.Client(leader.url.replace('/worktrack', '/postgres'));
    await client.connect();
    await client.query('create database worktrack');
    await client.end();
    this.startBalancer();
    this.startPooler();
  }

  startEtcd() {
    const address = `http://${hostAddress}:${ports.etcd}`;
    const peer = `http://${hostAddress}:${ports.etcd + 1}`;
    const flags = ['--name', 'one', '--data-dir', join(this.directory, 'etcd'), '--listen-client-urls', address];
    const more = [
      '--advertise-client-urls',
      address,
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
    ];
    const command = [programs.etcd, ...flags, ...more, '--initial-cluster', `one=${peer}`, '--logger', 'zap'];
    this.others.push(new Program(command, { log: join(this.directory, 'etcd.log') }));
  }

  startBalancer() {
    const file = join(this.directory, 'haproxy.cfg');
    writeFileSync(file, balancing(this.nodes));
    this.others.push(new Program([programs.haproxy, '-db', '-f', file], { log: join(this.directory, 'haproxy.log') }));
  }

  startPooler() {
    const file = join(this.directory, 'pgbouncer.ini');
    const target = `host=${hostAddress} port=${ports.writes} user=postgres password=${password}`;
    const settings = `listen_addr = ${hostAddress}\nlisten_port = ${ports.pgbouncer}\nauth_type = any\nunix_socket_dir =\npool_mode = transaction\ndefault_pool_size = 12\nserver_login_retry = 0.3`;
    writeFileSync(file, `[databases]\nworktrack = ${target}\n[pgbouncer]\n${settings}\n`);
    const log = join(this.directory, 'pgbouncer.log');
    this.others.push(new Program([programs.pgbouncer, '-u', 'nobody', file], { log }));
  }

  async leader() {
    const answers = await Promise.all(this.nodes.map((node) => node.isLeader().catch(() => false)));
    return this.nodes.find((_, at) => answers[at]);
  }

  /** Those that stream from the leader; the one that it waits for comes first. */
  async replicas() {
    const leader = await this.leader();
    const { replication = [] } = await leader.status();
    const streaming = replication.filter(({ state }) => state === 'streaming');
    const names = streaming.sort((one) => (one.sync_state === 'sync' ? -1 : 1)).map((one) => one.application_name);
    return names.map((name) => this.nodes.find((node) => node.name === name));
  }

  async isWhole() {
    const { replication = [] } = (await (await this.leader())?.status()) ?? {};
    const isSync = replication.some(({ sync_state: state }) => state === 'sync');
    return isSync && replication.filter(({ state }) => state === 'streaming').length === 2;
  }

  get addresses() {
    return this.nodes.map(({ address }) => `${address}:${ports.postgres}`).join(',');
  }

  urlOf(hosts) {
    return `postgres://postgres:${password}@${hosts}/worktrack`;
  }

  async end() {
    for (const node of this.nodes) await node.mend();
    await Promise.all(this.nodes.map((node) => node.end()));
    for (const program of this.others.reverse()) await program.end('SIGTERM', 5000);
    for (const node of this.nodes) if (node.hasSmallDisk) run('umount', node.directory);
    this.network.end();
    rmSync(this.directory, { recursive: true, force: true });
  }

  logOf(name) {
    return readFileSync(join(this.directory, `${name}.log`), 'utf8');
  }
}

export const servicePorts = [28081, 28082, 28083];

const balancing = (nodes) => `
defaults
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  default-server inter 500ms fastinter 200ms fall 2 rise 1
listen writes
  mode tcp
  bind ${hostAddress}:${ports.writes}
  option httpchk GET /primary
  http-check expect status 200
${nodes.map(({ name, address }) => `  server ${name} ${address}:${ports.postgres} check port ${ports.rest} on-marked-down shutdown-sessions`).join('\n')}
listen services
  mode http
  bind ${hostAddress}:${ports.http}
  option httpchk GET /health/ready
  option redispatch 1
  retries 2
  retry-on conn-failure
${servicePorts.map((port) => `  server service${port} ${hostAddress}:${port} check`).join('\n')}
`;
