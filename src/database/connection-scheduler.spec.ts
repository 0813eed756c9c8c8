import { describe, expect, it } from 'vitest';
import { ada, bob, cleo, dan, eve, Statements } from '../../test/support/statements.js';
import { ConnectionScheduler, mostConnections, readiness, type Use } from './connection-scheduler.js';
import { type Owner, service, WaitingRoom } from './waiting-room.js';

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
