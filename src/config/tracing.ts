/** Where traces are sent, by the variables that OpenTelemetry defines. Undefined: nowhere. */
import { flag, malformed, oneOf, quoted, readable, trimmed, webUrl, wholeNumber } from './config-values.js';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingConfig {
  /** Takes spans as OTLP over HTTP, in JSON. */
  readonly url: string;
  readonly serviceName: string;
  readonly sampler: (typeof samplers)[number];
  /** Of the traces that begin here, by `…traceidratio`. */
  readonly ratio: number;
  /** Spans that wait to be sent; more are dropped. */
  readonly queue: number;
  /** Spans of one request to the collector. */
  readonly batch: number;
  readonly delayMs: number;
}

export const tracingVariables = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SDK_DISABLED',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  'OTEL_BSP_SCHEDULE_DELAY',
] as const;
type TracingVariable = (typeof tracingVariables)[number];

type Read = <T>(name: TracingVariable, parse: (text: string, name: string) => T) => T | undefined;

export function tracingConfig(read: Read): TracingConfig | undefined {
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT', webUrl);
  const url = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', webUrl) ?? (base && `${base}/v1/traces`);
  const isOff =
    read('OTEL_SDK_DISABLED', flag) === true || read('OTEL_TRACES_EXPORTER', oneOf(['otlp', 'none'])) === 'none';
  if (!url || isOff) return undefined;
  read('OTEL_EXPORTER_OTLP_PROTOCOL', oneOf(['http/json']));
  // What sends the spans reads these itself, and passes over what is malformed.
  read('OTEL_EXPORTER_OTLP_HEADERS', headers);
  read('OTEL_EXPORTER_OTLP_TIMEOUT', wholeNumber(1, 3_600_000));
  read('OTEL_EXPORTER_OTLP_COMPRESSION', oneOf(['gzip', 'none']));
  read('OTEL_EXPORTER_OTLP_CERTIFICATE', (path, name) => readable(path.trim(), `The file that ${name} names`));
  const queue = read('OTEL_BSP_MAX_QUEUE_SIZE', wholeNumber(1, 100_000)) ?? 2048;
  return Object.freeze({
    url,
    serviceName: read('OTEL_SERVICE_NAME', trimmed) ?? 'worktrack',
    sampler: read('OTEL_TRACES_SAMPLER', oneOf(samplers)) ?? 'parentbased_always_on',
    ratio: read('OTEL_TRACES_SAMPLER_ARG', share) ?? 1,
    queue,
    batch: Math.min(queue, read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', wholeNumber(1, 100_000)) ?? 512),
    delayMs: read('OTEL_BSP_SCHEDULE_DELAY', wholeNumber(1, 3_600_000)) ?? 5000,
  });
}

function share(text: string, name: string): number {
  const value = /^\d*\.?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw malformed(name, `is ${quoted(text.trim())}`, 'a number from 0 to 1 such as 0.1');
}

/** Never quoted: they may hold a credential. */
function headers(text: string, name: string): void {
  const isPair = (part: string): boolean => /^\s*[!#$%&'*+.^_`|~\w-]+\s*=/.test(part);
  if (!text.split(',').every(isPair))
    throw malformed(name, 'is no list of headers', 'one such as x-api-key=s3cret,b=c');
}
