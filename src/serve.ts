/** One run of the service, from its environment to its orderly end. */
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './app.js';
import { banner } from './banner.js';
import { type Config, ConfigError, loadConfig } from './config.js';
import { type EmbeddedPostgres, startEmbedded } from './database/embedded/embedded.js';
import { EmbeddedPostgresError } from './database/embedded/failure.js';
import { prepareDatabase } from './database/prepare.js';
import { listeningHost } from './listening-host.js';

export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await run(loadConfig(env));
  } catch (error) {
    process.stderr.write(`worktrack: ${plain(error)}\n`);
    process.exitCode = 1;
    // An embedded database that was started ends with its parent; nothing else holds the process.
    process.exit();
  }
}

async function run(said: Config): Promise<void> {
  const embedded = said.databaseUrl
    ? undefined
    : await startEmbedded({
        dataDirectory: said.dataDir,
        onExit: (reason) => {
          process.stderr.write(`worktrack: ${reason}\n`);
          process.exit(1);
        },
      });
  const config: Config = { ...said, databaseUrl: said.databaseUrl ?? embedded!.url };
  const state = await prepareDatabase(config);
  const { host, notice } = listeningHost(config, state);
  const app = await createApp({ ...config, host });
  endInOrder(app, embedded);
  await app.listen(config.port, host);
  const { port } = app.getHttpServer().address() as AddressInfo;
  process.stdout.write(banner({ host, port, notice, state, embedded: embedded !== undefined }));
}

/** Stops accepting, finishes what runs, closes the database, ends with 0. A second signal changes nothing. */
function endInOrder(app: NestFastifyApplication, embedded: EmbeddedPostgres | undefined): void {
  let isEnding = false;
  const end = async (): Promise<void> => {
    // What will not end in time must not keep the process for ever.
    setTimeout(() => process.exit(1), 15_000).unref();
    await app.close();
    await embedded?.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!isEnding) void end();
      isEnding = true;
    });
  }
}

/** The network's codes and PostgreSQL's: no server there, no such login or database, no right, no room. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  'EHOSTUNREACH',
  '28000',
  '28P01',
  '3D000',
  '42501',
  '53300',
  '57P03',
]);

/** What the person who starts the service can do something about is told in one line; the rest with its place. */
function plain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof EmbeddedPostgresError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: string }).code;
  if (code === 'EADDRINUSE') return 'The port is in use already; set PORT to another one.';
  if (code !== undefined && unreachable.has(code)) {
    return `The database of DATABASE_URL cannot be used: ${error.message || code}.`;
  }
  return error.stack ?? error.message;
}
