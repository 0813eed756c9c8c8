/**
 * An access token is base64 of `userId:secret`, the secret 32 random bytes in base64. The database keeps a hash of it,
 * so it can be shown once only. It stands for its owner for as long as the owner is an active user.
 */
import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Actor } from '../actor.js';
import { commitsLocally } from '../database/local-commit.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { Replicas } from '../database/replicas/replicas.js';
import { service } from '../database/waiting-room.js';
import { Account, type AccountRow } from './account.js';
import { accountQuery } from './account-query.js';
import { Actors } from './actors.js';
import { base64Text } from './base64.js';
import { LastUses } from './last-uses.js';
import type { TtlCache } from './ttl-cache.js';

export interface NewToken {
  /** What the client is shown, once. */
  readonly token: string;
  /** What is kept. */
  readonly secretHash: Buffer;
}

export function newToken(userId: number): NewToken {
  const token = Buffer.from(`${userId}:${randomBytes(32).toString('base64')}`).toString('base64');
  return { token, secretHash: hashOf(token) };
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Whether a text could be an access token at all. */
const isToken = (text: string): boolean =>
  text.length <= longest && /^[1-9]\d{0,15}:[A-Za-z0-9+/]{43}=$/.test(base64Text(text) ?? '');

const longest = 128;

interface TokenRow extends AccountRow {
  token_id: number;
  is_read_only: boolean;
  expire_date: Date | null;
}

interface CachedToken {
  readonly id: number;
  readonly actor: Actor;
  readonly mayBeUsed: boolean;
}

@Injectable()
export class AccessTokens implements OnModuleDestroy {
  /** By the hash, so that a dump of the memory shows no token. */
  private readonly kept: TtlCache<string, CachedToken>;
  private readonly uses: LastUses;

  constructor(
    private readonly actors: Actors,
    @Inject(PRIMARY_POOL) pool: Pool,
    private readonly replicas: Replicas,
  ) {
    this.kept = actors.keep();
    this.uses = new LastUses((ids) => pool.query(used, [ids]));
  }

  onModuleDestroy(): Promise<void> {
    return this.uses.flush();
  }

  /** The owner of a token, as the database has him now or had him a second ago. */
  async actorOf(token: string): Promise<Actor | undefined> {
    if (!isToken(token)) return undefined;
    const key = keyOf(token);
    return this.used(
      this.kept.get(key) ?? (await this.kept.load(key, (wasKept) => this.ask(Buffer.from(key, 'base64'), wasKept))),
    );
  }

  /** The owner, if the token was asked for within the last second. */
  recall(token: string): Actor | undefined {
    return isToken(token) ? this.used(this.kept.get(keyOf(token))) : undefined;
  }

  /** Whether a token that a caller came by has not been deleted since. */
  async isThere(id: number): Promise<boolean> {
    const { rows } = await this.replicas.readForService((client) => client.query(isThere, [id]), service);
    return rows.length === 1;
  }

  private used(cached: CachedToken | undefined): Actor | undefined {
    if (!cached?.mayBeUsed) return undefined;
    this.uses.note(String(cached.id));
    return cached.actor;
  }

  private async ask(secret: Buffer, wasGood: boolean): Promise<CachedToken | undefined> {
    const row = await this.actors.ask<TokenRow>(byToken, [secret], wasGood);
    if (!row) return undefined;
    const { actor, mayUseAccessTokens } = new Account(row);
    return {
      id: row.token_id,
      actor: limited(actor, {
        isReadOnly: row.is_read_only,
        isTemporary: row.expire_date !== null,
        accessTokenId: row.token_id,
      }),
      mayBeUsed: mayUseAccessTokens,
    };
  }
}

const isThere = 'select 1 from access_token where id = $1::bigint';

const limited = (actor: Actor, limits: Required<Pick<Actor, 'isReadOnly' | 'isTemporary' | 'accessTokenId'>>): Actor =>
  limits.isReadOnly || limits.isTemporary ? Object.freeze({ ...actor, ...limits }) : actor;

/** The hash as a text, which takes a third of the time that one in a buffer does. */
const keyOf = (token: string): string => hash('sha256', padded(token), 'base64');

/** Base64 may be sent without its padding; the hash is of the whole. */
const padded = (token: string): string => token + '='.repeat((4 - (token.length % 4)) % 4);

const byToken = accountQuery({
  name: 'account-by-access-token',
  columns: ', t.id as token_id, t.is_read_only, t.expire_date',
  joins: ' join access_token t on t.user_id = u.id',
  condition: 't.secret_hash = $1::bytea and (t.expire_date is null or t.expire_date > now())',
});

const used = `update access_token set last_use_date = now() where id = any($1::bigint[]) and ${commitsLocally}`;
