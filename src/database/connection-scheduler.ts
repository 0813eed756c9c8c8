/**
 * Decides who gets the connections of a pool, and in which order. It has no connections: a pool asks it before each use
 * and tells it afterwards.
 *
 * - While others ask, too, an owner holds at most half of the connections, a quarter while one of its uses is slow, an
 *   eighth when those of late took most of the time of all or the statement is expected to be slow. They take turns,
 *   one by one.
 * - An owner begins none while its statements have many bytes together: planning keeps a core busy, and does so longer
 *   the longer a statement is.
 * - A statement is expected to be as slow as it was the last time; one that was never asked, and a transaction, as
 *   those of its owner were of late.
 * - A few more go to owners that hold none, so that nobody waits for the slow statements of one other.
 * - One more is there for work of the service itself, and one for the check of readiness.
 */
import { LRUCache } from 'lru-cache';
import { LastAskers } from '../turns/last-askers.js';
import { RecentTimes } from '../turns/recent-times.js';
import type { Crowding, Occupant, Owner, WaitingRoom } from './waiting-room.js';

export interface Waiter {
  readonly owner: Owner;
  /** The statement that it is for, where it is for one. */
  readonly text?: string;
  /** Called when its turn has come. */
  start(use: Use): void;
  /** Called when another one takes its place, or nobody may wait any more. */
  refuse(why: Crowding): void;
}

/** Beyond those that one owner may use, for owners that hold none. */
const forOthers = (connections: number): number => (connections < 8 ? 1 : 2);

/** All that a pool may open. */
export const mostConnections = (connections: number): number => connections + forOthers(connections) + 2;

/**
 * An owner whose statements under way have so many bytes begins no more, so short ones pass no long one that waits.
 * It holds for one that asks alone, too: they are still under way when somebody else comes. A statement that was quick
 * has none.
 */
const mostBytes = 24 * 1024;

/** A use of a connection that takes longer is slow. */
const slowMs = 100;

/** So long one that took most, or a statement expected to be slow, waits for another: then it is very slow. */
const verySlowMs = { recently: 500, expected: 2000 };

/**
 * New statements of an owner with one that was not slow are taken for quick so long: the first of many at once tell
 * what to expect.
 */
const quickForMs = 10_000;

/** Statements whose times are remembered, and the characters that their texts have together. */
const remembered = { max: 2000, maxSize: 4 * 2 ** 20 };

/** Uses that take longer than this are added up; so much of late is much. */
const shortMs = 20;
const muchMs = 500;

/** One use of a connection, from its beginning to its end. */
export interface Use {
  readonly owner: Owner;
  readonly text: string;
  /** That may have to be planned. */
  readonly bytes: number;
  /** Milliseconds. */
  readonly since: number;
  /** What its end tells of the time of its statement: nothing, where the connection was not there or broke. */
  tells: 'all' | 'least' | 'nothing';
}

/** A waiter in its place. Found by a WeakMap, each would outlive a collection of young objects. */
interface Queued extends Occupant {
  readonly waiter: Waiter;
}

interface Held {
  /** Eldest first. */
  readonly uses: Set<Use>;
  bytes: number;
}

export class ConnectionScheduler {
  private running = 0;
  private readonly recent = new RecentTimes<Owner>(muchMs);
  /** When the latest use of each that was not slow ended, of statements that were new. */
  private readonly quickAt = new LRUCache<Owner, number>({ max: 1000 });
  /** Milliseconds that statements took the last time. */
  private readonly took = new LRUCache<string, number>({ ...remembered, sizeCalculation: (_, { length }) => length });
  private readonly held = new Map<Owner, Held>();
  /** Users, not the service. */
  private readonly askers = new LastAskers<Owner>();
  /** Statements that wait, in the order of their turns. */
  private readonly queues = new Map<Owner, Queued[]>();
  private readonly half: number;

