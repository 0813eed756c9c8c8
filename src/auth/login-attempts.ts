/**
 * Counts wrong passwords by login, in the database so that all replicas agree: ten within ten minutes lock the login
 * for ten minutes. Logins that nobody has are counted alike, so that a lock tells nothing. Letter case, spaces around
 * and full-width letters make no other login.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { commitsLocally } from '../database/local-commit.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { isLogin } from './actors.js';

@Injectable()
export class LoginAttempts {
  constructor(@Inject(PRIMARY_POOL) private readonly pool: Pool) {}

  /** Seconds until a password is taken again; 0 for a login that is not locked. */
  async lockedFor(input: string): Promise<number> {
    const login = spelling(input);
    if (!isLogin(login)) return 0;
    const { rows } = await this.pool.query<{ seconds: number }>({ ...lockOf, values: [login] });
    return rows[0]?.seconds ?? 0;
  }

  /** Whether that has locked the login. */
  async failed(input: string): Promise<boolean> {
    const login = spelling(input);
    if (!isLogin(login)) return false;
    const { rows } = await this.pool.query<{ is_locked: boolean }>({ ...note, values: [login] });
    return rows[0]?.is_locked ?? false;
  }
}

const spelling = (login: string): string => login.normalize('NFKC').trim();

/** Equal for all spellings of a login that are counted together. */
export const loginKey = (login: string): string => spelling(login).toLowerCase();

const key = 'lower($1::text collate "und-x-icu")';

const lockOf = {
  text: `select ceil(extract(epoch from locked_until - now()))::int as seconds
    from login_attempt where login = ${key} and locked_until > now()`,
};

/** The failures that count, this one among them. */
const recent = `array(select f from unnest(a.failures || now()) f where f > now() - interval '10 minutes' order by f)`;
const isTooMany = `cardinality(${recent}) >= 10`;

// What is too old to count goes with every note, a few at a time: guessed logins do not pile up.
const note = {
  text: `
with old as (
  delete from login_attempt where id in (
    select id from login_attempt
    where last_date < now() - interval '20 minutes' and login <> ${key}
    order by last_date limit 20 for update skip locked))
insert into login_attempt as a (login, last_date, failures) select ${key}, now(), array[now()] where ${commitsLocally}
on conflict (login) do update set last_date = now(),
  failures = case when ${isTooMany} then '{}' else ${recent} end,
  locked_until = case when ${isTooMany} then now() + interval '10 minutes' else a.locked_until end
returning coalesce(locked_until > now(), false) as is_locked`,
};
