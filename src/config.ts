/** Reads the environment once, checks every value, and refuses anything malformed or misspelt in one line. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const richEditors = ['Html', 'Markdown'] as const;

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absent: the service starts its embedded PostgreSQL. */
  readonly databaseUrl?: string;
  readonly readDatabaseUrl?: string;
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
  readonly logLevel: LogLevel;
  /** The most entities that one bulk request may list. */
  readonly bulkLimit: number;
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  /** What rich text is that does not say it itself. */
  readonly defaultRichEditor: (typeof richEditors)[number];
}

/** The message is one line for the person who starts the service; it never holds a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  refuseMisspelt(env);
  const read = <T>(name: Variable, parse: (text: string, name: Variable) => T): T | undefined => {
    const text = env[name];
    // Compose files and CI spell "not set" as an empty value.
    return text === undefined || text.trim() === '' ? undefined : parse(text, name);
  };
  const databaseUrl = read('DATABASE_URL', postgresUrl);
  const readDatabaseUrl = read('READ_DATABASE_URL', postgresUrl);
  if (readDatabaseUrl && !databaseUrl)
    throw new ConfigError(
      'READ_DATABASE_URL is set but DATABASE_URL is not: set DATABASE_URL to the server it is a replica of, or unset it.',
    );
  const pool = read('DB_POOL', wholeNumber(1, 500)) ?? 8;
  const workers = read('WORKERS', wholeNumber(1, 64)) ?? 1;
  if (!databaseUrl && pool * workers > embeddedConnections)
    throw new ConfigError(
      `DB_POOL times WORKERS is ${pool * workers}, and the embedded PostgreSQL takes ${embeddedConnections} connections: lower one of them, or set DATABASE_URL.`,
    );
  return Object.freeze({
    port: read('PORT', wholeNumber(0, 65_535)) ?? 3000,
    host: read('HOST', hostName) ?? '127.0.0.1',
    databaseUrl,
    readDatabaseUrl,
    dataDir: resolve(read('DATA_DIR', trimmed) ?? './data'),
    pool,
    workers,
    adminPassword: read('ADMIN_PASSWORD', password),
    baseUrl: read('BASE_URL', webUrl),
    timeZone: read('TIME_ZONE', timeZone) ?? 'UTC',
    demoData: read('DEMO_DATA', flag) ?? databaseUrl === undefined,
    preparedStatements: read('PREPARED_STATEMENTS', flag) ?? true,
    logLevel: read('LOG_LEVEL', oneOf(logLevels)) ?? 'info',
    bulkLimit: read('BULK_LIMIT', wholeNumber(1, 10_000)) ?? 1000,
    trustedProxies: read('TRUSTED_PROXIES', networks) ?? [],
    defaultRichEditor: read('DEFAULT_RICH_EDITOR', oneOf(richEditors)) ?? 'Html',
  });
}

/** It is given as many as are wanted, within reason: each is a process. */
const embeddedConnections = 500;

const variables = [
  'PORT',
  'HOST',
  'DATABASE_URL',
  'READ_DATABASE_URL',
  'DATA_DIR',
  'DB_POOL',
  'WORKERS',
  'ADMIN_PASSWORD',
  'BASE_URL',
  'TIME_ZONE',
  'DEMO_DATA',
  'PREPARED_STATEMENTS',
  'LOG_LEVEL',
  'BULK_LIMIT',
  'TRUSTED_PROXIES',
  'DEFAULT_RICH_EDITOR',
] as const;
type Variable = (typeof variables)[number];

// --- one function per kind of value -------------------------------------------------------------------------------------

const malformed = (name: Variable, held: string, works: string): ConfigError =>
  new ConfigError(`${name} ${held}; ${works} would work.`);

const trimmed = (text: string): string => text.trim();

function wholeNumber(min: number, max: number) {
  return (text: string, name: Variable): number => {
    const said = text.trim();
    const value = /^\d{1,9}$/.test(said) ? Number(said) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw malformed(name, `is ${quoted(said)}`, `a whole number from ${min} to ${max}`);
  };
}

function oneOf<T extends string>(allowed: readonly T[]) {
  return (text: string, name: Variable): T => {
    const value = allowed.find((word) => word.toLowerCase() === text.trim().toLowerCase());
    if (value !== undefined) return value;
    throw malformed(name, `is ${quoted(text.trim())}`, `one of ${allowed.join(', ')}`);
  };
}

