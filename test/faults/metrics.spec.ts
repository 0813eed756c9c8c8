/** What Prometheus is told by the service as a process: numbers that add up, and no word that a client made up. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/runtime/free-port.js';
import { bareDatabase } from '../support/empty-database.js';
import { workers } from '../support/processes.js';
import { Service, until } from '../support/service.js';

const headers = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
const rules = new URL('../../deploy/prometheus-rules.yml', import.meta.url).pathname;
const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool', '/opt/homebrew/bin/promtool'].find(existsSync);

let DATABASE_URL: string;
let service: Service;
let metrics: string;
beforeAll(async () => {
  DATABASE_URL = await bareDatabase('measured');
});
afterEach(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
});

async function start(env: Record<string, string>): Promise<string> {
  const port = await freePort('127.0.0.1');
  metrics = `http://127.0.0.1:${port}/metrics`;
  service = Service.spawn({ DATABASE_URL, METRICS_PORT: String(port), ...env });
  return service.address();
}

const read = async (): Promise<string> => (await fetch(metrics)).text();

/** The sum of all whose labels hold these. */
function sum(text: string, name: string, ...labels: string[]): number {
  const lines = text.split('\n').filter((line) => line.startsWith(name) && labels.every((one) => line.includes(one)));
  return lines.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
}

describe.each(['1', '2'])('with WORKERS=%s', (WORKERS) => {
  it('counts each request once, by the pattern of its route', { timeout: 120_000 }, async () => {
    const address = await start({ WORKERS });
    for (const path of ['Roles', 'Roles/1', 'Roles/2', 'Secret-Path', 'Roles?where=Name eq 1']) {
      const answer = await fetch(`${address}/api/v1/${path}`, { headers });
      await answer.text();
    }
    await fetch(`${address}/api/v1/Roles`, { headers: { authorization: `Basic ${btoa('admin:wrong')}` } });
    const count = 'worktrack_http_request_duration_seconds_count';
    const text = await until(async () => {
      const now = await read();
      return sum(now, count) >= 6 ? now : undefined;
    });
    expect(sum(text, count)).toBe(6);
    expect(sum(text, count, 'status="401"')).toBe(1);
    expect(text).not.toMatch(/secret-path|Roles\/1|where=/i);
    expect(sum(text, 'worktrack_password_checks_total', 'result="wrong"')).toBe(1);
    for (const name of [
      'worktrack_database_statements_total',
      'worktrack_http_bytes_total',
      'worktrack_database_connections{',
    ])
      expect([name, sum(text, name) > 0]).toEqual([name, true]);
    const rolesBytes = ['route="/api/v1/Roles', 'direction="sent"'];
    expect(sum(text, 'worktrack_http_bytes_total', ...rolesBytes)).toBeGreaterThan(500);
    expect(sum(text, 'worktrack_ready', 'for="writes"')).toBe(1);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds/m);
    expect((await fetch(metrics.replace('/metrics', '/'))).status).toBe(404);
  });
});

it('calls of tools, which come over no network, spoil no sum of bytes', { timeout: 120_000 }, async () => {
  const address = await start({});
  const params = { name: 'list', arguments: { kind: 'Role' } };
  const called = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(await called.text()).toContain('Developer');
  await (await fetch(`${address}/api/v2/Role`, { headers })).text();
  const text = await until(async () => {
    const now = await read();
    return sum(now, 'worktrack_http_request_duration_seconds_count') >= 3 ? now : undefined;
  });
  const bytes = sum(text, 'worktrack_http_bytes_total', 'route="/api/v2/:entity"', 'direction="sent"');
  expect(bytes).toBeGreaterThan(300);
});

