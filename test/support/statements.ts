/** A connection scheduler, and statements of several owners that ask it for connections. */
import { expect } from 'vitest';
import { ConnectionScheduler, type Use } from '../../src/database/connection-scheduler.js';
import { type Owner, WaitingRoom } from '../../src/database/waiting-room.js';

export const [ada, bob, cleo, dan, eve, finn] = [1, 2, 3, 4, 5, 6] as const;

/** A pool whose statements end when told to; each asks for a connection or waits for one. */
export class Statements {
  /** Owners in the order in which theirs began. */
  readonly begun: Owner[] = [];
  /** Owners whose places were taken by others. */
  readonly displaced: Owner[] = [];
  private readonly scheduler: ConnectionScheduler;
  private readonly uses: Use[] = [];
  private time = 0;

  constructor(connections: number, places = 100) {
    this.scheduler = new ConnectionScheduler(connections, new WaitingRoom(places), () => this.time);
  }

  /** Milliseconds pass. */
  pass(time: number): void {
    this.time += time;
  }

  look(): void {
    this.scheduler.startWaiting();
  }

  /** All that are there for users are used: by two of them, who ask for no more. */
  static allUsed(places?: number): Statements {
    const statements = new Statements(1, places);
    statements.ask(eve);
    statements.ask(finn);
    expect(statements.newlyBegun()).toEqual([eve, finn]);
    return statements;
  }

  ask(owner: Owner, count = 1, text = ''): (string | undefined)[] {
    return Array.from({ length: count }, () => {
      const start = (use: Use) => {
        this.begun.push(owner);
        this.uses.push(use);
      };
      const refuse = () => void this.displaced.push(owner);
      const use = this.scheduler.begin(owner, text);
      if (!use) return this.scheduler.wait({ owner, text, start, refuse });
      start(use);
      return undefined;
    });
  }

  /** Of those that are under way, the eldest first. */
  end(owner: Owner, count = 1): void {
    for (let at = 0; at < count; at += 1) {
      const [use] = this.uses.splice(
        this.uses.findIndex((one) => one.owner === owner),
        1,
      );
      this.scheduler.end(use!);
    }
  }

  /** The eldest that is under way, ahead of its time. */
  breakOff(owner: Owner, tells: Use['tells'] = 'least'): void {
    this.uses.find((one) => one.owner === owner)!.tells = tells;
    this.end(owner);
  }

  /** Since the last call. */
  newlyBegun(): Owner[] {
    return this.begun.splice(0);
  }
}