  constructor(
    private readonly connections: number,
    private readonly room: WaitingRoom,
    /** Milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {
    this.half = Math.ceil(connections / 2);
  }

  /**
   * The use of a connection, if the owner may begin one now. Those that wait already may not, so this passes nobody.
   */
  begin(owner: Owner, text = ''): Use | undefined {
    if (typeof owner === 'number') this.askers.note(owner, this.now());
    return this.queues.has(owner) ? undefined : this.start(owner, text);
  }

  end(use: Use): void {
    const held = this.held.get(use.owner)!;
    this.remember(use, this.now());
    held.uses.delete(use);
    held.bytes -= use.bytes;
    if (held.uses.size === 0) this.held.delete(use.owner);
    this.running -= 1;
    this.startWaiting();
  }

  get inUse(): number {
    return this.running;
  }

  get waiting(): number {
    return [...this.queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  get hasWaiting(): boolean {
    return this.queues.size > 0;
  }

  /** Called at intervals, too: a statement that waits may begin because time has passed. */
  startWaiting(): void {
    while (this.startOne());
  }

  /** For whoever may not begin. Tells why it cannot even wait, if so. */
  wait(waiter: Waiter): Crowding | undefined {
    const { owner } = waiter;
    const queued = { owner, waiter, giveWay: (why: Crowding) => this.displace(waiter, why) };
    const crowding = this.room.enter(queued);
    if (crowding) return crowding;
    const queue = this.queues.get(owner);
    if (queue) queue.push(queued);
    else this.queues.set(owner, [queued]);
    return undefined;
  }

  /** For whoever has waited too long. */
  withdraw(waiter: Waiter): void {
    const queue = this.queues.get(waiter.owner)!;
    const at = queue.findIndex((queued) => queued.waiter === waiter);
    const [queued] = queue.splice(at, 1);
    if (queue.length === 0) this.queues.delete(waiter.owner);
    this.room.leave(queued!);
  }

  private remember({ owner, text, since, tells }: Use, now: number): void {
    const took = now - since;
    if (took > shortMs) this.recent.add(owner, took, now);
    // What was broken off would have taken longer.
    if (typeof owner !== 'number' || tells === 'nothing' || (tells === 'least' && took <= slowMs)) return;
    if (took <= slowMs && !this.took.has(text)) this.quickAt.set(owner, now);
    if (text !== '') this.took.set(text, took);
  }

  private start(owner: Owner, text: string): Use | undefined {
    const held = this.held.get(owner);
    if (!this.mayStart(owner, text, held)) return undefined;
    const bytes = this.wasQuick(text) ? 0 : text.length;
    const use: Use = { owner, text, bytes, since: this.now(), tells: 'all' };
    if (held) {
      held.uses.add(use);
      held.bytes += bytes;
    } else this.held.set(owner, { uses: new Set([use]), bytes });
    this.running += 1;
    return use;
  }

  private mayStart(owner: Owner, text: string, held: Held | undefined): boolean {
    if (this.running >= (held ? this.connections : mostWith(owner, this.connections))) return false;
    if (!held) return true;
    if (held.bytes >= mostBytes) return false;
    return this.isAlone(owner) || held.uses.size < this.mostBeside(owner, text, held);
  }

  /** So many an owner may hold while others ask. What takes very long does not keep the owner from everything else. */
  private mostBeside(owner: Owner, text: string, { uses }: Held): number {
    const [eldest] = uses;
    const now = this.now();
    const age = eldest ? now - eldest.since : 0;
    const isSlowSoon = age <= verySlowMs.expected && !this.isQuick(owner, text, now);
    if (isSlowSoon || (age <= verySlowMs.recently && this.recent.isMost(owner, now)))
      return Math.ceil(this.connections / 8);
    return age > slowMs ? Math.ceil(this.half / 2) : this.half;
  }

  /** Undefined: this statement was never run. */
  private wasQuick(text: string): boolean | undefined {
    const took = this.took.get(text);
    return took === undefined ? undefined : took <= slowMs;
  }

  private isQuick(owner: Owner, text: string, now: number): boolean {
    const wasQuick = this.wasQuick(text);
    if (wasQuick !== undefined) return wasQuick;
    return typeof owner !== 'number' || now - (this.quickAt.get(owner) ?? Number.NEGATIVE_INFINITY) <= quickForMs;
  }

  /** Nobody else waits, or asked a moment ago. */
  private isAlone(owner: Owner): boolean {
    const hasWaiting = this.queues.size > (this.queues.has(owner) ? 1 : 0);
    return !hasWaiting && !this.askers.hasOthers(owner, this.now());
  }

  private displace(waiter: Waiter, why: Crowding): boolean {
    this.withdraw(waiter);
    waiter.refuse(why);
    return true;
  }

  /** Whether one could begin. Its owner goes to the end of the order. */
  private startOne(): boolean {
    for (const [owner, queue] of this.queues) {
      const use = this.start(owner, queue[0]!.waiter.text ?? '');
      if (!use) continue;
      const queued = queue.shift()!;
      this.queues.delete(owner);
      if (queue.length > 0) this.queues.set(owner, queue);
      this.room.leave(queued);
      queued.waiter.start(use);
      return true;
    }
    return false;
  }
}

/** How many may be used together with the first of an owner. */
function mostWith(owner: Owner, connections: number): number {
  if (owner === readiness) return mostConnections(connections);
  return mostConnections(connections) - (typeof owner === 'number' ? 2 : 1);
}

/** The owner that checks whether the database answers. */
export const readiness = 'readiness';
