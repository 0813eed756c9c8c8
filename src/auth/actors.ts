/**
 * Loads accounts, each with one statement, and keeps them for a second: so long may a deactivation, a new password, a
 * membership, a deleted token or a log-out take to act on every replica.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { Replicas } from '../database/replicas/replicas.js';
import type { Author } from '../database/transaction-connection.js';
import { newCredentials, service, WaitingRoom } from '../database/waiting-room.js';
import { retrying } from '../http/retrying.js';
import { alreadyRead, inTransaction } from '../http/transaction.js';
import { mostAgeMs } from '../runtime/freshness.js';
import { Account, type AccountRow } from './account.js';
import { accountQuery } from './account-query.js';
import { RightsHistory } from './rights-history.js';
import { TtlCache } from './ttl-cache.js';

/** A number is the id of a user, a text is a login in any letter case. */
export type Owner = number | string;

@Injectable()
export class Actors {
  private readonly kept: { clear(): void }[] = [];
  // A login is kept as it was sent: the database decides which letters are the same in either case.
  private readonly accounts: TtlCache<Owner, Account>;
  private readonly rights = new RightsHistory();

  constructor(
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    @Inject(CONFIG) private readonly config: Pick<Config, 'preparedStatements'>,
    private readonly waiting: WaitingRoom,
    private readonly replicas: Replicas,
  ) {
    this.accounts = this.keep();
  }

  /** At most a second old. Undefined: not known at this moment, which says nothing about whether it exists. */
  recent(owner: Owner): Account | undefined {
    return this.accounts.get(owner);
  }

  /** As the database has it now. Undefined: nobody by that name may call. */
  async load(owner: Owner): Promise<Account | undefined> {
    if (typeof owner === 'string' && !isLogin(owner)) return undefined;
    return this.accounts.load(owner, async (wasKept) => {
      const row = await this.ask<AccountRow>(typeof owner === 'number' ? byId : byLogin, [owner], wasKept);
      return row && new Account(row);
    });
  }

  /**
   * The first row of an account query. Whatever many new credentials ask, those that were good a moment ago do not wait
   * for them.
   */
  async ask<R extends AccountRow>(
    { name, text }: { name: string; text: string },
    values: readonly unknown[],
    wasGood: boolean,
  ): Promise<R | undefined> {
    const query = { name: this.config.preparedStatements ? name : undefined, text, values: [...values] };
    const owner = wasGood ? service : newCredentials;
    const { rows } = await this.replicas.readForService((client) => client.query<R>(query), owner);
    return rows[0] && { ...rows[0], position: this.rights.since(rows[0]) };
  }

  /** The active user who alone has this e-mail or login; two with one e-mail are nobody. */
  async find(by: 'email' | 'login', value: string): Promise<number | undefined> {
    if (!isLogin(value)) return undefined;
    const { rows } = await this.pool.query<{ id: number }>(
      `select u.id from general_user u where lower(u.${by === 'email' ? 'email' : 'login'}) = lower($1::text collate "und-x-icu")
         and u.kind = 'User' and u.is_active and u.delete_date is null limit 2`,
      [value],
    );
    return rows.length === 1 ? rows[0]!.id : undefined;
  }

  /**
   * Ends the service token of a user, and gives the account with the next one: both or neither. Undefined: he may call
   * no more.
   */
  async renewToken(userId: number, author: Author): Promise<Account | undefined> {
    const { account } = await retrying(() =>
      inTransaction(this.pool, author, async ({ writing }) => {
        await writing.query(renew, [userId]);
        const { rows } = await writing.query<AccountRow>(byId.text, [userId]);
        return alreadyRead({ account: rows[0] && new Account(rows[0]) });
      }),
    );
    this.forget();
    return account;
  }

  /** A memory of what leads to accounts, forgotten with them. */
  keep<K extends number | string, V extends object>(): TtlCache<K, V> {
    const recent = new TtlCache<K, V>({ entries: 5_000, milliseconds: mostAgeMs, waiting: this.waiting });
    this.kept.push(recent);
    return recent;
  }

  /** Makes what this process changed act at once here; other replicas follow within a second. */
  forget(): void {
    for (const recent of this.kept) recent.clear();
  }
}

/** No longer login fits its column, and PostgreSQL takes no NUL. */
export const isLogin = (login: string): boolean => login !== '' && login.length <= 255 && !login.includes('\0');

const renew = 'update general_user set token_version = token_version + 1 where id = $1::bigint';

const byId = accountQuery({ name: 'account-by-id', condition: 'u.id = $1::bigint' });

// Lower case by the rules of the column's collation, those of the index; the database's own may know ASCII only.
const byLogin = accountQuery({
  name: 'account-by-login',
  condition: 'lower(u.login) = lower($1::text collate "und-x-icu")',
});
