/**
 * The service itself, started without listening, for commands that change users, tokens and settings: what they ask for
 * passes the rules of the API, on behalf of an administrator or of the owner of what is changed.
 */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DatabasePool } from '../database/pool.js';
import { CommandError } from './command-error.js';
import { mustBeCurrent } from './must-be-current.js';
import { withDatabase } from './with-database.js';

export interface Asked {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Id of the user who asks; an administrator when not given. */
  readonly as?: number;
}

export interface LocalService {
  ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, asked?: Asked): Promise<T>;
  /** The first page of 1,000, and all that follow. */
  list<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T[]>;
  /** An active administrator, another one than the user who is changed where there is one. */
  administrator(besides?: number): Promise<number>;
}

export async function withService(
  env: NodeJS.ProcessEnv,
  work: (service: LocalService) => Promise<void>,
): Promise<void> {
  await withDatabase(env, async (config) => {
    await mustBeCurrent(config);
    const { createApp } = await import('../app.js');
    const quiet = { logLevel: 'silent', rateLimit: 0, pool: 2, workers: 1, readDatabaseUrl: undefined } as const;
    const app = await createApp({ ...config, ...quiet });
    try {
      await work(await localService(app));
    } finally {
      await app.close();
    }
  });
}

async function localService(app: NestFastifyApplication): Promise<LocalService> {
  const { Actors } = await import('../auth/actors.js');
  const { PRIMARY_POOL } = await import('../database/pools.js');
  const pool = app.get<DatabasePool>(PRIMARY_POOL);

  const tokenOf = async (userId: number): Promise<string> => {
    const account = await app.get(Actors).load(userId);
    if (!account) throw new CommandError(`The user ${userId} is not active.`);
    return account.serviceToken;
  };
  const administrator = async (besides = 0): Promise<number> => {
    const { rows } = await pool.query<{ id: number }>(firstAdministrator, [besides]);
    if (rows[0]) return rows[0].id;
    throw new CommandError('There is no active administrator. The service makes the first one when it starts.');
  };
  const ask = async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, asked: Asked = {}): Promise<T> => {
    const token = await tokenOf(asked.as ?? (await administrator()));
    const query = new URLSearchParams({ ...asked.query, format: 'json', token });
    const answer = await app.inject({
      method,
      url: `/api/v1/${path}?${query}`,
      ...(asked.body && { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(asked.body) }),
    });
    const content = JSON.parse(answer.payload) as T & { Message?: string };
    if (answer.statusCode >= 400) throw new CommandError(content.Message ?? 'The service refused it.');
    return content;
  };
  const list = async <T>(path: string, query = {}): Promise<T[]> => {
    const items: T[] = [];
    for (;;) {
      const page = { ...query, take: String(pageSize), skip: String(items.length) };
      const { Items } = await ask<{ Items: T[] }>('GET', path, { query: page });
      items.push(...Items);
      if (Items.length < pageSize) return items;
    }
  };
  return { ask, list, administrator };
}

const pageSize = 1000;

const firstAdministrator = `select id from general_user
  where kind = 'User' and is_administrator and is_active and delete_date is null order by id = $1::bigint, id limit 1`;

/** As a value of `where`. */
export const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
