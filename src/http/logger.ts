/** One structured line a request; credentials are never in it because the query text never is. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.js';

/** Injection token of the logger. */
export const LOGGER = Symbol('LOGGER');

/** A write to the console at each request would cost a tenth of it: lines are gathered, a second at most. */
const gathered = { dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 };

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  if (logLevel === 'silent') return pino({ level: logLevel });
  const destination = pino.destination(gathered);
  return pino(
    {
      level: logLevel,
      base: undefined,
      timestamp,
      serializers: { err: faultOf },
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args);
          // Somebody waits for these, and the process may not live to the next second.
          if (level >= pino.levels.values.error!) destination.flush();
        },
      },
    },
    destination,
  );
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
 * The path alone: filters may hold names, and `token=` stands behind the question mark. Spelled here, as the logger would: its
 * members are the same each time, and looking for others costs more than all else that a request leaves behind.
 */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!logger.isLevelEnabled('info')) return;
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const shown = JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path);
  const duration = Math.round(reply.elapsedTime * 10) / 10;
  const { [pino.symbols.streamSym]: lines } = logger as unknown as { [key: symbol]: { write(line: string): void } };
  lines!.write(
    `{"level":30${timestamp()},"requestId":"${request.id}","method":"${request.method}","path":${shown},"status":${reply.statusCode},"durationMs":${duration}}\n`,
  );
}

/** Statements hold what a client wrote, so of a database's error only code, message and place are told. */
function faultOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, message, code: (error as { code?: unknown }).code, stack };
}
