/** One structured line a request, and one a fault; whatever a line says was redacted. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import { loggedPath, type PathWords, redacted, redactedValue } from '../runtime/redaction.js';
import { openStandardOutput } from '../runtime/standard-output.js';
import { addressOf } from './client-address.js';
import type { ApiRequest } from './request.js';
import { traceIdOf } from './request-id.js';
import { routeOf } from './route-facts.js';
import { trafficOf } from './traffic.js';
import type { Ended } from './when-over.js';

/** Injection token of the logger. */
export const LOGGER = Symbol('LOGGER');

/**
 * A write to the console at each request would cost a tenth of it: lines are gathered, a second at most. While nobody
 * takes them, so many characters are kept.
 */
const gathered = { dest: 1, sync: false, minLength: 4096, periodicFlush: 1000, maxLength: 2 ** 24 };

/** How long the end of the process waits for somebody to take the last lines. */
const lastLinesMs = 1000;

/** The words are those that paths are logged with; they may become more later. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, words: PathWords): Logger {
  if (logLevel === 'silent') return pino({ level: logLevel });
  const destination = standardOutput();
  return pino(
    {
      level: logLevel,
      base: undefined,
      timestamp,
      formatters: { level: (level) => ({ level }) },
      // It is spelled before it comes there.
      serializers: { err: (spelled: unknown) => spelled },
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args.map((arg) => loggedValue(arg, words)) as typeof args);
          // Somebody waits for these, and the process may not live to the next second.
          if (level >= pino.levels.values.error!) destination.flush();
        },
      },
    },
    destination,
  );
}

function standardOutput() {
  let isEnding = false;
  const retryEAGAIN = (): boolean => !isEnding;
  const destination = pino.destination({ ...gathered, retryEAGAIN } as Parameters<typeof pino.destination>[0]);
  // On a disk that is full. The lines are kept and written when there is room.
  let isFailing = false;
  destination.on('error', () => {
    isFailing = true;
  });
  destination.on('write', () => {
    isFailing = false;
  });
  const { flushSync } = destination;
  // Called when the process ends, behind `writeLastLines`.
  destination.flushSync = () => {
    isEnding = true;
    // It would try again for ever.
    if (isFailing) return;
    openStandardOutput();
    try {
      flushSync.call(destination);
    } catch {
      // Nobody takes them.
    }
  };
  return destination;
}

/** Waits a moment for somebody to take them. */
export async function writeLastLines(logger: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => logger.flush(() => resolve()));
  await Promise.race([written, pause(lastLinesMs)]);
}

let second = Number.NaN;
let upToSecond = '';

/** `,"time":"2026-01-31T12:00:00.000Z"`; a second is spelled once, however many lines it has. */
function timestamp(): string {
  const now = Date.now();
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    upToSecond = new Date(second).toISOString().slice(0, 20);
  }
  return `,"time":"${upToSecond}${String(milliseconds).padStart(3, '0')}Z"`;
}

/**
 * The query text is never in it, for one since `token=` may stand there. Spelled here, as the logger would: its members
 * are the same each time, and looking for others costs more than all else that a request leaves behind: 2 µs a line,
 * of which 0.4 are left. The stream is none of the documented interface of pino, which is pinned for it
 * (`test/private-parts.spec.ts`).
 */
export function logRequest(
  logger: Logger,
  request: ApiRequest,
  { elapsedTime }: FastifyReply,
  { status, isUnfinished, words }: Ended & { words: PathWords },
): void {
  if (!logger.isLevelEnabled('info')) return;
  const { received, sent } = trafficOf(request);
  const duration = Math.round(elapsedTime * 10) / 10;
  const { [pino.symbols.streamSym]: lines } = logger as unknown as { [key: symbol]: { write(line: string): void } };
  lines!.write(
    // What these hold needs no escaping, but for path and route.
    `{"level":"info"${timestamp()},"requestId":"${request.id}"${member('traceId', traceIdOf(request))}${caller(request)},"method":"${request.method}","path":${JSON.stringify(loggedPath(request.raw.url ?? '', words))}${member('route', routeOf(request))},"status":${status},"durationMs":${duration},"bytesIn":${received},"bytesOut":${sent}${isUnfinished ? ',"unfinished":true' : ''}}\n`,
  );
}

const caller = (request: ApiRequest): string =>
  (request.actor ? `,"user":${request.actor.userId}` : '') + member('address', addressOf(request));

const member = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `,"${name}":${JSON.stringify(text)}`;

/** What Nest says, in lines of ours. */
export function nestLogger(logger: Logger): LoggerService {
  const say = (level: 'debug' | 'warn' | 'error') => (message: unknown) => logger[level](String(message));
  return { log: say('debug'), warn: say('warn'), error: say('error'), fatal: say('error') };
}

function loggedValue(value: unknown, words: PathWords): unknown {
  if (value instanceof Error) return { err: fault(value, words) };
  if (typeof value !== 'object' || value === null || !('err' in value)) return redactedValue(value, words);
  const { err, ...others } = value;
  return { ...(redactedValue(others, words) as object), err: fault(err, words) };
}

/**
 * Of an error of the database, detail and statement hold what a client wrote: only code, message and place are logged.
 */
function fault(error: unknown, words: PathWords): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: redacted(String(error), words) };
  const { name, stack } = error;
  const code = (error as { code?: unknown }).code;
  // What the database cannot read as a value, class 22, is a client's.
  const isValue = typeof code === 'string' && /^22...$/.test(code);
  const message = redacted(isValue ? error.message.replace(/".*"/s, '"…"') : error.message, words);
  return {
    name,
    message,
    code: redactedValue(code, words),
    stack: [`${name}: ${message}`, ...framesOf(stack, error.message)].join('\n'),
  };
}

/** The places in a stack, which names the message at its start. */
function framesOf(stack: string | undefined, message: string): string[] {
  const lines = (stack ?? '').replace(message, '').split('\n').slice(1);
  return lines.filter((line) => frame.test(line));
}

const frame = /^ {4}at (?:[^()"'?=]* \()?(?:file:\/\/|node:|\/|[A-Za-z]:\\)[^"'?=]*:\d+:\d+\)?$/;
