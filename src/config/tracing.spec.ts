import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.js';

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
const usual = {
  url: 'http://collector:4318/v1/traces',
  serviceName: 'worktrack',
  sampler: 'parentbased_always_on',
  ratio: 1,
  queue: 2048,
  batch: 512,
  delayMs: 5000,
};

it.each<[NodeJS.ProcessEnv, object | undefined]>([
  [{}, undefined],
  [{ OTEL_SERVICE_NAME: 'alone' }, undefined],
  [{ ...collector, OTEL_SDK_DISABLED: 'true' }, undefined],
  [{ ...collector, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [collector, usual],
  [{ ...collector, OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, usual],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://a/own' }, { ...usual, url: 'https://a/own' }],
  [
    { ...collector, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x = y=z', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' },
    usual,
  ],
  ...['a=b,', ',a=b', 'a=b,,c=d', ' , ', 'a=', 'a=caf%C3%A9', 'a=b;p=1'].map((text): [NodeJS.ProcessEnv, object] => [
    { ...collector, OTEL_EXPORTER_OTLP_HEADERS: text, OTEL_EXPORTER_OTLP_TRACES_HEADERS: text },
    usual,
  ]),
  [{ ...collector, OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '1000', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }, usual],
  [
    { ...collector, OTEL_BSP_MAX_QUEUE_SIZE: '8' },
    { ...usual, queue: 8, batch: 8 },
  ],
  [
    { ...collector, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '.25' },
    { ...usual, sampler: 'traceidratio', ratio: 0.25 },
  ],
])('%j', (env, expected) => expect(loadConfig(env).tracing).toEqual(expected));

it.each<[NodeJS.ProcessEnv, string]>([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:pass@a' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not an address'],
  [{ ...collector, OTEL_TRACES_SAMPLER: 'some' }, "OTEL_TRACES_SAMPLER is 'some'; one of always_on,"],
  [{ ...collector, OTEL_TRACES_SAMPLER_ARG: '2' }, "OTEL_TRACES_SAMPLER_ARG is '2'; a number from 0 to 1"],
])('%j is refused', (env, message) => expect(() => loadConfig(env)).toThrow(message));

describe.each(['OTEL_EXPORTER_OTLP', 'OTEL_EXPORTER_OTLP_TRACES'])('%s', (scope) => {
  it.each([
    ['PROTOCOL', 'grpc', `${scope}_PROTOCOL is 'grpc'; one of http/json would work.`],
    ['TIMEOUT', '-1', `${scope}_TIMEOUT is '-1'; a whole number from 1`],
    ['COMPRESSION', 'zstd', `${scope}_COMPRESSION is 'zstd'; one of gzip, none would work.`],
    ['CERTIFICATE', '/none', `The file that ${scope}_CERTIFICATE names cannot`],
    ...['=;,=', 'a', 'a;=b', 'a=%zz', '%zz=b', 'a%20b=c', 'a b=c', 'a=%0A', 'a=%E2%82%AC', 'a=b,c'].map((text) => [
      'HEADERS',
      text,
      `${scope}_HEADERS is no list of headers`,
    ]),
  ])('_%s=%s is refused', (setting, text, message) =>
    expect(() => loadConfig({ ...collector, [`${scope}_${setting}`]: text })).toThrow(message));
});
