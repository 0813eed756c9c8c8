/** A PostgreSQL that a spec ends and starts again as it likes: always at one address, syncing to disk as in earnest. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbedded } from '../../src/database/embedded/embedded.js';

/** Ways to end it: what `pg_ctl stop` calls fast and immediate, and a crash. */
export type Ending = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

export class OwnPostgres {
  private server!: EmbeddedPostgres;
  private ended!: Promise<void>;
  private port?: number;

  private constructor(private readonly directory: string) {}

  /** In a directory that is removed at the end. */
  static async start(directory = mkdtempSync(join(tmpdir(), 'worktrack-own-'))): Promise<OwnPostgres> {
    // The account that it runs under must reach it.
    await chmod(directory, 0o711);
    const postgres = new OwnPostgres(directory);
    await postgres.begin();
    postgres.port = Number(new URL(postgres.url).port);
    return postgres;
  }

  get url(): string {
    return this.server.url;
  }

  async end(how: Ending): Promise<void> {
    const note = join(this.directory, 'data', 'cluster', 'pgdata', 'postmaster.pid');
    process.kill(Number(readFileSync(note, 'utf8').split('\n')[0]), how);
    await this.ended;
  }

  async begin(): Promise<void> {
    let onExit!: () => void;
    this.ended = new Promise((resolve) => {
      onExit = () => resolve();
    });
    this.server = await startEmbedded({ dataDirectory: join(this.directory, 'data'), port: this.port, onExit });
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20 });
  }
}
