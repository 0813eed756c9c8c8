/**
 * The files in deploy/ for more than one machine, read and compared with what the service takes and what must stand in
 * them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../src/config/config.js';
import { addressesOf } from '../src/config/database-addresses.js';

const deploy = fileURLToPath(new URL('../deploy', import.meta.url));
const read = (...path: string[]): string => readFileSync(join(deploy, ...path), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: documents have the shape of their kind
type Document = any;

const documentsIn = (file: string): Document[] =>
  parseAllDocuments(read('kubernetes', file)).map((one) => {
    expect(one.errors).toEqual([]);
    return one.toJS();
  });

describe('Kubernetes', () => {
  const [claim, deployment, service, budget] = documentsIn('worktrack.yaml');
  const [cluster, ...instances] = documentsIn('database.yaml');
  const { spec } = deployment.spec.template;
  const [container] = spec.containers;
  const [migrating] = spec.initContainers;
  const variables = Object.fromEntries(container.env.map(({ name, value }: Document) => [name, value ?? 'secret']));

  it.each([
    ...documentsIn('worktrack.yaml'),
    ...documentsIn('database.yaml'),
  ])('$kind $metadata.name is one of its kind', (one) => {
    expect(versions[one.kind]).toBe(one.apiVersion);
    expect(one.metadata.name).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(one.spec).toBeDefined();
  });

  it('gives the service only variables that it takes', () => {
    const config = loadConfig(variables);
    expect(config.waitForDatabaseSeconds).toBeGreaterThan(60);
    expect(addressesOf(config.readDatabaseUrl)).toHaveLength(cluster.spec.instances);
    expect(config.drainMs).toBeGreaterThanOrEqual(10_000);
    expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(config.drainMs + 17_000);
  });

  it('asks the addresses of health, and takes no process away before another one is ready', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(container.startupProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
  });

  it('migrates where no probe ends it, as the service does', () => {
    const { name: _, command, ...more } = migrating;
    expect(command).toEqual(['node', 'dist/cli/main.js', 'migrate']);
    expect(container).toMatchObject(more);
  });

  it('keeps attached files where all processes find them, for longer than a pod lives', () => {
    const { name } = container.volumeMounts.find(({ mountPath }: Document) => mountPath === dataDir);
    const { persistentVolumeClaim } = spec.volumes.find((one: Document) => one.name === name);
    expect(persistentVolumeClaim.claimName).toBe(claim.metadata.name);
    expect(claim.spec.accessModes).toEqual(['ReadWriteMany']);
    // A pod that starts leaves the files of others as they are.
    expect(spec.securityContext.fsGroupChangePolicy).toBe('OnRootMismatch');
  });

  it('selects the pods that it makes', () => {
    const { labels } = deployment.spec.template.metadata;
    for (const { spec: one } of [service, budget]) {
      expect(labels).toMatchObject(one.selector.matchLabels ?? one.selector);
    }
    expect(deployment.spec.selector.matchLabels).toEqual(service.spec.selector);
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name);
  });

  it('runs without rights that the service does not need', () => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources.limits.memory).toBeDefined();
  });

  it('has a primary whose commits a replica waits for, and an address for each instance', () => {
    expect(cluster.spec.postgresql.synchronous).toEqual({ method: 'any', number: 1 });
    const names = instances.map((one) => one.metadata.name);
    const hosts = addressesOf(variables.READ_DATABASE_URL).map((url) => new URL(url).hostname);
    expect(hosts).toEqual(names);
    expect(new URL(variables.DATABASE_URL).hostname).toBe(`${cluster.metadata.name}-rw`);
    for (const one of instances) expect(one.spec.selector).toEqual({ 'cnpg.io/instanceName': one.metadata.name });
  });
});

const versions: Record<string, string> = {
  Deployment: 'apps/v1',
  Service: 'v1',
  PersistentVolumeClaim: 'v1',
  PodDisruptionBudget: 'policy/v1',
  Cluster: 'postgresql.cnpg.io/v1',
};

/** Of the image. */
const [, dataDir] = /DATA_DIR=(\S+)/.exec(readFileSync(join(deploy, '..', 'Dockerfile'), 'utf8'))!;