/** What each line holds in front of its number. */
const labelsOf = (text: string, name: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .map((line) => line.slice(0, line.lastIndexOf(' ')));

it('keeps what workers had counted that ended', { timeout: 120_000 }, async () => {
  const address = await start({ WORKERS: '2' });
  const counted = ['worktrack_http_request_duration_seconds_count', 'worktrack_http_bytes_total'];
  const count = (text: string) => counted.map((name) => sum(text, name));
  for (let at = 0; at < 8; at++) await (await fetch(`${address}/api/v1/Roles`, { headers })).text();
  const before = await until(async () => {
    const now = await read();
    return count(now)[0] === 8 ? now : undefined;
  });
  for (const ended of workers(service)) {
    process.kill(ended, 'SIGKILL');
    await until(() => workers(service).length === 2 && !workers(service).includes(ended));
    await until(async () => sum(await read(), 'nodejs_version_info') > 0);
  }
  expect(count(await read())).toEqual(count(before));
  for (let at = 0; at < 4; at++) await (await fetch(`${address}/api/v1/Roles`, { headers })).text();
  await until(async () => count(await read())[0] === 12);
});

it('has no more lines for addresses and methods that clients make up', { timeout: 60_000 }, async () => {
  const address = await start({});
  await fetch(`${address}/nothing/of/ours`);
  const names = ['worktrack_http_bytes_total', 'worktrack_http_request_duration_seconds_count'];
  const linesOf = (text: string) => names.flatMap((name) => labelsOf(text, name));
  const before = linesOf(
    await until(async () => {
      const now = await read();
      return sum(now, names[1]!) >= 1 ? now : undefined;
    }),
  );
  for (let at = 0; at < 50; at++) await fetch(`${address}/nothing/of/ours${at}?a=${at}`);
  const after = await until(async () => {
    const now = await read();
    return sum(now, names[1]!) >= 51 ? now : undefined;
  });
  expect(linesOf(after)).toEqual(before);
});

it('counts statements that wait for locks, and what was refused for them', { timeout: 60_000 }, async () => {
  const address = await start({ STATEMENT_TIMEOUT: '2' });
  const database = new pg.Client(DATABASE_URL);
  await database.connect();
  await database.query('begin; lock table role in access exclusive mode');
  const answer = fetch(`${address}/api/v1/Roles`, { headers });
  await until(async () => sum(await read(), 'worktrack_database_lock_waits') === 1);
  expect((await answer).status).toBe(503);
  await database.end();
  await until(async () => sum(await read(), 'worktrack_database_lock_waits') === 0);
  expect(sum(await read(), 'worktrack_refusals_total', 'reason="statement_timeout"')).toBe(1);
});

it('ends the start with one line where the port is in use', { timeout: 60_000 }, async () => {
  const address = await start({});
  const other = Service.spawn({ DATABASE_URL, METRICS_PORT: new URL(address).port });
  expect(await other.ended).toEqual({ code: 1, signal: null });
  const { port } = new URL(address);
  expect(other.output).toBe(`worktrack: The port ${port} is in use already; set METRICS_PORT to another one.\n`);
});

/** A value each minute for an hour, in Prometheus' own notation, in the place of that of `well`. */
type Series = Readonly<Record<string, string>>;

const seconds = 'worktrack_http_request_duration_seconds';
const well: Series = {
  'up{job="worktrack"}': '1x60',
  'worktrack_ready{for="reads"}': '1x60',
  'worktrack_ready{for="writes"}': '1x60',
  worktrack_faults_total: '0x60',
  'worktrack_refusals_total{reason="queue"}': '0x60',
  'worktrack_refusals_total{reason="rate_limit"}': '0+600x60',
  [`${seconds}_bucket{le="1"}`]: '0+60x60',
  [`${seconds}_bucket{le="10"}`]: '0+60x60',
  [`${seconds}_bucket{le="+Inf"}`]: '0+60x60',
  'worktrack_database_waiting{database="primary"}': '3x60',
  worktrack_database_lock_waits: '1x60',
  'worktrack_replicas{state="serving"}': '2x60',
  'worktrack_replicas{state="late"}': '0x60',
  'worktrack_replicas{state="away"}': '0x60',
  worktrack_login_locks_total: '0x60',
  'nodejs_eventloop_lag_p99_seconds{job="worktrack"}': '0.02x60',
};

/** What each rule is for. */
const faults: Readonly<Record<string, Series>> = {
  WorktrackDown: { 'up{job="worktrack"}': '0x60' },
  WorktrackNotReady: { 'worktrack_ready{for="reads"}': '0x60' },
  WorktrackTakesNoWrites: { 'worktrack_ready{for="writes"}': '0x60' },
  // The only one of the hour.
  WorktrackFaults: { worktrack_faults_total: '0x50 1x10' },
  WorktrackRefuses: { 'worktrack_refusals_total{reason="queue"}': '0+90x60' },
  WorktrackSlow: { [`${seconds}_bucket{le="1"}`]: '0+50x60' },
  WorktrackWaitsForConnections: { 'worktrack_database_waiting{database="primary"}': '60x60' },
  WorktrackWaitsForLocks: { worktrack_database_lock_waits: '6x60' },
  WorktrackReplicaLate: { 'worktrack_replicas{state="late"}': '1x60' },
  WorktrackReplicaAway: { 'worktrack_replicas{state="away"}': '1x60' },
  WorktrackWithoutReplica: { 'worktrack_replicas{state="serving"}': '0x60' },
  WorktrackLoginsLocked: { worktrack_login_locks_total: '0x50 8x10' },
  WorktrackEventLoopLate: { 'nodejs_eventloop_lag_p99_seconds{job="worktrack"}': '0.8x60' },
};

/** That this rule fires after an hour, and of the others none. */
function ruleTest(name: string, fault: Series, names = Object.keys(faults)) {
  const input = Object.entries({ ...well, ...fault }).map(([series, values]) => ({ series, values }));
  return { interval: '1m', input_series: input, promql_expr_test: names.map((one) => firing(one, one === name)) };
}

const firing = (name: string, fires: boolean) => ({
  expr: `count(ALERTS{alertname="${name}",alertstate="firing"})`,
  eval_time: '1h',
  exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
});

describe('what is in deploy', () => {
  it('names metrics that there are', { timeout: 60_000 }, async () => {
    await start({});
    const text = await read();
    const dashboard = readFileSync(new URL('../../deploy/grafana-dashboard.json', import.meta.url), 'utf8');
    expect(JSON.parse(dashboard).panels.length).toBeGreaterThan(5);
    const named = `${dashboard}${readFileSync(rules, 'utf8')}`.match(/\b(?:worktrack|nodejs|process)_\w+/g)!;
    const base = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '');
    expect([...new Set(named)].filter((name) => !text.includes(`# TYPE ${base(name)} `))).toEqual([]);
  });

  it.skipIf(!promtool)('has rules that promtool takes', () => {
    expect(execFileSync(promtool!, ['check', 'rules', rules], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  it.skipIf(!promtool)('has rules each of which fires at what it is for, and none while all is well', () => {
    const names = [...readFileSync(rules, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
    expect(Object.keys(faults).sort()).toEqual(names.sort());
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-rules-'));
    const file = join(directory, 'tests.json');
    const cases = [...Object.entries(faults).map(([name, one]) => ruleTest(name, one)), ruleTest('', {}, names)];
    writeFileSync(file, JSON.stringify({ rule_files: [rules], tests: cases }));
    const { status, stdout, stderr } = spawnSync(promtool!, ['test', 'rules', file], { encoding: 'utf8' });
    rmSync(directory, { recursive: true });
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it.skipIf(!promtool).each(['1', '2'])(
    'has metrics that promtool takes, with WORKERS=%s',
    { timeout: 60_000 },
    async (WORKERS) => {
      const address = await start({ WORKERS });
      await (await fetch(`${address}/api/v1/Roles`, { headers })).text();
      const { status, stderr } = spawnSync(promtool!, ['check', 'metrics'], { input: await read(), encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    },
  );
});
