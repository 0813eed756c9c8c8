/** A PostgreSQL of its own that takes encrypted connections, with a certificate that it signed itself. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../src/database/embedded/embedded.js';
import { eventually } from './eventually.js';

/** What makes the certificate. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export class EncryptedPostgres {
  private constructor(
    /** Over which nothing goes unencrypted. */
    readonly url: string,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<EncryptedPostgres> {
    const place = mkdtempSync(join(tmpdir(), 'worktrack-encrypted-'));
    // The account that PostgreSQL runs under must reach it.
    chmodSync(place, 0o711);
    const server = await startEmbedded({ dataDirectory: join(place, 'data'), throwaway: true });
    await encrypt(server.url);
    const url = new URL(server.url);
    url.searchParams.set('sslmode', 'no-verify');
    return new EncryptedPostgres(url.href, async () => {
      await server.stop();
      rmSync(place, { recursive: true, force: true });
    });
  }

  stop(): Promise<void> {
    return this.end();
  }
}

async function encrypt(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const { data_directory: directory } = (await client.query('show data_directory')).rows[0];
  const files = { ssl_cert_file: join(directory, 'own.crt'), ssl_key_file: join(directory, 'own.key') };
  certify(files.ssl_cert_file, files.ssl_key_file);
  for (const [setting, value] of Object.entries({ ...files, ssl: 'on' }))
    await client.query(`alter system set ${setting} = ${client.escapeLiteral(value)}`);
  await client.query('select pg_reload_conf()');
  await eventually(async () => {
    if ((await client.query('show ssl')).rows[0].ssl !== 'on') throw new Error('PostgreSQL does not encrypt.');
  }, 30_000);
  await client.end();
}

export function makeCertificate(certificate: string, key: string): void {
  const made = ['-subj', '/CN=localhost', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...made], { stdio: 'pipe' });
}

/** PostgreSQL takes only a key that belongs to it and that nobody else may read. */
function certify(certificate: string, key: string): void {
  makeCertificate(certificate, key);
  const { uid, gid } = statSync(join(key, '..'));
  for (const file of [certificate, key]) chownSync(file, uid, gid);
  chmodSync(key, 0o600);
}
