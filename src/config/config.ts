/** Reads the environment once, checks every value, and refuses anything malformed or misspelt in one line. */
import { resolve } from 'node:path';
import { refuseMisspelt } from './config-names.js';
import {
  bucketName,
  ConfigError,
  flag,
  hostName,
  issuerUrl,
  networks,
  oneOf,
  origins,
  password,
  postgresUrl,
  secret,
  timeZone,
  trimmed,
  webUrl,
  wholeNumber,
} from './config-values.js';
import { fileVariables, refuseOtherFiles, textOf } from './secret-files.js';
import { type TracingConfig, tracingConfig, tracingVariables } from './tracing.js';

export { ConfigError };

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const richEditors = ['Html', 'Markdown'] as const;

const matches = ['email', 'login'] as const;

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absent: the service starts its embedded PostgreSQL. */
  readonly databaseUrl?: string;
  /** Of the same database without a pooler in between, for migrations and for the command line. */
  readonly migrateDatabaseUrl?: string;
  /** Each address in it is a replica. */
  readonly readDatabaseUrl?: string;
  /** A replica that is further behind serves nobody. */
  readonly maxReplicaLagMs: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** Connections of one process. */
  readonly pool: number;
  /** Processes that serve the port. */
  readonly workers: number;
  readonly adminPassword?: string;
  /** Without a slash at the end. */
  readonly baseUrl?: string;
  readonly timeZone: string;
  readonly demoData: boolean;
  readonly preparedStatements: boolean;
  /** They were asked for, not only left on: the start fails where connections do not keep them. */
  readonly requiresPreparedStatements: boolean;
  /** Of the plans that a connection keeps, as far as they can be reckoned. */
  readonly planBytes: number;
  /** What the server ends a statement after. */
  readonly statementTimeoutMs: number;
  readonly logLevel: LogLevel;
  /** The most requests that wait for the database at the same time, in each process. */
  readonly waitingLimit: number;
  /** How long a request waits for a connection to the database. */
  readonly waitingTimeoutMs: number;
  /** Absent: nothing is measured. */
  readonly metricsPort?: number;
  /** How long a start waits for a database that is away. */
  readonly waitForDatabaseSeconds: number;
  /** How long the service goes on after SIGTERM, while balancers learn that it ends. */
  readonly drainMs: number;
  /** The most entities that one bulk request may list. */
  readonly bulkLimit: number;
  /** Bytes of one answer, and of all answers that are on their way. */
  readonly answerBytes: number;
  readonly bufferedAnswerBytes: number;
  /** The most memory that the bodies of all requests may take together, in each process. */
  readonly bufferedBodiesMb: number;
  /** Bytes of one file, and of all files together. */
  readonly fileBytes: number;
  readonly filesBytes: number;
  /** Files of one form, and forms that are read at the same time, in each process. */
  readonly filesPerUpload: number;
  readonly uploads: number;
  /** Answers with bytes of files that are sent at the same time, in each process. */
  readonly downloads: number;
  /** How long one form may take to arrive. */
  readonly uploadSeconds: number;
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  /** What rich text is that does not say it itself. */
  readonly defaultRichEditor: (typeof richEditors)[number];
  /** Requests a second of one user; 0 for as many as come. */
  readonly rateLimit: number;
  /** Sites whose scripts may call the API with a token. */
  readonly corsOrigins: readonly string[];
  /** Absent: traces are sent nowhere. */
  readonly tracing?: TracingConfig;
  /** Absent: attached files lie on the disk. */
  readonly s3?: S3Config;
  /** Absent: people log in by password only. */
  readonly singleSignOn?: SingleSignOnConfig;
}

/** A bucket for attached files. */
export interface S3Config {
  readonly bucket: string;
  /** Absent: Amazon's own. */
  readonly endpoint?: string;
  readonly region: string;
  /** Absent: they are found as by every program that uses Amazon's SDK. */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  /** How long an answer may take to begin, tries included. */
  readonly answerMs: number;
}

