/**
 * The services that one has logged in to: `worktrack/hosts.json` below `XDG_CONFIG_HOME`, which its owner alone may
 * read.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { bearer, type Host } from '../../client/http-api.js';
import { CommandError, exitCodes } from '../command-error.js';

export interface Login {
  readonly login: string;
  readonly token: string;
  /** The id of a token that `login` made. */
  readonly tokenId?: number;
}

export interface Hosts {
  /** The last one that was logged in to. */
  readonly current?: string;
  readonly hosts: Readonly<Record<string, Login>>;
}

const directoryOf = ({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string =>
  join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'worktrack');

const fileOf = (env: NodeJS.ProcessEnv): string => join(directoryOf(env), 'hosts.json');

export function readHosts(env: NodeJS.ProcessEnv): Hosts {
  const file = fileOf(env);
  try {
    const hosts = JSON.parse(readFileSync(file, 'utf8')) as Hosts;
    if (typeof hosts?.hosts === 'object' && hosts.hosts !== null) return hosts;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { hosts: {} };
  }
  throw new CommandError(`${file} cannot be read: remove it, then log in again.`);
}

/** Written beside and renamed, so that it is whole at any moment. */
export function writeHosts(env: NodeJS.ProcessEnv, hosts: Hosts): void {
  mkdirSync(directoryOf(env), { recursive: true, mode: 0o700 });
  const beside = `${fileOf(env)}.${process.pid}`;
  rmSync(beside, { force: true });
  writeFileSync(beside, `${JSON.stringify(hosts, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(beside, fileOf(env));
}

/** Of `--host`, or WORKTRACK_URL with WORKTRACK_TOKEN, or the last one that was logged in to. */
export function chosenHost(env: NodeJS.ProcessEnv, asked?: string): Host {
  const { WORKTRACK_URL, WORKTRACK_TOKEN } = env;
  const input = asked ?? WORKTRACK_URL;
  const url = input === undefined ? undefined : addressOfService(input);
  // Without this, whatever rights a login has would stand in for those of the token.
  if (WORKTRACK_TOKEN && !WORKTRACK_URL)
    throw new CommandError(
      'WORKTRACK_TOKEN needs WORKTRACK_URL beside it, the service that the token is of. To use a login, unset it.',
    );
  // The token is of the service that the variable beside it names, and of no other.
  const own = WORKTRACK_URL === undefined ? undefined : addressOfService(WORKTRACK_URL);
  if (WORKTRACK_TOKEN && url && url === own)
    return { url, authorization: bearer(usableToken(WORKTRACK_TOKEN, 'WORKTRACK_TOKEN')) };
  const { current, hosts } = readHosts(env);
  const chosen = url ?? current;
  const login = chosen === undefined || !Object.hasOwn(hosts, chosen) ? undefined : hosts[chosen];
  if (chosen && login) return { url: chosen, authorization: bearer(login.token) };
  throw new CommandError(
    `You are not logged in${chosen ? ` to ${chosen}` : ''}: run "worktrack login ${chosen ?? 'URL'}".`,
  );
}

/** Blanks around it, such as the end of a line, are none of it. No header could carry what else is refused here. */
export function usableToken(given: string, from: string): string {
  const token = given.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CommandError(`${from}: this is no token.`);
}

/** Without a slash at the end. */
export function addressOfService(input: string): string {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw wrongAddress('An address such as https://work.example is needed.');
  if (url.username || url.password) throw wrongAddress('The address must not hold a password.');
  if (url.search || url.hash) throw wrongAddress('The address must end with the path of the service.');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

const wrongAddress = (message: string) => new CommandError(message, exitCodes.usage);