it('Compose keeps attached files where all processes find them, for longer than a container lives', () => {
  for (const path of [
    ['cluster', 'compose.yaml'],
    ['..', 'compose.yaml'],
  ]) {
    const { services, volumes } = parse(read(...path), { merge: true }) as Document;
    const mounts = Object.keys(services)
      .filter((name) => name.startsWith('worktrack'))
      .map((name) => services[name].volumes?.find((mount: string) => mount.endsWith(`:${dataDir}`)));
    const sources = new Set(mounts.map((mount) => mount?.split(':')[0]));
    expect([...sources].filter((source) => source in volumes)).toHaveLength(1);
    expect(sources.size).toBe(1);
  }
});

describe('Compose', () => {
  const { services, volumes } = parse(read('cluster', 'compose.yaml'), { merge: true }) as Document;
  const names = (prefix: string) => Object.keys(services).filter((name) => name.startsWith(prefix));
  const resolved = (text: string) =>
    text.replace(/\$\{[A-Z0-9_]+(?::[-?]([^}]*))?\}/g, (_, fallback = 'x') => fallback || '');

  it('has three services, three nodes, three members of etcd, a balancer and a pooler', () => {
    expect([names('worktrack').length, names('node').length, names('etcd').length]).toEqual([3, 3, 3]);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(['haproxy', 'pgbouncer']));
  });

  it('gives the services only variables that they take, and hosts that are there', () => {
    for (const name of names('worktrack')) {
      const env = Object.fromEntries(
        Object.entries<string>(services[name].environment).map(([variable, value]) => [variable, resolved(value)]),
      );
      const { databaseUrl, migrateDatabaseUrl, readDatabaseUrl } = loadConfig(env);
      const hosts = [databaseUrl, migrateDatabaseUrl, readDatabaseUrl].flatMap((url) => addressesOf(url));
      for (const url of hosts) expect(Object.keys(services)).toContain(new URL(url).hostname);
      expect(addressesOf(readDatabaseUrl)).toHaveLength(3);
    }
  });

  it('names volumes and files that are there', () => {
    for (const { volumes: mounted = [], build } of Object.values<Document>(services)) {
      for (const mount of mounted as string[]) {
        const [source = ''] = mount.split(':');
        if (source.startsWith('.')) expect(existsSync(join(deploy, 'cluster', source))).toBe(true);
        else expect(Object.keys(volumes)).toContain(source);
      }
      if (build) expect(existsSync(join(deploy, 'cluster', build, 'Dockerfile'))).toBe(true);
    }
  });

  it('waits for a replica with every commit', () => {
    const { bootstrap } = parse(read('cluster', 'patroni', 'patroni.yml')) as Document;
    expect(bootstrap.dcs.synchronous_mode).toBe(true);
    const { ttl, loop_wait: wait, retry_timeout: retry } = bootstrap.dcs;
    expect(wait + 2 * retry).toBeLessThanOrEqual(ttl);
  });

  it.each(['start.sh', 'post-init.sh'])('%s is a script', (name) => {
    execFileSync('sh', ['-n', join(deploy, 'cluster', 'patroni', name)]);
  });
});

const systemdAnalyze = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find(existsSync);

describe('systemd', () => {
  const unit = read('worktrack.service');

  it('waits for a database that comes later, and tries again without end', () => {
    expect(unit).toMatch(/^Environment=.*\bWAIT_FOR_DATABASE=\d+/m);
    expect(unit).toMatch(/^\[Unit\][^[]*^StartLimitIntervalSec=0$/m);
    expect(unit).toMatch(/^\[Service\][^[]*^RestartSec=\d+$/m);
  });

  it.skipIf(!systemdAnalyze)('takes the unit', () => {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-unit-'));
    const file = join(directory, 'worktrack.service');
    // Node may lie elsewhere here.
    writeFileSync(file, unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
    const { status, stderr } = spawnSync(systemdAnalyze!, ['verify', '--man=no', file], { encoding: 'utf8' });
    rmSync(directory, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
  });
});

const haproxy = ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/opt/homebrew/bin/haproxy'].find(existsSync);

it.skipIf(!haproxy)('HAProxy takes its configuration', () => {
  // Names of the network of Compose are not known here.
  const text = read('cluster', 'haproxy.cfg').replace(/ (worktrack|node)(\d):/g, ' 127.0.0.1:');
  const directory = mkdtempSync(join(tmpdir(), 'worktrack-haproxy-'));
  writeFileSync(join(directory, 'haproxy.cfg'), text);
  const { status, stderr } = spawnSync(haproxy!, ['-c', '-f', join(directory, 'haproxy.cfg')], { encoding: 'utf8' });
  rmSync(directory, { recursive: true });
  expect([status, stderr.match(/ALERT.*/g)]).toEqual([0, null]);
});
