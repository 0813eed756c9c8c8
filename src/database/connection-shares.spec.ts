/** How many connections one owner holds while others ask, by what his statements have taken of late. */
import { describe, expect, it } from 'vitest';
import { ada, bob, cleo, eve, Statements } from '../../test/support/statements.js';
import { service } from './waiting-room.js';

const [short, middling, long] = [1000, 8 * 1024, 100_000].map((bytes) => 'x'.repeat(bytes)) as [string, string, string];

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
    statements.pass(1999);
    statements.ask(bob);
    statements.look();
    expect(statements.newlyBegun()).toEqual([bob]);
    statements.end(bob);
    statements.pass(2);
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

  describe('a statement is expected to take as long as the last time', () => {
    /** Cleo has asked it once, and it took so many milliseconds. */
    function afterOne(milliseconds: number, isWhole = true): Statements {
      const statements = beside(8);
      statements.ask(cleo, 1, 'known');
      statements.pass(milliseconds);
      if (isWhole) statements.end(cleo);
      else statements.breakOff(cleo);
      statements.ask(bob);
      statements.end(bob);
      statements.newlyBegun();
      return statements;
    }

    it.each([
      ['of 100 ms', 100, true, 4],
      ['of 101 ms', 101, true, 1],
      ['that was broken off at once, as if it had never run', 5, false, 1],
      ['that was broken off when it was slow', 101, false, 1],
    ])('one %s: its owner runs so many at once', (_, milliseconds, isWhole, most) => {
      const statements = afterOne(milliseconds, isWhole);
      statements.ask(cleo, 10, 'known');
      expect(statements.newlyBegun()).toEqual(Array(most).fill(cleo));
    });

    it('also that of another user, and of one who was quick with others', () => {
      const statements = afterOne(101);
      statements.ask(ada, 10, 'known');
      expect(statements.newlyBegun()).toEqual([ada]);
    });

    it('one that is known to be quick tells nothing of new ones', () => {
      const statements = afterOne(50);
      statements.ask(eve, 1, 'known');
      statements.pass(1);
      statements.end(eve);
      statements.ask(eve, 10, 'new');
      expect(statements.newlyBegun()).toEqual([eve, eve]);
    });

    it('one whose connection broke is not known for it', () => {
      const statements = beside(8);
      statements.ask(cleo, 1, 'known');
      statements.pass(5000);
      statements.breakOff(cleo, 'nothing');
      for (const owner of [ada, bob]) {
        statements.ask(owner, 1, `new, of ${owner}`);
        statements.end(owner);
      }
      statements.newlyBegun();
      statements.ask(ada, 10, 'known');
      expect(statements.newlyBegun()).toEqual([ada, ada, ada, ada]);
    });

    it('one that was broken off when it was slow is slow for one who was quick with others', () => {
      const statements = afterOne(101, false);
      statements.ask(ada, 10, 'known');
      expect(statements.newlyBegun()).toEqual([ada]);
    });

    it('quick ones of an owner pass none of his that wait', () => {
      const statements = afterOne(101);
      statements.ask(ada, 2, 'known');
      statements.ask(ada, 1, short);
      expect(statements.newlyBegun()).toEqual([ada]);
      statements.end(ada);
      expect(statements.newlyBegun()).toEqual([ada, ada]);
    });
  });

  it('one uses all of them a second later', () => {
    const statements = beside(8);
    statements.pass(1001);
    statements.ask(ada, 10);
    expect(statements.newlyBegun()).toHaveLength(8);
  });

  it('long new statements of one run one at a time', () => {
    const statements = beside(8);
    statements.ask(ada, 1, long);
    statements.ask(ada, 1, `${long}x`);
    statements.ask(ada, 1, `${long}xx`);
    statements.ask(cleo, 1, long);
    expect(statements.newlyBegun()).toEqual([ada, cleo]);
    statements.end(ada);
    expect(statements.newlyBegun()).toEqual([ada]);
  });

  it('short statements of one do not pass a long one of his that waits', () => {
    const statements = beside(8);
    statements.ask(ada, 3, middling);
    statements.ask(ada, 1, long);
    expect(statements.newlyBegun()).toEqual([ada, ada, ada]);
    statements.ask(ada, 3, middling);
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
    statements.ask(ada, 1, short);
    statements.pass(101);
    statements.ask(bob);
    statements.ask(ada, 2, long);
    expect(statements.newlyBegun()).toEqual([ada, bob, ada]);
  });

  it.each([
    [24 * 1024, 1],
    [12 * 1024, 2],
    [8 * 1024, 3],
    [6 * 1024, 4],
    [0, 4],
  ])('of statements of %i bytes %i run at once', (bytes, count) => {
    const statements = beside(8);
    statements.ask(ada, 6, 'x'.repeat(bytes));
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
    statements.ask(ada, 10, short);
    expect(statements.newlyBegun()).toEqual([service, ...Array(8).fill(ada)]);
  });

  it.each([
    ['quick', 50, 4],
    ['slow', 101, 1],
  ])('of long statements that were %s so many run at once', (_, milliseconds, most) => {
    const statements = beside(8);
    statements.ask(ada, 1, long);
    statements.pass(milliseconds);
    statements.end(ada);
    statements.newlyBegun();
    statements.ask(ada, 10, long);
    expect(statements.newlyBegun()).toHaveLength(most);
  });
});

describe('while nobody else asks', () => {
  it.each([
    [100_000, 1],
    [12 * 1024, 2],
    [6 * 1024, 4],
    [1000, 8],
  ])('of new statements of %i bytes %i run at once', (bytes, count) => {
    const statements = new Statements(8);
    statements.ask(ada, 10, 'x'.repeat(bytes));
    expect(statements.newlyBegun()).toHaveLength(count);
  });

  it('long ones that were quick use all connections', () => {
    const statements = new Statements(8);
    statements.ask(ada, 1, long);
    statements.end(ada);
    statements.ask(ada, 10, long);
    expect(statements.newlyBegun()).toHaveLength(1 + 8);
  });
});
