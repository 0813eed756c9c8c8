/** What the environment may say, and the one line it is refused with. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, variables } from './config.js';
import { fileVariables } from './secret-files.js';

const url = 'postgres://worktrack:s3cret@db:5432/worktrack';

function refusal(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).not.toMatch(/\n|s3cret/);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('what is not set', () => {
  it('has a default', () =>
    expect(loadConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      migrateDatabaseUrl: undefined,
      readDatabaseUrl: undefined,
      maxReplicaLagMs: 10_000,
      dataDir: resolve('data'),
      pool: 8,
      workers: 1,
      adminPassword: undefined,
      baseUrl: undefined,
      timeZone: 'UTC',
      demoData: true,
      preparedStatements: true,
      requiresPreparedStatements: false,
      planBytes: 32 * 2 ** 20,
      statementTimeoutMs: 10_000,
      logLevel: 'info',
      waitingLimit: 512,
      waitingTimeoutMs: 5000,
      metricsPort: undefined,
      waitForDatabaseSeconds: 0,
      drainMs: 0,
      bulkLimit: 1000,
      answerBytes: 64 * 2 ** 20,
      bufferedAnswerBytes: 64 * 2 ** 20,
      bufferedBodiesMb: 64,
      fileBytes: 100 * 2 ** 20,
      filesBytes: 100 * 2 ** 30,
      filesPerUpload: 20,
      uploads: 16,
      downloads: 128,
      uploadSeconds: 3600,
      trustedProxies: [],
      defaultRichEditor: 'Html',
      rateLimit: 0,
      s3: undefined,
      corsOrigins: [],
      tracing: undefined,
      singleSignOn: undefined,
    }));

  it('may be written as an empty value', () =>
    expect(loadConfig({ PORT: '', PORT_FILE: '', DATABASE_URL: ' ', BASE_URL: '' })).toEqual(loadConfig({})));

  it('includes demo data as soon as there is a database', () =>
    expect(loadConfig({ DATABASE_URL: url }).demoData).toBe(false));
});

describe('what is set', () => {
  it.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ HOST: 'work.internal' }, { host: 'work.internal' }],
    [{ DATABASE_URL: url }, { databaseUrl: url }],
    [{ DATABASE_URL: 'postgres://u@a:1,b/d' }, { databaseUrl: 'postgres://u@a:1,b/d' }],
    [{ DATABASE_URL: `${url}?sslmode=` }, { databaseUrl: `${url}?sslmode=` }],
    [{ DATABASE_URL: `${url}?sslnegotiation=&target_session_attrs=` }, {}],
    [{ DATABASE_URL: url, MAX_REPLICA_LAG: '3' }, { maxReplicaLagMs: 3000 }],
    [{ DATABASE_URL: url, READ_DATABASE_URL: 'postgresql://replica/w' }, { readDatabaseUrl: 'postgresql://replica/w' }],
    [{ DATA_DIR: '/srv/worktrack/' }, { dataDir: '/srv/worktrack' }],
    [{ DB_POOL: '20' }, { pool: 20 }],
    [{ DATABASE_URL: url }, { drainMs: 7000 }],
    [{ METRICS_PORT: '9090' }, { metricsPort: 9090 }],
    [{ WAIT_FOR_DATABASE: '60' }, { waitForDatabaseSeconds: 60 }],
    [{ DRAIN_SECONDS: '30' }, { drainMs: 30_000 }],
    [
      { WORKERS: '64', DB_POOL: '7' },
      { workers: 64, pool: 7 },
    ],
    [
      { DATABASE_URL: url, WORKERS: '6', DB_POOL: '100' },
      { workers: 6, pool: 100 },
    ],
    [{ ADMIN_PASSWORD: ' s3cret: ' }, { adminPassword: ' s3cret: ' }],
    [{ BASE_URL: 'https://example.com/' }, { baseUrl: 'https://example.com' }],
    [{ BASE_URL: 'http://example.com:8080/work/' }, { baseUrl: 'http://example.com:8080/work' }],
    [{ TIME_ZONE: 'Europe/Berlin' }, { timeZone: 'Europe/Berlin' }],
    [{ DEMO_DATA: 'true', DATABASE_URL: url }, { demoData: true }],
    [{ DEMO_DATA: 'false' }, { demoData: false }],
    [{ PREPARED_STATEMENTS: 'FALSE' }, { preparedStatements: false, requiresPreparedStatements: false }],
    [{ MAX_PLANS_MB: '512' }, { planBytes: 512 * 2 ** 20 }],
    [{ PREPARED_STATEMENTS: 'true' }, { preparedStatements: true, requiresPreparedStatements: true }],
    [{ STATEMENT_TIMEOUT: '30' }, { statementTimeoutMs: 30_000 }],
    [{ LOG_LEVEL: 'Debug' }, { logLevel: 'debug' }],
    [{ MAX_BUFFERED_BODIES_MB: '16' }, { bufferedBodiesMb: 16 }],
    [
      { MAX_FILE_MB: '2', MAX_FILES_GB: '3' },
      { fileBytes: 2 * 2 ** 20, filesBytes: 3 * 2 ** 30 },
    ],
    [
      { MAX_FILES_PER_UPLOAD: '5', MAX_UPLOADS: '6', MAX_DOWNLOADS: '7', UPLOAD_TIMEOUT: '60' },
      { filesPerUpload: 5, uploads: 6, downloads: 7, uploadSeconds: 60 },
    ],
    [
      {
        S3_BUCKET: 'work.files',
        S3_ENDPOINT: 'https://s3.example.com/',
        S3_ACCESS_KEY_ID: 'a',
        S3_SECRET_ACCESS_KEY: 'b',
        S3_TIMEOUT: '20',
      },
      {
        s3: {
          bucket: 'work.files',
          endpoint: 'https://s3.example.com',
          region: 'us-east-1',
          accessKeyId: 'a',
          secretAccessKey: 'b',
          answerMs: 20_000,
        },
      },
    ],
    [{ DEFAULT_RICH_EDITOR: 'markdown' }, { defaultRichEditor: 'Markdown' }],
    [
      { CORS_ORIGINS: 'https://a.example.com, http://localhost:5173' },
      { corsOrigins: ['https://a.example.com', 'http://localhost:5173'] },
    ],
    [
      { OIDC_ISSUER: 'https://id.example.com/', OIDC_CLIENT_ID: 'worktrack', OIDC_MATCH: 'Login' },
      {
        singleSignOn: {
          issuer: 'https://id.example.com/',
          clientId: 'worktrack',
          clientSecret: undefined,
          match: 'login',
          trustsEmail: false,
          label: 'Log in with single sign-on',
        },
      },
    ],
    [
      { TRUSTED_PROXIES: '10.0.0.1, fd00::/8,192.168.0.0/16' },
      { trustedProxies: ['10.0.0.1', 'fd00::/8', '192.168.0.0/16'] },
    ],
  ])('%j', (env, expected) => expect(loadConfig(env)).toMatchObject(expected));
});

describe('secrets in files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'worktrack-secrets-'));
  const file = join(directory, 'secret');
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    ['ADMIN_PASSWORD', 'pass word\n', { adminPassword: 'pass word' }],
    ['ADMIN_PASSWORD', '\ufeffpass word\n', { adminPassword: 'pass word' }],
    ['ADMIN_PASSWORD', 'pass \ufffd word\n', { adminPassword: 'pass \ufffd word' }],
    ['DATABASE_URL', `${url}\r\n`, { databaseUrl: url }],
  ])('%s_FILE names its file', (name, content, expected) => {
    writeFileSync(file, content);
    expect(loadConfig({ [`${name}_FILE`]: file, [name]: '' })).toMatchObject(expected);
  });

  it.each([
    'ADMIN_PASSWORD',
    'DATABASE_URL',
    'READ_DATABASE_URL',
    'OIDC_CLIENT_SECRET',
  ])('%s_FILE is refused by its name where the file is empty', (name) => {
    for (const content of ['', '\n', ' \r\n']) {
      writeFileSync(file, content);
      expect(refusal({ [`${name}_FILE`]: file })).toBe(
        `The file of ${name}_FILE is empty: write the secret into it, or unset ${name}_FILE.`,
      );
    }
  });

  it('are refused where they are not UTF-8', () => {
    writeFileSync(file, Buffer.from('m\u00fcller', 'latin1'));
    expect(refusal({ ADMIN_PASSWORD_FILE: file })).toBe(
      'The file of ADMIN_PASSWORD_FILE is not UTF-8: save it in UTF-8.',
    );
  });

  it('are for secrets alone', () =>
    expect(refusal({ PORT_FILE: file })).toBe(
      "'PORT_FILE' is not a variable of Worktrack: set PORT itself. DATABASE_URL, MIGRATE_DATABASE_URL, READ_DATABASE_URL, ADMIN_PASSWORD, OIDC_CLIENT_SECRET, S3_SECRET_ACCESS_KEY may stand in files.",
    ));

  it('are refused where the variable is set as well, or nothing can be read', () => {
    expect(() => loadConfig({ ADMIN_PASSWORD_FILE: file, ADMIN_PASSWORD: 'x' })).toThrow(
      'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set: unset one of them.',
    );
    expect(() => loadConfig({ ADMIN_PASSWORD_FILE: join(directory, 'none') })).toThrow(
      'The file of ADMIN_PASSWORD_FILE cannot be read (ENOENT)',
    );
    expect(() => loadConfig({ ADMIN_PASWORD_FILE: file })).toThrow('Did you mean ADMIN_PASSWORD_FILE?');
  });
});

describe('what is refused', () => {
  it.each([
    [{ PORT: '65536' }, "PORT is '65536'; a whole number from 0 to 65535 would work."],
    [{ PORT: '3e3' }, "PORT is '3e3'"],
    [{ PORT: '-1' }, "PORT is '-1'"],
    [{ PORT: '80\n80' }, String.raw`PORT is '80\n80'`],
    [{ MAX_BUFFERED_BODIES_MB: '15' }, "MAX_BUFFERED_BODIES_MB is '15'; a whole number from 16 to 65536 would work."],
    [{ MAX_FILE_MB: '0' }, "MAX_FILE_MB is '0'"],
    [{ S3_BUCKET: 'My Files' }, "S3_BUCKET is 'My Files'"],
    [{ S3_ENDPOINT: 'http://s3.local' }, 'Files go to a bucket only where S3_BUCKET names it'],
    [{ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'a' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together'],
    [{ HOST: 'http://localhost' }, "HOST is 'http://localhost'"],
    [{ HOST: '127.0.0.256' }, "HOST is '127.0.0.256'"],
    [{ HOST: '127.0.0.1:80' }, "HOST is '127.0.0.1:80'"],
    [{ DATABASE_URL: 'mysql://db/work' }, "DATABASE_URL is 'mysql://db/work'"],
    ...['u:pa%zz@db/w', 'u%:s3cret@db/w', 'u:s3cret@db/w%ff', 'u:s3cret@a,u:pa%zz@b/w'].map(
      (rest) =>
        [
          { DATABASE_URL: `postgres://${rest}` },
          'DATABASE_URL holds a percent sign that begins no escape; %25 in its place would work.',
        ] as [Record<string, string>, string],
    ),
    [{ DATABASE_URL: 'postgres://u:s3cret@db' }, 'DATABASE_URL is not a PostgreSQL URL with a database name'],
    [{ DATABASE_URL: 'postgres//u:s3cret@db/w' }, 'DATABASE_URL is not a PostgreSQL URL'],
    [{ DATABASE_URL: 'host=db password=s3cret' }, 'DATABASE_URL is not a PostgreSQL URL'],
    [{ READ_DATABASE_URL: url }, 'READ_DATABASE_URL is set but DATABASE_URL is not'],
    [{ MIGRATE_DATABASE_URL: url }, 'MIGRATE_DATABASE_URL is set but DATABASE_URL is not'],
    [{ MAX_REPLICA_LAG: '0' }, 'MAX_REPLICA_LAG'],
    [{ DATABASE_URL: 'postgres://a,/d' }, 'DATABASE_URL'],
    [
      { DATABASE_URL: `${url}?sslmode=s3cret` },
      'DATABASE_URL holds an unknown sslmode; one of disable, no-verify, prefer, require, verify-ca, verify-full would',
    ],
    [{ DATABASE_URL: `${url}?sslmode=require&sslmode=` }, 'DATABASE_URL holds an unknown sslmode'],
    [{ DATABASE_URL: url, READ_DATABASE_URL: `${url}?sslmode=Require` }, 'READ_DATABASE_URL holds an unknown sslmode'],
    [
      { DATABASE_URL: `${url}?sslnegotiation=s3cret` },
      'DATABASE_URL holds an unknown sslnegotiation; one of postgres, direct would',
    ],
    [
      { DATABASE_URL: url, MIGRATE_DATABASE_URL: `${url}?target_session_attrs=s3cret` },
      'MIGRATE_DATABASE_URL holds an unknown target_session_attrs; one of any, read-write, primary, read-only, standby, prefer-standby would',
    ],
    [
      { DATABASE_URL: 'postgres://a,b/d?target_session_attrs=standby' },
      'DATABASE_URL holds an unknown target_session_attrs; one of any, read-write, primary would',
    ],
    [{ DB_POOL: '0' }, "DB_POOL is '0'; a whole number from 1 to 500 would work."],
    [{ WORKERS: '0' }, "WORKERS is '0'; a whole number from 1 to 64 would work."],
    [{ WORKERS: '65' }, "WORKERS is '65'"],
    [{ WORKERS: 'max' }, "WORKERS is 'max'"],
    [
      { WORKERS: '6', DB_POOL: '100' },
      'DB_POOL times WORKERS is 600, and the embedded PostgreSQL takes 500 connections: lower one of them',
    ],
    [{ ADMIN_PASSWORD: 's3cret\n' }, 'ADMIN_PASSWORD holds a line break'],
    [{ ADMIN_PASSWORD: 's'.repeat(1025) }, 'ADMIN_PASSWORD is longer than 1024 bytes; a shorter one would work.'],
    [{ ADMIN_PASSWORD: '' }, 'ADMIN_PASSWORD is empty: set it to the password, or unset ADMIN_PASSWORD.'],
    [{ ADMIN_PASSWORD: ' ' }, 'ADMIN_PASSWORD is empty'],
    [{ DATABASE_URL: 's3cret' }, 'DATABASE_URL is not a PostgreSQL URL with a database name'],
    [{ DATABASE_URL: 's3cret:x@db/w' }, 'DATABASE_URL is not a PostgreSQL URL with a database name'],
    [{ DATABASE_URL: 'postgres:s3cret' }, 'DATABASE_URL is not a PostgreSQL URL with a database name'],
    [{ DATABASE_URL: 'mysql://db/w?sslpassword=s3cret' }, 'DATABASE_URL is not a PostgreSQL URL'],
    [{ DATABASE_URL: 'postgres://db?user=s3cret' }, 'DATABASE_URL is not a PostgreSQL URL'],
    [{ BASE_URL: 'example.com' }, "BASE_URL is 'example.com'"],
    [{ BASE_URL: 'ftp://example.com' }, "BASE_URL is 'ftp://example.com'"],
    [{ BASE_URL: 'https://example.com/?a=b' }, 'BASE_URL is'],
    [{ BASE_URL: 'https://example.com/#top' }, 'BASE_URL is'],
    [{ BASE_URL: 'https://me:s3cret@example.com' }, 'BASE_URL is not an address'],
    [{ TIME_ZONE: 'Mars/Base' }, "TIME_ZONE is 'Mars/Base'; an IANA zone such as UTC or Europe/Berlin would work."],
    [{ TIME_ZONE: '+02:00' }, "TIME_ZONE is '+02:00'"],
    [{ DEMO_DATA: 'yes' }, "DEMO_DATA is 'yes'; one of true, false would work."],
    [{ MAX_PLANS_MB: '0' }, "MAX_PLANS_MB is '0'"],
    [{ PREPARED_STATEMENTS: '1' }, "PREPARED_STATEMENTS is '1'"],
    [{ LOG_LEVEL: 'verbose' }, "LOG_LEVEL is 'verbose'; one of fatal, error, warn, info, debug, silent would work."],
    [{ DEFAULT_RICH_EDITOR: 'md' }, "DEFAULT_RICH_EDITOR is 'md'; one of Html, Markdown would work."],
    [{ CORS_ORIGINS: '*' }, "CORS_ORIGINS holds '*'; a comma list of origins such as"],
    [{ CORS_ORIGINS: 'https://a.example.com/path' }, 'CORS_ORIGINS holds'],
    [{ OIDC_ISSUER: 'http://id.example.com', OIDC_CLIENT_ID: 'x' }, 'an https URL such as https://id.example.com'],
    [{ OIDC_ISSUER: 'https://id.example.com' }, 'Single sign-on needs both OIDC_ISSUER and OIDC_CLIENT_ID'],
    [{ OIDC_CLIENT_SECRET: 's3cret' }, 'Single sign-on needs both OIDC_ISSUER and OIDC_CLIENT_ID'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, "TRUSTED_PROXIES holds '10.0.0.0/33'"],
    [{ PORT: '9090', METRICS_PORT: '9090' }, 'METRICS_PORT and PORT are both 9090: set one of them to another port.'],
    [{ TRUSTED_PROXIES: '10.0.0.1,' }, "TRUSTED_PROXIES holds ''"],
    [{ TRUSTED_PROXIES: 'loopback' }, "TRUSTED_PROXIES holds 'loopback'"],
  ])('%j', (env, message) => expect(refusal(env)).toContain(message));

  it.each(['sslrootcert', 'sslcert', 'sslkey'])('a file of %s that is not there', (parameter) =>
    expect(refusal({ DATABASE_URL: `${url}?${parameter}=/nope` })).toBe(
      `The file that ${parameter} of DATABASE_URL names cannot be read (ENOENT): name one that the service may read.`,
    ));
});

describe('bytes that are not UTF-8, which Node reads as U+FFFD', () => {
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  it.each([...variables, ...fileVariables])('%s is refused', (name) =>
    expect(refusal({ ...traced, [name]: 's3cret \ufffd' })).toBe(`${name} is not UTF-8; a text in UTF-8 would work.`));
});

describe('a misspelt name', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['READ_DATABASE_ULR', 'READ_DATABASE_URL'],
    ['TIMEZONE', 'TIME_ZONE'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['TRUST_PROXY', 'TRUSTED_PROXIES'],
    ['PREPARED_STATEMENT', 'PREPARED_STATEMENTS'],
    ['ADMIN_PASSWRD', 'ADMIN_PASSWORD'],
    ['DATADIR', 'DATA_DIR'],
    ['WORKER', 'WORKERS'],
    ['workers', 'WORKERS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DEFAULT_RICHEDITOR', 'DEFAULT_RICH_EDITOR'],
    ['Port', 'PORT'],
  ])('%s is refused with the suggestion %s', (name, meant) =>
    expect(refusal({ [name]: 's3cret' })).toBe(`'${name}' is not a variable of Worktrack. Did you mean ${meant}?`));

  it.each([
    'HOSTNAME HOSTTYPE PATH PWD HOME SHELL USER LANG TZ TERM DISPLAY LOGNAME TMPDIR EDITOR MAIL COLUMNS',
    'PGHOST PGPORT PGDATA PGDATABASE POSTGRES_PASSWORD POSTGRES_DB DB_PORT DB_HOST DB_NAME DB_PORT_5432_TCP',
    'DATABASE_USER DATABASE_NAME TEST_DATABASE_URL SHADOW_DATABASE_URL DATABASE_PASSWORD',
    'XDG_DATA_DIRS XDG_DATA_HOME NODE_ENV NODE_OPTIONS npm_config_loglevel http_proxy HTTPS_PROXY no_proxy',
    'BROKERS WEB_WORKERS UV_THREADPOOL_SIZE NODE_UNIQUE_ID WEB_CONCURRENCY',
    'OTEL_BLRP_SCHEDULE_DELAY OTEL_BLRP_EXPORT_TIMEOUT OTEL_BLRP_MAX_QUEUE_SIZE OTEL_BLRP_MAX_EXPORT_BATCH_SIZE',
    'OTEL_BSP_EXPORT_TIMEOUT OTEL_LOGS_EXPORTER OTEL_METRICS_EXPORTER OTEL_EXPORTER_OTLP_LOGS_ENDPOINT OTEL_LOG_LEVEL',
    'PORTS REPORT HOSTS CI DEBUG BASE_PATH SSH_AUTH_SOCK WORKTRACK_PORT WORKTRACK_SERVICE_HOST KUBERNETES_PORT',
  ])('leaves alone %s', (names) => {
    const env = Object.fromEntries(names.split(' ').map((name) => [name, 'x']));
    expect(() => loadConfig(env)).not.toThrow();
  });
});
