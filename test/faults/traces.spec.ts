/**
 * What the service as a process sends to a collector of traces, and that a collector that is away costs requests
 * nothing.
 */
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../src/runtime/free-port.js';
import { Collector, type Span } from '../support/collector.js';
import { bareDatabase } from '../support/empty-database.js';
import { Service, until } from '../support/service.js';

const headers = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const hook = fileURLToPath(new URL('../support/loaded-packages.mjs', import.meta.url));

let DATABASE_URL: string;
let collector: Collector;
let service: Service;
beforeAll(async () => {
  DATABASE_URL = await bareDatabase('traced');
});
beforeEach(async () => {
  collector = await Collector.start();
});
afterEach(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
  await collector.stop();
});

function start(env: Record<string, string>): Promise<string> {
  service = Service.spawn({ DATABASE_URL, OTEL_BSP_SCHEDULE_DELAY: '50', ...env });
  return service.address();
}

const ask = async (address: string, more: Record<string, string> = {}, body?: string): Promise<Response> => {
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await fetch(address, { method, body, headers: { ...headers, ...more } });
  await answer.text();
  return answer;
};

const requestSpan = (id: string): Promise<Span> =>
  until(() => collector.spans.find(({ attributes }) => attributes['worktrack.request_id'] === id));

describe.each(['1', '2'])('with WORKERS=%s', (WORKERS) => {
  it('a span for each request in the trace that it is part of, and one for each of its statements', {
    timeout: 120_000,
  }, async () => {
    const address = await start({
      WORKERS,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'of a test',
    });
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    await ask(`${address}/api/v1/Roles/1?token=hush&where=(Name eq 'hush')`, { 'x-request-id': 'refused' });
    await ask(`${address}/api/v1/Roles/1`, { 'x-request-id': 'read', traceparent });
    const role = JSON.stringify({ Name: 'hush-hush' });
    const made = await ask(
      `${address}/api/v1/Roles`,
      { 'x-request-id': 'made', 'content-type': 'application/json' },
      role,
    );
    expect(made.status).toBe(201);
    const [read, written] = [await requestSpan('read'), await requestSpan('made')];
    expect(read).toMatchObject({
      traceId,
      parentSpanId: '00f067aa0ba902b7',
      name: 'GET /api/v1/Roles/:id',
      kind: 2,
      service: 'of a test',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/Roles/:id',
        'http.response.status_code': 200,
        'user.id': '1',
      },
    });
    expect((await requestSpan('refused')).traceId).not.toBe(traceId);
    const below = (span: Span) =>
      until(() => {
        const spans = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
        return spans.length > 0 && spans;
      });
    expect(await below(read)).toContainEqual(
      expect.objectContaining({
        traceId,
        name: 'SELECT',
        kind: 3,
        attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'SELECT' },
      }),
    );
    const operations = async () => (await below(written)).map(({ name }) => name);
    for (const name of ['BEGIN', 'INSERT', 'COMMIT']) await expect.poll(operations).toContain(name);
    expect(collector.text).not.toContain('hush');
    // The last ones are sent when the service ends.
    await ask(`${address}/api/v1/Roles/2`, { 'x-request-id': 'last' });
    service.kill('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    await requestSpan('last');
    const line = service.output.split('\n').find((one) => one.includes('"requestId":"made"'));
    expect(JSON.parse(line!).traceId).toBe(written.traceId);
  });
});

it('of no request where none is to be sampled', { timeout: 60_000 }, async () => {
  const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
  const address = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env });
  await ask(`${address}/api/v1/Roles/1`, { 'x-request-id': 'unsampled' });
  await ask(`${address}/api/v1/Roles/1`, {
    'x-request-id': 'sampled before',
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  });
  await until(() => collector.spans.some((span) => span.traceId === traceId));
  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
});

it.each([
  ['away', async () => `http://127.0.0.1:${await freePort('127.0.0.1')}`],
  ['silent', async () => collector.behaving('is silent')],
  ['refusing', async () => collector.behaving('refuses')],
])('costs requests nothing, and little memory, while the collector is %s', { timeout: 120_000 }, async (_, place) => {
  const address = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: await place(),
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    OTEL_BSP_MAX_QUEUE_SIZE: '64',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '32',
  });
  const count = 500;
  for (let at = 0; at < count; at += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(`${address}/api/v1/Roles/1`)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  }
  await service.says(/Traces cannot be sent to the collector/);
  expect(service.output.match(/Traces cannot be sent to the collector/g)).toHaveLength(1);
  service.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

it('keeps no more spans than it may while the collector takes none', { timeout: 120_000 }, async () => {
  collector.manner = 'is silent';
  const bounds = { OTEL_BSP_MAX_QUEUE_SIZE: '64', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '32' };
  const address = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    ...bounds,
  });
  for (let at = 0; at < 300; at++) await ask(`${address}/api/v1/Roles/1`);
  expect(collector.requests).toBe(1);
  collector.manner = 'takes';
  service.kill('SIGTERM');
  await service.ended;
  expect(collector.spans.length).toBeGreaterThan(0);
  expect(collector.spans.length).toBeLessThanOrEqual(64);
});

it.each([
  [0, {}],
  [1, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }],
  [0, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }],
  [0, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' }],
])('loads nothing where none is configured (%i %j)', { timeout: 60_000 }, async (some, env) => {
  const address = await start({ ...env, NODE_OPTIONS: `--import=${hook}` });
  await ask(`${address}/api/v1/Roles/1`);
  service.kill('SIGTERM');
  await service.ended;
  const [, files] = await service.says(/loaded (\d+) files of OpenTelemetry/);
  expect(Number(files) > 0).toBe(some > 0);
});
