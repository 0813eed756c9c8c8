/** Remembers of clients how their logins went: wrong passwords in a row of tries at most ten minutes apart, and whether one was right. */
import { LRUCache } from 'lru-cache';

const most = 10_000;
/** So many wrong passwords put a client that gave a right one behind others that gave none at all. */
const credit = 10;

export class GuessingClients {
  private readonly wrong = new LRUCache<string, number>({ max: most, ttl: 600_000, ttlResolution: 1_000 });
  /** Apart from the others, whom anybody can make many of. */
  private readonly right = new LRUCache<string, true>({ max: most });

  note(client: string, isRight: boolean): void {
    if (isRight) this.right.set(client, true);
    else this.wrong.set(client, (this.wrong.get(client) ?? 0) + 1);
  }

  /** The lower, the sooner a password of this client is checked. Which login it is for makes no difference, or it would show. */
  rank(client: string): number {
    return (this.wrong.get(client) ?? 0) - (this.right.has(client) ? credit : 0);
  }
}
