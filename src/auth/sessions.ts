/**
 * Sessions of people who logged in, in the database: they survive restarts and work on all replicas. The cookie holds a
 * random secret, the database its hash. They end by log-out, after a time without use, after a time in any case, and
 * with the password, the login or the activity of their user (a trigger sees to that).
 */
import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import type { Actor } from '../actor.js';
import { commitsLocally } from '../database/local-commit.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { Account, type AccountRow } from './account.js';
import { accountQuery } from './account-query.js';
import { Actors } from './actors.js';
import { LastUses } from './last-uses.js';
import type { TtlCache } from './ttl-cache.js';

@Injectable()
export class Sessions implements OnModuleDestroy {
  private readonly kept: TtlCache<string, Account>;
  private readonly uses: LastUses;

  constructor(
    private readonly actors: Actors,
    @Inject(PRIMARY_POOL) private readonly pool: Pool,
  ) {
    this.kept = actors.keep();
    this.uses = new LastUses((ids) => pool.query(seen, [ids.map((id) => Buffer.from(id, 'base64'))]));
  }

  onModuleDestroy(): Promise<void> {
    return this.uses.flush();
  }

  /**
   * What the cookie is to hold; undefined where the user may log in no more, or no more with the password that hashes
   * to this. `on`: a transaction that it is part of.
   */
  async begin(
    userId: number,
    passwordHash: string | null,
    on: Pick<ClientBase, 'query'> = this.pool,
  ): Promise<string | undefined> {
    const secret = randomBytes(32).toString('base64url');
    const text = begin(on === this.pool ? commitsLocally : 'true');
    const { rowCount } = await on.query(text, [hashOf(secret), userId, passwordHash]);
    return rowCount === 0 ? undefined : secret;
  }

  async actorOf(secret: string): Promise<Actor | undefined> {
    if (secret === '') return undefined;
    const id = hashOf(secret);
    const key = id.toString('base64');
    const account =
      this.kept.get(key) ??
      (await this.kept.load(key, async (wasKept) => {
        const row = await this.actors.ask<AccountRow>(bySession, [id], wasKept);
        return row && new Account(row);
      }));
    if (account) this.uses.note(key);
    return account?.actor;
  }

  /** At once here, within a second on other replicas. */
  async end(secret: string): Promise<void> {
    const { rowCount } = await this.pool.query('delete from session where id = $1', [hashOf(secret)]);
    if (rowCount !== 0) this.actors.forget();
  }
}

const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

const isAlive = `s.last_seen_date > now() - make_interval(mins => g.session_idle_minutes)
  and s.create_date > now() - make_interval(hours => g.session_hours)`;

const bySession = accountQuery({
  name: 'account-by-session',
  joins: ' join session s on s.user_id = u.id cross join global_settings g',
  condition: `s.id = $1::bytea and ${isAlive}`,
});

// What is over by now stays over.
const seen = `update session s set last_seen_date = now() from global_settings g where s.id = any($1::bytea[]) and ${isAlive}
  and ${commitsLocally}`;

// The user's row is locked by it, so that a new password either is seen here or ends this session too. With each new
// one go some that nobody can use any more.
const begin = (condition: string): string => `
with old as (
  delete from session where id in (
    select s.id from session s cross join global_settings g where not (${isAlive}) limit 20 for update of s skip locked)
    and ${condition}),
logged as (
  update general_user u set last_login_date = now()
  where u.id = $2::bigint and u.is_active and u.delete_date is null and ($3::text is null or u.password_hash = $3::text)
  returning u.id)
insert into session (id, user_id) select $1::bytea, id from logged where ${condition}`;
