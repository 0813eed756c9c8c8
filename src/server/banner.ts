/** What a newcomer reads when the service is up: where it is, how to sign in, what to try. */
import type { DatabaseState } from '../database/prepare.js';
import { hostInUrl } from '../runtime/listening-host.js';

export interface Started {
  host: string;
  port: number;
  notices: readonly string[];
  state: DatabaseState;
  embedded: boolean;
}

export function banner({ host, port, notices, state, embedded }: Started): string {
  const address = `http://${hostInUrl(host)}:${port}`;
  const login = state.hasDefaultPassword ? 'admin:admin' : 'admin:<your password>';
  const lines = [
    `Worktrack listens on ${address}${embedded ? ' with its own PostgreSQL' : ''}.`,
    ...notices,
    state.hasDefaultPassword ? 'Sign in as admin with the password admin.' : 'Sign in as admin.',
    ...(state.hasDemoData
      ? [
          'Demonstration data is loaded: its users, alice and grace (an administrator) among them, sign in with the password demo.',
        ]
      : []),
    'Try:',
    `  curl -gu ${login} '${address}/api/v1/UserStories?format=json&include=[Id,Name,EntityState[Name]]&take=3'`,
  ];
  return `${lines.join('\n')}\n`;
}
