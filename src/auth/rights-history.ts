/**
 * Since which place in the log of the primary the rights of a user are as they are. A replica that has replayed it
 * shows nothing that these rights do not allow: what was moved to where the user may look now was moved with them in
 * force.
 */
import { LRUCache } from 'lru-cache';
import type { AccountRow } from './account.js';

interface Rights {
  readonly spelled: string;
  readonly position: string;
  /** Milliseconds. */
  lookedAt: number;
}

/** Rights could have been taken and given back in a longer time. */
const trustedMs = 10_000;

export class RightsHistory {
  private readonly rights = new LRUCache<number, Rights>({ max: 5_000 });

  constructor(private readonly now: () => number = () => performance.now()) {}

  since(row: AccountRow): string {
    const spelled = spell(row);
    const rights = this.rights.get(row.id);
    const now = this.now();
    if (rights?.spelled === spelled && now - rights.lookedAt < trustedMs) {
      rights.lookedAt = now;
      return rights.position;
    }
    this.rights.set(row.id, { spelled, position: row.position, lookedAt: now });
    return row.position;
  }
}

const spell = ({ kind, is_administrator, is_observer, project_ids, team_ids }: AccountRow): string =>
  `${kind} ${is_administrator} ${is_observer} ${project_ids.join()} ${team_ids.join()}`;