/** A provider of OpenID Connect, and how its users are matched with ours. */
export interface SingleSignOnConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly match: (typeof matches)[number];
  /** Takes e-mails that the provider does not say it has checked. */
  readonly trustsEmail: boolean;
  /** What the button to it says. */
  readonly label: string;
}

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  refuseMisspelt(env, [...variables, ...fileVariables]);
  refuseOtherFiles(env, variables);
  const read: Read = (name, parse) => {
    const text = textOf(env, name);
    return text === undefined ? undefined : parse(text, name);
  };
  const port = read('PORT', wholeNumber(0, 65_535)) ?? 3000;
  const metricsPort = read('METRICS_PORT', wholeNumber(1, 65_535));
  if (metricsPort === port)
    throw new ConfigError(`METRICS_PORT and PORT are both ${port}: set one of them to another port.`);
  const databaseUrl = read('DATABASE_URL', postgresUrl);
  const readDatabaseUrl = read('READ_DATABASE_URL', postgresUrl);
  if (readDatabaseUrl && !databaseUrl)
    throw new ConfigError(
      'READ_DATABASE_URL is set but DATABASE_URL is not: set DATABASE_URL to the server it is a replica of, or unset it.',
    );
  const migrateDatabaseUrl = read('MIGRATE_DATABASE_URL', postgresUrl);
  if (migrateDatabaseUrl && !databaseUrl)
    throw new ConfigError(
      'MIGRATE_DATABASE_URL is set but DATABASE_URL is not: set DATABASE_URL to the same database, or unset it.',
    );
  const pool = read('DB_POOL', wholeNumber(1, 500)) ?? 8;
  const workers = read('WORKERS', wholeNumber(1, 64)) ?? 1;
  if (!databaseUrl && pool * workers > embeddedConnections)
    throw new ConfigError(
      `DB_POOL times WORKERS is ${pool * workers}, and the embedded PostgreSQL takes ${embeddedConnections} connections: lower one of them, or set DATABASE_URL.`,
    );
  const preparedStatements = read('PREPARED_STATEMENTS', flag);
  return Object.freeze({
    port,
    host: read('HOST', hostName) ?? '127.0.0.1',
    databaseUrl,
    migrateDatabaseUrl,
    readDatabaseUrl,
    maxReplicaLagMs: (read('MAX_REPLICA_LAG', wholeNumber(1, 3600)) ?? 10) * 1000,
    dataDir: dataDirectory(read('DATA_DIR', trimmed)),
    pool,
    workers,
    adminPassword: read('ADMIN_PASSWORD', password),
    baseUrl: read('BASE_URL', webUrl),
    timeZone: read('TIME_ZONE', timeZone) ?? 'UTC',
    demoData: read('DEMO_DATA', flag) ?? databaseUrl === undefined,
    preparedStatements: preparedStatements ?? true,
    requiresPreparedStatements: preparedStatements === true,
    planBytes: (read('MAX_PLANS_MB', wholeNumber(1, 4096)) ?? 32) * 2 ** 20,
    statementTimeoutMs: (read('STATEMENT_TIMEOUT', wholeNumber(1, 3600)) ?? 10) * 1000,
    logLevel: read('LOG_LEVEL', oneOf(logLevels)) ?? 'info',
    waitingLimit: read('WAITING_LIMIT', wholeNumber(1, 100_000)) ?? 512,
    waitingTimeoutMs: (read('WAITING_TIMEOUT', wholeNumber(1, 3600)) ?? 5) * 1000,
    metricsPort,
    waitForDatabaseSeconds: read('WAIT_FOR_DATABASE', wholeNumber(0, 3600)) ?? 0,
    // Nothing else can serve an embedded database meanwhile.
    drainMs: (read('DRAIN_SECONDS', wholeNumber(0, 3600)) ?? (databaseUrl ? 7 : 0)) * 1000,
    bulkLimit: read('BULK_LIMIT', wholeNumber(1, 10_000)) ?? 1000,
    answerBytes: (read('MAX_ANSWER_MB', wholeNumber(1, 256)) ?? 64) * 2 ** 20,
    bufferedAnswerBytes: (read('MAX_BUFFERED_ANSWERS_MB', wholeNumber(1, 16_384)) ?? 64) * 2 ** 20,
    bufferedBodiesMb: read('MAX_BUFFERED_BODIES_MB', wholeNumber(16, 65_536)) ?? 64,
    fileBytes: (read('MAX_FILE_MB', wholeNumber(1, 102_400)) ?? 100) * 2 ** 20,
    filesBytes: (read('MAX_FILES_GB', wholeNumber(1, 1_000_000)) ?? 100) * 2 ** 30,
    filesPerUpload: read('MAX_FILES_PER_UPLOAD', wholeNumber(1, 1000)) ?? 20,
    uploads: read('MAX_UPLOADS', wholeNumber(1, 10_000)) ?? 16,
    downloads: read('MAX_DOWNLOADS', wholeNumber(1, 10_000)) ?? 128,
    uploadSeconds: read('UPLOAD_TIMEOUT', wholeNumber(1, 864_000)) ?? 3600,
    trustedProxies: read('TRUSTED_PROXIES', networks) ?? [],
    defaultRichEditor: read('DEFAULT_RICH_EDITOR', oneOf(richEditors)) ?? 'Html',
    rateLimit: read('RATE_LIMIT', wholeNumber(0, 100_000)) ?? 0,
    corsOrigins: read('CORS_ORIGINS', origins) ?? [],
    tracing: tracingConfig(read),
    s3: s3(read),
    singleSignOn: singleSignOn(read),
  });
}

