/**
 * Loads accounts by id or login, each with one statement, and keeps them for a second: so long may a deactivation, a new
 * password or a membership take to act on every replica.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { Account, type AccountRow } from './account.js';
import { Recent } from './recent.js';

/** A number is the id of a user, a text is a login in any letter case. */
export type Owner = number | string;

@Injectable()
export class Actors {
  // A login is kept as it was said: which letters are the same without regard to case is for the database to say.
  private readonly accounts = new Recent<Owner, Account>({ entries: 5_000, milliseconds: 1_000 });

  constructor(
    @Inject(PRIMARY_POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Pick<Config, 'preparedStatements'>,
  ) {}

  /** At most a second old. Undefined: not known at this moment, which says nothing about whether it exists. */
  recent(owner: Owner): Account | undefined {
    return this.accounts.get(owner);
  }

  /** As the database has it now. Undefined: nobody by that name may call. */
  async load(owner: Owner): Promise<Account | undefined> {
    if (typeof owner === 'string' && !isLogin(owner)) return undefined;
    return this.accounts.load(owner, () => this.ask(owner));
  }

  /** Makes what this process changed act at once here; other replicas follow within a second. */
  forget(): void {
    this.accounts.clear();
  }

  private async ask(owner: Owner): Promise<Account | undefined> {
    const { name, text } = typeof owner === 'number' ? byId : byLogin;
    const values = [owner];
    const { rows } = await this.pool.query<AccountRow>(
      this.config.preparedStatements ? { name, text, values } : { text, values },
    );
    return rows[0] && new Account(rows[0]);
  }
}

/** No longer login fits its column, and PostgreSQL takes no NUL. */
const isLogin = (said: string): boolean => said !== '' && said.length <= 255 && !said.includes('\0');

/** Requesters, the inactive and the deleted are nobody here, so that none of them is answered differently. */
const accountWhere = (condition: string): string => `
select u.id, u.kind, u.password_hash, u.token_version, u.is_administrator, u.is_observer,
  array(
    select p.id from general p
    where p.delete_date is null and p.id in (
      select m.project_id from project_member m where m.user_id = u.id
      union all
      select tp.project_id
      from team_member m
      join general t on t.id = m.team_id and t.delete_date is null
      join team_project tp on tp.team_id = m.team_id
      where m.user_id = u.id)
    order by p.id) as project_ids,
  array(
    select t.id from general t
    where t.delete_date is null and t.id in (select m.team_id from team_member m where m.user_id = u.id)
    order by t.id) as team_ids,
  (select s.value #>> '{}' from setting s where s.name = 'token-secret') as token_secret
from general_user u
where ${condition} and u.kind in ('User', 'SystemUser') and u.is_active and u.delete_date is null`;

const byId = { name: 'account-by-id', text: accountWhere('u.id = $1::int') };

// Lower case by the rules of the column's collation, those of the index; the database's own may know ASCII only.
const byLogin = {
  name: 'account-by-login',
  text: accountWhere('lower(u.login) = lower($1::text collate "und-x-icu")'),
};
