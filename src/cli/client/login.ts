/** `worktrack login` and `worktrack logout`: a token of one's own for this machine. */
import { hostname } from 'node:os';
import { ApiRefusal } from '../../client/api.js';
import { basic, bearer, HttpApi } from '../../client/http-api.js';
import { askLogin, askSecret } from '../ask-password.js';
import { CommandError } from '../command-error.js';
import { say, warn } from '../output.js';
import { addressOfService, chosenHost, type Login, readHosts, usableToken, writeHosts } from './hosts.js';
import { refusalsInOneLine } from './service.js';

export interface LoginOptions {
  readonly login?: string;
  readonly withToken?: boolean;
  readonly readOnly?: boolean;
}

/** The password makes the token and is not kept. */
export async function logIn(env: NodeJS.ProcessEnv, input: string, options: LoginOptions): Promise<void> {
  const url = addressOfService(input);
  if (isUnencrypted(url)) warn(`worktrack: ${url} is not encrypted: others on the way can read what you send.`);
  // A token that could not be kept would be of use to nobody.
  const { hosts } = readHosts(env);
  const made = await refusalsInOneLine(() => (options.withToken ? withToken(url) : withPassword(url, options)));
  await kept(env, url, made);
  const former = Object.hasOwn(hosts, url) ? hosts[url] : undefined;
  if (former && former.token !== made.token && !(await ended(url, former)))
    warn(`worktrack: The token of the former login could not be ended: do it at ${url}/profile.`);
  say(`Logged in to ${url} as ${made.login}.`);
}

/** Those that others wrote meanwhile stay. What cannot be kept ends. */
async function kept(env: NodeJS.ProcessEnv, url: string, made: Login): Promise<void> {
  try {
    writeHosts(env, { current: url, hosts: { ...readHosts(env).hosts, [url]: made } });
  } catch (error) {
    if (!(await ended(url, made)))
      warn(`worktrack: The token that was made could not be ended: do it at ${url}/profile.`);
    throw error;
  }
}

const isUnencrypted = (url: string): boolean =>
  url.startsWith('http:') && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);

interface Caller {
  readonly Login: string;
}

async function withToken(url: string): Promise<Login> {
  const token = usableToken(await askSecret('Token'), 'Token');
  const api = new HttpApi({ url, authorization: bearer(token) });
  const { Login: login } = await api.call<Caller>({ method: 'GET', path: '/api/v1/Users/LoggedUser' });
  return { login, token };
}

async function withPassword(url: string, { login: given, readOnly = false }: LoginOptions): Promise<Login> {
  const [login, password] = given === undefined ? await askLogin() : [given, await askSecret(`Password of ${given}`)];
  const api = new HttpApi({ url, authorization: basic(login, password) });
  const { Id, Token } = await api.call<{ Id: number; Token: string }>({
    method: 'POST',
    path: '/api/v1/AccessTokens',
    body: { Name: `worktrack on ${hostname()}`, IsReadOnly: readOnly },
  });
  return { login, token: Token, tokenId: Id };
}

/** The token ends, if `login` made it, and is forgotten in any case. */
export async function logOut(env: NodeJS.ProcessEnv, input: string | undefined): Promise<void> {
  const { WORKTRACK_URL: _url, WORKTRACK_TOKEN: _token, ...files } = env;
  const host = chosenHost(files, input);
  const { hosts, current } = readHosts(env);
  const { [host.url]: login, ...others } = hosts;
  writeHosts(env, { hosts: others, ...(current !== host.url && { current }) });
  if (login!.tokenId === undefined)
    return say(`Logged out of ${host.url}. The token itself goes on: end it at ${host.url}/profile.`);
  if (!(await ended(host.url, login!)))
    throw new CommandError(`Logged out, but the token could not be ended: do it at ${host.url}/profile.`);
  say(`Logged out of ${host.url}.`);
}

/** Whether nothing is left to end. A token that `login` did not make stays. */
async function ended(url: string, { token, tokenId }: Login): Promise<boolean> {
  if (tokenId === undefined) return true;
  const api = new HttpApi({ url, authorization: bearer(token) });
  try {
    const { status } = await api.send(`/api/v1/AccessTokens/${tokenId}?format=json`, { method: 'DELETE' });
    // 401: it has ended before.
    return status === 200 || status === 401;
  } catch (error) {
    if (error instanceof ApiRefusal) return false;
    throw error;
  }
}
