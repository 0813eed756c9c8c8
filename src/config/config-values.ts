/** What the value of an environment variable may be: one function a kind, which refuses anything else in one line. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { longestPassword } from '../passwords/longest-password.js';
import { addressesOf } from './database-addresses.js';

/** The message is one line for the person who starts the service; it never holds a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const malformed = (name: string, held: string, works: string): ConfigError =>
  new ConfigError(`${name} ${held}; ${works} would work.`);

export const trimmed = (text: string): string => text.trim();

export function wholeNumber(min: number, max: number) {
  return (text: string, name: string): number => {
    const trimmed = text.trim();
    const value = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw malformed(name, `is ${quoted(trimmed)}`, `a whole number from ${min} to ${max}`);
  };
}

export function oneOf<T extends string>(allowed: readonly T[]) {
  return (text: string, name: string): T => {
    const value = allowed.find((word) => word.toLowerCase() === text.trim().toLowerCase());
    if (value !== undefined) return value;
    throw malformed(name, `is ${quoted(text.trim())}`, `one of ${allowed.join(', ')}`);
  };
}

export const flag = (text: string, name: string): boolean => oneOf(['true', 'false'])(text, name) === 'true';

export function hostName(text: string, name: string): string {
  const trimmed = text.trim();
  const label = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i;
  // Only digits and dots can be nothing but an address, so 127.0.0.256 is not taken for a name.
  if (isIP(trimmed) || (trimmed.split('.').every((part) => label.test(part)) && !/^[\d.]+$/.test(trimmed)))
    return trimmed;
  throw malformed(name, `is ${quoted(trimmed)}`, 'an address or a host name such as 127.0.0.1, 0.0.0.0 or localhost');
}

export function postgresUrl(text: string, name: string): string {
  const trimmed = text.trim();
  const addresses = addressesOf(trimmed);
  const urls = addresses.map((one) => (URL.canParse(one) ? new URL(one) : undefined));
  if (!urls.every((url) => isPostgresUrl(url, addresses.length > 1)))
    throw malformed(name, heldBy(trimmed, urls[0]), 'a URL such as postgres://user:password@host:5432/database');
  if (!urls.every((url) => isDecodable(url!)))
    throw malformed(name, 'holds a percent sign that begins no escape', '%25 in its place');
  for (const [parameter, allowed] of Object.entries(wordsOf(addresses.length > 1 && name !== 'READ_DATABASE_URL')))
    if (!isOneOf(urls[0]!.searchParams.getAll(parameter), allowed))
      throw malformed(name, `holds an unknown ${parameter}`, `one of ${allowed.join(', ')}`);
  for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = urls[0]!.searchParams.get(parameter);
    if (file) readable(file, `The file that ${parameter} of ${name} names`);
  }
  return trimmed;
}

const anyServer = ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'];

/** The driver passes over other words. `choosesWritable`: of its hosts it is the one that takes writes. */
const wordsOf = (choosesWritable: boolean): Record<string, readonly string[]> => ({
  sslmode: ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'],
  sslnegotiation: ['postgres', 'direct'],
  target_session_attrs: choosesWritable ? anyServer.slice(0, 3) : anyServer,
});

/** An empty one, as of a variable that is not set, says nothing; behind a word it would take that back. */
const isOneOf = (words: readonly string[], allowed: readonly string[]): boolean =>
  words.every((word) => word === '') || words.every((word) => allowed.includes(word));

/** Of one host; none is that of the socket. */
const isPostgresUrl = (url: URL | undefined, needsHost: boolean): boolean =>
  url !== undefined &&
  !(needsHost && url.hostname === '') &&
  /^postgres(ql)?:\/\//i.test(url.href) &&
  url.pathname.length > 1;

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    return [username, password, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

/** What is no address may be a password that was set in its place. */
function heldBy(text: string, url: URL | undefined): string {
  const isPlain = url?.host && !url.username && !url.password && !url.search && !url.hash && !mayHoldSecret(text);
  return isPlain ? `is ${quoted(text)}` : 'is not a PostgreSQL URL with a database name';
}

/** The content of a file. Errors: ConfigError. */
export function readable(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${what} cannot be read (${code}): name one that the service may read.`);
  }
}

export function bucketName(text: string, name: string): string {
  const trimmed = text.trim();
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(trimmed)) return trimmed;
  throw malformed(
    name,
    `is ${quoted(trimmed)}`,
    '3 to 63 small letters, digits, dots and hyphens such as worktrack-files',
  );
}

/** It becomes part of links, where nothing in it needs escaping. */
export function webUrl(text: string, name: string): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && /^[^?#@\s&'"<>\\]+$/.test(trimmed);
  if (isPlain) return url.href.replace(/\/+$/, '');
  const held = mayHoldSecret(trimmed) ? 'is not an address this service can be reached at' : `is ${quoted(trimmed)}`;
  throw malformed(name, held, 'an http or https URL without user, query and fragment such as https://work.example.com');
}

/**
 * As the provider spells it, with or without a slash at the end. Over HTTP it could be anybody's, unless it is this
 * machine.
 */
export function issuerUrl(text: string, name: string): string {
  const trimmed = text.trim();
  webUrl(trimmed, name);
  const { protocol, hostname } = new URL(trimmed);
  if (protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return trimmed;
  throw malformed(name, `is ${quoted(trimmed)}`, 'an https URL such as https://id.example.com');
}

export function origins(text: string, name: string): string[] {
  const parts = text.split(',').map(trimmed);
  const wrong = parts.find(
    (part) => !/^https?:\/\//.test(part) || !URL.canParse(part) || new URL(part).origin !== part,
  );
  if (wrong === undefined) return parts;
  throw malformed(name, `holds ${quoted(wrong)}`, 'a comma list of origins such as https://work.example.com');
}

export function timeZone(text: string, name: string): string {
  const trimmed = text.trim();
  try {
    // Newer Node versions take offsets such as +02:00 here; they are no zones, having no summer time.
    if (/^[a-z]/i.test(trimmed) && new Intl.DateTimeFormat('en', { timeZone: trimmed })) return trimmed;
  } catch {
    // A RangeError: the zone is unknown.
  }
  throw malformed(name, `is ${quoted(trimmed)}`, 'an IANA zone such as UTC or Europe/Berlin');
}

export function networks(text: string, name: string): string[] {
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

/** Never quoted. */
export const secret = (text: string): string => text.trim();

export function password(text: string, name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break read along from a file could never be typed at a login
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw malformed(name, 'holds a line break, a tab or another control character', 'a text without them');
  if (Buffer.byteLength(text) <= longestPassword) return text;
  throw malformed(name, `is longer than ${longestPassword} bytes`, 'a shorter one');
}

const mayHoldSecret = (text: string): boolean => /@|pass/i.test(text);

/** Keeps a message on one line. */
export function quoted(text: string): string {
  const line = JSON.stringify(text).slice(1, -1);
  return `'${line.length > 60 ? `${line.slice(0, 60)}…` : line}'`;
}
