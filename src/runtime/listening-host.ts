/** Where the service may be heard: well-known passwords are only ever served to the machine itself. */
import type { Config } from '../config/config.js';
import type { DatabaseState } from '../database/prepare.js';

/** As an address names it, where colons stand before a port. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** `host` as it stands in a URL. */
export const isLoopback = (host: string): boolean => loopback.has(host.replace(/^\[|\]$/g, ''));

export function listeningHost({ host }: Pick<Config, 'host'>, state: DatabaseState): { host: string; notice?: string } {
  if (loopback.has(host)) return { host };
  if (state.hasDefaultPassword) {
    return {
      host: '127.0.0.1',
      notice: `The administrator still has the password 'admin', so HOST=${host} is not used: listening on this machine only. Set ADMIN_PASSWORD.`,
    };
  }
  if (state.hasDemoData) {
    return {
      host: '127.0.0.1',
      notice: `Demonstration users sign in with the password 'demo', so HOST=${host} is not used: listening on this machine only. Start with an empty database and DEMO_DATA=false.`,
    };
  }
  return { host };
}
