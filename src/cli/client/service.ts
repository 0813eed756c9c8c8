/** The service that commands speak to, and its refusals as the one line that a command ends with. */
import { ApiRefusal } from '../../client/api.js';
import { HttpApi } from '../../client/http-api.js';
import { CommandError } from '../command-error.js';
import { chosenHost } from './hosts.js';

export interface ClientOptions {
  readonly host?: string;
  readonly json?: boolean;
}

export interface Service {
  readonly api: HttpApi;
  readonly url: string;
}

export async function withHost(
  env: NodeJS.ProcessEnv,
  { host: asked }: ClientOptions,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const host = chosenHost(env, asked);
  await refusalsInOneLine(() => work({ api: new HttpApi(host), url: host.url }));
}

export async function refusalsInOneLine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiRefusal ? new CommandError(lineOf(error)) : error;
  }
}

/** What a service says must not steer the terminal. */
function lineOf({ status, message }: ApiRefusal): string {
  if (status === 401) return 'Login, password or token is not right, or no longer: run "worktrack login URL".';
  return message.replace(/\s*\n\s*/g, '; ').replace(/\p{C}/gu, '\ufffd');
}
