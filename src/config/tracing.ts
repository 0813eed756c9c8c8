/** Where traces are sent, by the variables that OpenTelemetry defines. Undefined: nowhere. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
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

/** For all that OpenTelemetry sends, and for traces alone, which go first. */
const scopes = ['OTEL_EXPORTER_OTLP', 'OTEL_EXPORTER_OTLP_TRACES'] as const;
const settings = ['ENDPOINT', 'PROTOCOL', 'HEADERS', 'TIMEOUT', 'COMPRESSION', 'CERTIFICATE'] as const;

export const tracingVariables = [
  ...scopes.flatMap((scope) => settings.map((setting) => `${scope}_${setting}` as const)),
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
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
  for (const scope of scopes) checkSender(scope, read);
  read('OTEL_RESOURCE_ATTRIBUTES', trimmed);
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

/** What sends the spans reads these itself, and passes over what is malformed. */
function checkSender(scope: (typeof scopes)[number], read: Read): void {
  read(`${scope}_PROTOCOL`, oneOf(['http/json']));
  read(`${scope}_HEADERS`, headers);
  read(`${scope}_TIMEOUT`, wholeNumber(1, 3_600_000));
  read(`${scope}_COMPRESSION`, oneOf(['gzip', 'none']));
  read(`${scope}_CERTIFICATE`, (path, name) => readable(path.trim(), `The file that ${name} names`));
}

function share(text: string, name: string): number {
  const value = /^\d*\.?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw malformed(name, `is ${quoted(text.trim())}`, 'a number from 0 to 1 such as 0.1');
}

/** Never quoted: they may hold a credential. Between commas there may be none, as in baggage of the W3C. */
function headers(text: string, name: string): void {
  const members = text.split(',').filter((member) => member.trim() !== '');
  if (!members.every(isHeader)) throw malformed(name, 'is no list of headers', 'one such as x-api-key=s3cret,b=c');
}

/** Both sides are sent decoded, without what follows a semicolon. */
function isHeader(member: string): boolean {
  const [, key, value] = /^([^=;]*)=([^;]*)/.exec(member) ?? [];
  if (key === undefined) return false;
  try {
    validateHeaderName(decodeURIComponent(key.trim()));
    validateHeaderValue('header', decodeURIComponent(value!.trim()));
    return true;
  } catch {
    return false;
  }
}