const flag = (text: string, name: Variable): boolean => oneOf(['true', 'false'])(text, name) === 'true';

function hostName(text: string, name: Variable): string {
  const said = text.trim();
  const label = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i;
  // Only digits and dots can be nothing but an address, so 127.0.0.256 is not taken for a name.
  if (isIP(said) || (said.split('.').every((part) => label.test(part)) && !/^[\d.]+$/.test(said))) return said;
  throw malformed(name, `is ${quoted(said)}`, 'an address or a host name such as 127.0.0.1, 0.0.0.0 or localhost');
}

function postgresUrl(text: string, name: Variable): string {
  const said = text.trim();
  const url = URL.canParse(said) ? new URL(said) : undefined;
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) return said;
  const held = mayHoldSecret(said) ? 'is not a PostgreSQL URL with a database name' : `is ${quoted(said)}`;
  throw malformed(name, held, 'a URL such as postgres://user:password@host:5432/database');
}

function webUrl(text: string, name: Variable): string {
  const said = text.trim();
  const url = URL.canParse(said) ? new URL(said) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && /^[^?#@\s]+$/.test(said);
  if (isPlain) return url.href.replace(/\/+$/, '');
  const held = mayHoldSecret(said) ? 'is not an address this service can be reached at' : `is ${quoted(said)}`;
  throw malformed(name, held, 'an http or https URL without user, query and fragment such as https://work.example.com');
}

function timeZone(text: string, name: Variable): string {
  const said = text.trim();
  try {
    // Newer Node versions take offsets such as +02:00 here; they are no zones, having no summer time.
    if (/^[a-z]/i.test(said) && new Intl.DateTimeFormat('en', { timeZone: said })) return said;
  } catch {
    // A RangeError: the zone is unknown.
  }
  throw malformed(name, `is ${quoted(said)}`, 'an IANA zone such as UTC or Europe/Berlin');
}

function networks(text: string, name: Variable): string[] {
  const parts = text.split(',').map(trimmed);
  const wrong = parts.find((part) => !isNetwork(part));
  if (wrong === undefined) return parts;
  throw malformed(
    name,
    `holds ${quoted(wrong)}`,
    'a comma list of addresses and ranges such as 10.0.0.1,192.168.0.0/16',
  );
}

function isNetwork(part: string): boolean {
  const [address = '', prefix, ...rest] = part.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits < 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

function password(text: string, name: Variable): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break read along from a file could never be typed at a login
  if (!/[\u0000-\u001f\u007f]/.test(text)) return text;
  throw malformed(name, 'holds a line break, a tab or another control character', 'a text without them');
}

const mayHoldSecret = (text: string): boolean => /@|pass/i.test(text);

/** Keeps a message on one line. */
function quoted(text: string): string {
  const line = JSON.stringify(text).slice(1, -1);
  return `'${line.length > 60 ? `${line.slice(0, 60)}…` : line}'`;
}

// --- misspelt names -----------------------------------------------------------------------------------------------------

function refuseMisspelt(env: NodeJS.ProcessEnv): void {
  const known = new Set<string>(variables);
  for (const name of Object.keys(env).sort()) {
    if (known.has(name)) continue;
    const meant = variables.find((ours) => isMisspelt(name, ours));
    if (meant) throw new ConfigError(`${quoted(name)} is not a variable of Worktrack. Did you mean ${meant}?`);
  }
}

/**
 * Short names are compared by letter case only, and of the longer ones the shorter allow one slip instead of two: DB_POOL
 * is two letters from DB_PORT, which Docker and Kubernetes set for any service called db.
 */
function isMisspelt(name: string, ours: Variable): boolean {
  const said = name.toUpperCase();
  if (said === ours) return true;
  if (ours.length <= 6) return false;
  const slips = ours.length > 8 ? 2 : 1;
  return [ours, singular(ours)].some((form) => distance(said, form) <= slips);
}

const singular = (name: string): string => name.replace(/IES$/, 'Y');

/** How many letters must be added, dropped, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next[column] = Math.min(
        last![column]! + 1,
        next[column - 1]! + 1,
        last![column - 1]! + same,
        swapped ? before![column - 2]! + 1 : Infinity,
      );
    }
    [before, last] = [last, next];
  }
  return last![b.length]!;
}
