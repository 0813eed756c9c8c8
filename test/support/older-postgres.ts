/**
 * PostgreSQL of other versions than the embedded one: from npm, or from the packages of Debian, where they are there.
 */
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount, runAs } from '../../src/database/embedded/account.js';
import { type Binaries, openBinaries } from '../../src/database/embedded/binaries.js';
import { superuser, urlOf } from '../../src/database/embedded/cluster.js';
import { createDatabase } from '../../src/database/embedded/embedded.js';
import { EmbeddedPostgresError } from '../../src/database/embedded/failure.js';
import type { Home } from '../../src/database/embedded/home.js';
import { waitUntilFree } from '../../src/database/embedded/occupancy.js';
import { olderBinaries } from '../../src/database/embedded/older-binaries.js';
import { startServer, stopServer } from '../../src/database/embedded/server.js';

const password = 'a'.repeat(48);
const home = (directory: string): Home => ({ directory, account: chooseAccount(directory) });

/** Undefined where there are none. Fetched once for all specs. */
export async function binariesOf(major: string): Promise<Binaries | undefined> {
  const directory = join(tmpdir(), `worktrack-older-postgres-${process.getuid?.()}`);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
  if (major === '18') return openBinaries(home(directory));
  const debian = `/usr/lib/postgresql/${major}`;
  const folder = existsSync(join(debian, 'bin/initdb')) ? debian : undefined;
  return olderBinaries(major, home(directory), folder).catch((error: unknown) => {
    if (error instanceof EmbeddedPostgresError) return undefined;
    throw error;
  });
}

export class OlderPostgres {
  /** Laid out as a `DATA_DIR`. */
  readonly directory: string;
  url = '';
  private server?: Awaited<ReturnType<typeof startServer>>;

  private constructor(
    private readonly place: string,
    private readonly binaries: Binaries,
  ) {
    this.directory = join(place, 'data');
  }

  static async make(binaries: Binaries): Promise<OlderPostgres> {
    const place = await mkdtemp(join(tmpdir(), 'worktrack-older-'));
    await chmod(place, 0o711);
    const made = new OlderPostgres(place, binaries);
    await made.initialise();
    await made.start();
    return made;
  }

  get pgdata(): string {
    return join(this.directory, 'cluster', 'pgdata');
  }

  async start(): Promise<void> {
    const cluster = { pgdata: this.pgdata, password };
    await waitUntilFree(this.pgdata);
    this.server = await startServer({ home: home(this.directory), binaries: this.binaries, cluster }, {});
    await createDatabase(cluster, this.server);
    this.url = urlOf(cluster, this.server.port);
  }

  async stop(): Promise<void> {
    if (this.server) await stopServer(this.server);
    this.server?.log.close();
    this.server = undefined;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.place, { recursive: true, force: true, maxRetries: 20 });
  }

  private async initialise(): Promise<void> {
    const { account } = home(this.directory);
    const passwordFile = join(this.directory, 'cluster', 'password');
    await mkdir(join(this.directory, 'cluster'), { recursive: true });
    await writeFile(passwordFile, password, { mode: 0o600 });
    await mkdir(this.pgdata, { mode: 0o700 });
    if (account) for (const path of [this.pgdata, passwordFile]) await chown(path, account.uid, account.gid);
    const made = await runAs(account, join(this.binaries.directory, 'bin', 'initdb'), [
      ...[`--pgdata=${this.pgdata}`, `--username=${superuser}`, `--pwfile=${passwordFile}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'],
    ]);
    if (made.status !== 0) throw new Error(made.output);
  }
}
