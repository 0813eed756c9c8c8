import { describe, expect, it } from 'vitest';
import { ConnectionScheduler, mostConnections, readiness, type Use } from './connection-scheduler.js';
import { type Owner, service, WaitingRoom } from './waiting-room.js';

const [ada, bob, cleo, dan, eve, finn] = [1, 2, 3, 4, 5, 6];

/** A pool whose statements end when told to; each asks for a connection or waits for one. */
class Statements {
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

  ask(owner: Owner, count = 1, bytes = 0): (string | undefined)[] {
    return Array.from({ length: count }, () => {
      const start = (use: Use) => {
        this.begun.push(owner);
        this.uses.push(use);
      };
      const refuse = () => void this.displaced.push(owner);
      const use = this.scheduler.begin(owner, bytes);
      if (!use) return this.scheduler.wait({ owner, bytes, start, refuse });
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

  /** Since the last call. */
  newlyBegun(): Owner[] {
    return this.begun.splice(0);
  }
}

it.each([1, 2, 3, 8, 20])('an owner alone uses all of %i connections', (connections) => {
  const statements = new Statements(connections);
  statements.ask(ada, 30);
  expect(statements.begun).toHaveLength(connections);
});

describe('while one owner holds all connections', () => {
  it.each<[connections: number, others: Owner[]]>([
    [1, [bob, service, readiness]],
    [3, [bob, service, readiness]],
    [8, [bob, cleo, service, readiness]],
    [20, [bob, cleo, service, readiness]],
  ])('of %i, others begin at once: %j', (connections, others) => {
    const statements = new Statements(connections);
    statements.ask(ada, 30);
    statements.newlyBegun();
    for (const owner of [...others, dan]) statements.ask(owner, 2);
    expect(statements.newlyBegun()).toEqual(others);
    expect(mostConnections(connections)).toBe(connections + others.length);
  });

  it('the service begins at once, however many users wait', () => {
    const statements = new Statements(4);
    for (const owner of [ada, bob, cleo, dan]) statements.ask(owner, 4);
    statements.newlyBegun();
    statements.ask(service, 2);
    expect(statements.newlyBegun()).toEqual([service]);
    statements.end(service);
    expect(statements.newlyBegun()).toEqual([service]);
  });
});

describe('while others wait', () => {
  it.each([
    [8, 4],
    [3, 2],
    [1, 1],
  ])('an owner gets none of %i connections while it holds %i', (connections, half) => {
    const statements = new Statements(connections);
    statements.ask(ada, 20);
    statements.ask(bob, 20);
    expect(statements.newlyBegun()).toEqual([...Array.from({ length: connections }, () => ada), bob]);
    // One more than an owner may use is used.
    statements.end(ada, connections - half);
    expect(statements.newlyBegun().filter((owner) => owner === ada)).toEqual([]);
    statements.end(ada, 2 * half - connections + 1);
    expect(statements.newlyBegun()).toContain(ada);
  });

  it('they take turns, whoever has asked more', () => {
    const statements = Statements.allUsed();
    statements.ask(ada, 3);
    statements.ask(bob, 2);
    statements.ask(cleo);
    const turns: Owner[] = [];
    for (let ending: Owner | undefined = eve; ending; [ending] = statements.newlyBegun()) {
      turns.push(ending);
      statements.end(ending);
    }
    expect(turns).toEqual([eve, ada, bob, cleo, ada, bob, ada]);
  });

  it('nobody who comes later passes those that wait', () => {
    const statements = Statements.allUsed();
    statements.ask(ada);
    statements.end(eve);
    statements.ask(bob);
    expect(statements.newlyBegun()).toEqual([ada]);
    statements.ask(cleo);
    statements.end(ada);
    expect(statements.newlyBegun()).toEqual([bob]);
  });
});

describe('while another user asks now and then', () => {
  /** Ada and Bob have asked for something, and have it. */
  function beside(connections: number): Statements {
    const statements = new Statements(connections);
    for (const owner of [ada, bob]) {
      statements.ask(owner);
      statements.end(owner);
    }
    statements.newlyBegun();
    return statements;
  }

  it('one uses half of the connections, also where the others are free', () => {
    const statements = beside(8);
    statements.ask(ada, 10);
    expect(statements.newlyBegun()).toHaveLength(4);
    statements.end(ada);
    expect(statements.newlyBegun()).toHaveLength(1);
  });

  it('one of whom nothing is known uses an eighth, and half of them when the first was quick', () => {
    const statements = beside(8);
    statements.ask(cleo, 10);
    expect(statements.newlyBegun()).toEqual([cleo]);
    statements.pass(50);
    statements.end(cleo);
    expect(statements.newlyBegun()).toEqual([cleo, cleo, cleo, cleo]);
  });

  it('one of whom nothing is known uses an eighth as long as each is slow, and a quarter beside one that takes very long', () => {
    const statements = beside(8);
    statements.ask(cleo, 10);
    for (let at = 0; at < 3; at += 1) {
      statements.newlyBegun();
      statements.pass(101);
      statements.end(cleo);
      expect(statements.newlyBegun()).toEqual([cleo]);
    }
    statements.pass(501);
    statements.ask(bob);
    statements.look();
    expect(statements.newlyBegun()).toEqual([bob, cleo]);
  });

  it('one who was quick is still known for it ten seconds later', () => {
    const statements = beside(8);
    statements.pass(10_000);
    statements.ask(bob);
    statements.ask(ada, 10);
    expect(statements.newlyBegun()).toEqual([bob, ada, ada, ada, ada]);
  });

  it('one who was quick longer ago is not', () => {
    const statements = beside(8);
    statements.pass(10_001);
    statements.ask(bob);
    statements.ask(ada, 10);
    expect(statements.newlyBegun()).toEqual([bob, ada]);
  });

  it('one uses all of them a second later', () => {
    const statements = beside(8);
    statements.pass(1001);
    statements.ask(ada, 10);
    expect(statements.newlyBegun()).toHaveLength(8);
  });

  it('long statements of one run one at a time', () => {
    const statements = beside(8);
    statements.ask(ada, 3, 100_000);
    statements.ask(cleo, 1, 100_000);
    expect(statements.newlyBegun()).toEqual([ada, cleo]);
    statements.end(ada);
    expect(statements.newlyBegun()).toEqual([ada]);
  });

  it('short statements of one do not pass a long one of his that waits', () => {
    const statements = beside(8);
    statements.ask(ada, 3, 16 * 1024);
    statements.ask(ada, 1, 100_000);
    expect(statements.newlyBegun()).toEqual([ada, ada, ada]);
    statements.ask(ada, 3, 16 * 1024);
    statements.end(ada);
    // The long one, beside two short ones.
    expect(statements.newlyBegun()).toEqual([ada]);
    statements.end(ada, 2);
    expect(statements.newlyBegun()).toEqual([]);
    statements.end(ada);
    expect(statements.newlyBegun()).toEqual([ada, ada, ada]);
  });

  it('a long statement of one begins beside a short one of his that takes long', () => {
    const statements = beside(8);
    statements.ask(ada, 1, 1000);
    statements.pass(101);
    statements.ask(bob);
    statements.ask(ada, 2, 100_000);
    expect(statements.newlyBegun()).toEqual([ada, bob, ada]);
  });

  it.each([
    [24 * 1024, 2],
    [16 * 1024, 3],
    [12 * 1024, 4],
    [0, 4],
  ])('of statements of %i bytes %i run at once', (bytes, count) => {
    const statements = beside(8);
    statements.ask(ada, 6, bytes);
    expect(statements.newlyBegun()).toHaveLength(count);
  });

  it('one uses a quarter of the connections as long as one of its statements is slow', () => {
    const statements = beside(8);
    statements.ask(ada);
    statements.pass(101);
    statements.ask(ada, 10);
    expect(statements.newlyBegun()).toEqual([ada, ada]);
    statements.end(ada);
    expect(statements.newlyBegun()).toEqual([ada, ada, ada]);
  });

  describe('one whose statements took much time of late', () => {
    /** Ada's statements have taken so many milliseconds each. */
    function afterUses(count: number, milliseconds: number): Statements {
      const statements = beside(8);
      for (let at = 0; at < count; at += 1) {
        statements.ask(ada);
        statements.pass(milliseconds);
        statements.end(ada);
      }
      statements.ask(bob);
      statements.end(bob);
      statements.newlyBegun();
      return statements;
    }

    it.each([
      ['several', 12, 60, 1],
      ['one', 1, 600, 1],
      ['too few', 6, 60, 4],
      ['many short ones', 100, 20, 4],
    ])('%s: uses so many connections', (_, count, milliseconds, most) => {
      const statements = afterUses(count, milliseconds);
      statements.ask(ada, 10);
      expect(statements.newlyBegun()).toHaveLength(most);
    });

    it('uses a quarter of them beside a statement that takes very long', () => {
      const statements = afterUses(12, 60);
      statements.ask(ada, 10);
      expect(statements.newlyBegun()).toEqual([ada]);
      statements.pass(501);
      statements.look();
      expect(statements.newlyBegun()).toEqual([ada]);
    });

    it('uses half of them once that is a while ago', () => {
      const statements = afterUses(12, 60);
      statements.pass(1000);
      statements.ask(bob);
      statements.ask(ada, 10);
      expect(statements.newlyBegun()).toEqual([bob, ada, ada, ada, ada]);
    });
  });

  it('work of the service keeps no user from anything', () => {
    const statements = new Statements(8);
    statements.ask(service);
    statements.end(service);
    statements.ask(ada, 10, 100_000);
    expect(statements.newlyBegun()).toEqual([service, ...Array(8).fill(ada)]);
  });
});

describe('the places to wait', () => {
  it('are half for one user, and three quarters for all users', () => {
    const statements = Statements.allUsed(8);
    expect(statements.ask(ada, 6)).toEqual([...Array(4), 'owner', 'owner']);
    expect(statements.ask(bob, 2)).toEqual([undefined, undefined]);
    expect(statements.ask(service, 3)).toEqual([undefined, undefined, undefined]);
    expect(statements.displaced).toEqual([]);
  });

  it('go to users with fewer that wait where all are taken', () => {
    const statements = Statements.allUsed(8);
    statements.ask(ada, 4);
    statements.ask(bob, 2);
    expect(statements.ask(bob, 2)).toEqual([undefined, 'all']);
    expect(statements.ask(cleo, 2)).toEqual([undefined, undefined]);
    expect(statements.ask(dan, 2)).toEqual([undefined, 'all']);
    expect(statements.displaced).toEqual([ada, ada, bob, ada]);
  });

  it('are free again for whoever comes later', () => {
    const statements = Statements.allUsed(2);
    expect(statements.ask(ada, 2)).toEqual([undefined, 'owner']);
    statements.end(eve);
    expect(statements.ask(ada)).toEqual([undefined]);
  });

  it('are shared by all pools of a process', () => {
    const room = new WaitingRoom(2);
    const [primary, replica] = [new ConnectionScheduler(1, room), new ConnectionScheduler(1, room)];
    const waiter = (owner: Owner) => ({ owner, start: () => undefined, refuse: () => undefined });
    expect([primary.wait(waiter(ada)), replica.wait(waiter(ada))]).toEqual([undefined, 'owner']);
    expect(replica.wait(waiter(bob))).toBeUndefined();
    expect(primary.wait(waiter(cleo))).toBe('all');
  });
});

it('whoever waits no longer is in nobody’s way', () => {
  let time = 0;
  const scheduler = new ConnectionScheduler(8, new WaitingRoom(100), () => time);
  const begun: string[] = [];
  const uses: Use[] = [];
  const ask = (owner: Owner, name: string) => {
    const waiter = { owner, start: () => void begun.push(name), refuse: () => undefined };
    const use = scheduler.begin(owner);
    if (use) uses.push(use);
    else expect(scheduler.wait(waiter)).toBeUndefined();
    return waiter;
  };
  for (let at = 0; at < 9; at += 1) ask(ada, `ada ${at}`);
  ask(bob, 'bob 0');
  const late = ask(bob, 'bob 1');
  scheduler.end(uses[0]!);
  scheduler.withdraw(late);
  time += 2000;
  scheduler.end(uses[1]!);
  expect(begun).toEqual(['ada 8']);
});

describe('whatever is asked for in whatever order', () => {
  const owners: Owner[] = [ada, bob, cleo, service];
  const random = (seed: number) => () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed / 2 ** 31;
  };

  it.each([1, 2, 3, 5, 8])('one owner uses %i connections at most, and all that wait begin', (connections) => {
    const next = random(connections);
    const scheduler = new ConnectionScheduler(connections, new WaitingRoom(10_000));
    const running: Use[] = [];
    let [asked, begun] = [0, 0];
    const start = (use: Use) => {
      running.push(use);
      begun += 1;
      expect(running.filter(({ owner }) => owner === use.owner).length).toBeLessThanOrEqual(connections);
      expect(running.length).toBeLessThan(mostConnections(connections));
    };
    const end = () => scheduler.end(running.splice(Math.floor(next() * running.length), 1)[0]!);
    for (let step = 0; step < 3000; step += 1) {
      if (running.length > 0 && next() < 0.48) {
        end();
        continue;
      }
      const owner = owners[Math.floor(next() ** 2 * owners.length)]!;
      asked += 1;
      const use = scheduler.begin(owner);
      if (use) start(use);
      else expect(scheduler.wait({ owner, start, refuse: () => undefined })).toBeUndefined();
    }
    while (running.length > 0) end();
    expect(begun).toBe(asked);
  });
});
