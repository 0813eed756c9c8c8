/**
 * Contexts by their acids: the projects and teams in view, kept for the caller who got the acid. A list that is
 * asked for with an acid holds the rows that a member of just these would see, as far as the caller sees them.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../actor.js';
import { commitsLocally } from '../database/local-commit.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { unknownAcid } from '../errors.js';

export interface Selection {
  readonly projectIds: readonly number[];
  readonly teamIds: readonly number[];
}

@Injectable()
export class Contexts {
  private readonly recent = new LRUCache<string, Selection>({ max: 1000 });

  constructor(@Inject(PRIMARY_POOL) private readonly pool: DatabasePool) {}

  /** Gives the acid of a selection, which is good from then on. */
  async note({ userId }: Actor, { projectIds, teamIds }: Selection): Promise<string> {
    const acid = acidOf(projectIds, teamIds);
    const noted = await this.pool.rowsFor(userId, note, [userId, acid, projectIds, teamIds]);
    if (noted.length > 0) await this.pool.rowsFor(userId, forgetEldest, [userId]);
    return acid;
  }

  /** Errors: 400 where this acid was not given to the caller. */
  async selection({ userId }: Actor, text: string): Promise<Selection> {
    const acid = text.trim().toUpperCase();
    if (!/^[0-9A-F]{32}$/.test(acid)) throw unknownAcid();
    const key = `${userId} ${acid}`;
    const selection = this.recent.get(key) ?? (await this.load(userId, acid));
    this.recent.set(key, selection);
    return selection;
  }

  /** The caller, whose lists are limited to the context. */
  async narrowed(actor: Actor, acid: string): Promise<Actor> {
    return { ...actor, context: await this.selection(actor, acid) };
  }

  private async load(userId: number, acid: string): Promise<Selection> {
    const [row] = await this.pool.rowsFor<{ project_ids: number[]; team_ids: number[] }>(
      userId,
      'select project_ids, team_ids from context where user_id = $1 and acid = $2',
      [userId, acid],
    );
    if (!row) throw unknownAcid();
    return { projectIds: row.project_ids, teamIds: row.team_ids };
  }
}

const ascending = (ids: readonly number[]): string => [...ids].sort((a, b) => a - b).join(',');

/** A context is known by the projects and teams in it. */
const acidOf = (...ids: readonly (readonly number[])[]): string =>
  createHash('md5').update(ids.map(ascending).join(';')).digest('hex').toUpperCase();

/** One that is in use stays among the latest. */
const note = `insert into context (user_id, acid, project_ids, team_ids)
  select $1::bigint, $2::text, $3::bigint[], $4::bigint[] where ${commitsLocally}
  on conflict (user_id, acid) do update set noted_date = now() where context.noted_date < now() - interval '1 hour'
  returning acid`;

const forgetEldest = `delete from context where user_id = $1 and acid in
  (select acid from context where user_id = $1 order by noted_date desc, acid offset 100) and ${commitsLocally}`;
