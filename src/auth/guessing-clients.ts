/**
 * Remembers of clients how their logins went: wrong passwords in a row of tries at most ten minutes apart, and whether
 * one was right.
 */
import { LRUCache } from 'lru-cache';
import { widerNetwork } from '../http/client-address.js';

const most = 10_000;
/** So many wrong passwords put a client that gave a right one behind others that gave none at all. */
const credit = 10;
/**
 * Wrong passwords of a network count among clients that are equal otherwise: one guesser may have thousands of
 * addresses in it.
 */
const mostOfNetwork = 999;

export class GuessingClients {
  private readonly wrong = new LRUCache<string, number>({ max: most, ttl: 600_000, ttlResolution: 1_000 });
  private readonly wrongOfNetwork = new LRUCache<string, number>({ max: most, ttl: 600_000, ttlResolution: 1_000 });
  /** Apart from the others, whom anybody can make many of. */
  private readonly right = new LRUCache<string, true>({ max: most });

  note(client: string, isRight: boolean): void {
    if (isRight) {
      this.right.set(client, true);
      return;
    }
    const network = widerNetwork(client);
    this.wrong.set(client, (this.wrong.get(client) ?? 0) + 1);
    this.wrongOfNetwork.set(network, Math.min(mostOfNetwork, (this.wrongOfNetwork.get(network) ?? 0) + 1));
  }

  /**
   * The lower, the sooner a password of this client is checked. Which login it is for makes no difference, or it would
   * show.
   */
  rank(client: string): number {
    const ofNetwork = (this.wrongOfNetwork.get(widerNetwork(client)) ?? 0) / (mostOfNetwork + 1);
    return (this.wrong.get(client) ?? 0) - (this.right.has(client) ? credit : 0) + ofNetwork;
  }
}
