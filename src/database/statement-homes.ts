/**
 * Which connections ran which statements. PostgreSQL plans a statement once on each connection, which takes many times
 * as long as running it: one that comes again goes to where it ran before.
 */
import { LRUCache } from 'lru-cache';

/** Statements, and the characters that they have together. */
const remembered = { max: 2000, maxSize: 4 * 2 ** 20 };

export class StatementHomes<Connection extends WeakKey> {
  private readonly homes = new LRUCache<string, WeakSet<Connection>>({
    ...remembered,
    sizeCalculation: (_, { length }) => length + 1,
  });
  /** How many different statements each ran. */
  private readonly counts = new WeakMap<Connection, number>();

  note(connection: Connection, text: string): void {
    const homes = this.homes.get(text) ?? new WeakSet();
    if (homes.has(connection)) return;
    this.homes.set(text, homes.add(connection));
    this.counts.set(connection, this.countOf(connection) + 1);
  }

  /**
   * The place of the connection to use: the last that ran the statement, else the last of those that ran the fewest, so
   * that new statements take little from the others.
   */
  bestOf(idle: readonly { readonly client: Connection }[], text: string): number {
    const homes = this.homes.get(text);
    const lastHome = homes ? idle.findLastIndex(({ client }) => homes.has(client)) : -1;
    if (lastHome >= 0) return lastHome;
    const counts = idle.map(({ client }) => this.countOf(client));
    return counts.lastIndexOf(Math.min(...counts));
  }

  private countOf(connection: Connection): number {
    return this.counts.get(connection) ?? 0;
  }
}