function dataDirectory(given = './data'): string {
  const path = resolve(given);
  if (!path.includes('\ufffd')) return path;
  throw new ConfigError('The name of the working directory is not UTF-8: set DATA_DIR to an absolute path that is.');
}

type Read = <T>(name: Variable, parse: (text: string, name: Variable) => T) => T | undefined;

function s3(read: Read): S3Config | undefined {
  const bucket = read('S3_BUCKET', bucketName);
  const endpoint = read('S3_ENDPOINT', webUrl);
  const region = read('S3_REGION', trimmed);
  const accessKeyId = read('S3_ACCESS_KEY_ID', trimmed);
  const secretAccessKey = read('S3_SECRET_ACCESS_KEY', secret);
  const seconds = read('S3_TIMEOUT', wholeNumber(1, 600));
  if (!bucket && (endpoint || region || accessKeyId || secretAccessKey || seconds))
    throw new ConfigError(
      'Files go to a bucket only where S3_BUCKET names it: set it, or unset the other S3 variables.',
    );
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set both, or neither of them.');
  if (!bucket) return undefined;
  const answerMs = (seconds ?? 30) * 1000;
  return Object.freeze({ bucket, endpoint, region: region ?? 'us-east-1', accessKeyId, secretAccessKey, answerMs });
}

function singleSignOn(read: Read): SingleSignOnConfig | undefined {
  const issuer = read('OIDC_ISSUER', issuerUrl);
  const clientId = read('OIDC_CLIENT_ID', trimmed);
  const clientSecret = read('OIDC_CLIENT_SECRET', secret);
  const match = read('OIDC_MATCH', oneOf(matches)) ?? 'email';
  const trustsEmail = read('OIDC_TRUST_EMAIL', flag) ?? false;
  const label = read('OIDC_LABEL', trimmed) ?? 'Log in with single sign-on';
  if (issuer && clientId) return Object.freeze({ issuer, clientId, clientSecret, match, trustsEmail, label });
  if (issuer || clientId || clientSecret)
    throw new ConfigError('Single sign-on needs both OIDC_ISSUER and OIDC_CLIENT_ID: set both, or neither of them.');
  return undefined;
}

/** It is given as many as are wanted, within reason: each is a process. */
const embeddedConnections = 500;

/** Every setting there is. */
export const variables = [
  'PORT',
  'HOST',
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'READ_DATABASE_URL',
  'MAX_REPLICA_LAG',
  'DATA_DIR',
  'DB_POOL',
  'WORKERS',
  'ADMIN_PASSWORD',
  'BASE_URL',
  'TIME_ZONE',
  'DEMO_DATA',
  'PREPARED_STATEMENTS',
  'MAX_PLANS_MB',
  'STATEMENT_TIMEOUT',
  'LOG_LEVEL',
  'WAITING_LIMIT',
  'WAITING_TIMEOUT',
  'METRICS_PORT',
  'WAIT_FOR_DATABASE',
  'DRAIN_SECONDS',
  'BULK_LIMIT',
  'MAX_ANSWER_MB',
  'MAX_BUFFERED_ANSWERS_MB',
  'MAX_BUFFERED_BODIES_MB',
  'MAX_FILE_MB',
  'MAX_FILES_GB',
  'MAX_FILES_PER_UPLOAD',
  'MAX_UPLOADS',
  'MAX_DOWNLOADS',
  'UPLOAD_TIMEOUT',
  'TRUSTED_PROXIES',
  'DEFAULT_RICH_EDITOR',
  'RATE_LIMIT',
  'CORS_ORIGINS',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_TIMEOUT',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_MATCH',
  'OIDC_TRUST_EMAIL',
  'OIDC_LABEL',
  ...tracingVariables,
] as const;
type Variable = (typeof variables)[number];
