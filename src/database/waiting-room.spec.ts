import { describe, expect, it } from 'vitest';
import { newCredentials, type Occupant, type Owner, service, WaitingRoom } from './waiting-room.js';

const [ada, bob, cleo] = [1, 2, 3];

/** Whoever enters, by name, and who gave way. */
class Waiting {
  readonly gaveWay: Owner[] = [];
  readonly room: WaitingRoom;

  constructor(places: number) {
    this.room = new WaitingRoom(places);
  }

  enter(owner: Owner, count = 1, leaves = true): (string | undefined)[] {
    return Array.from({ length: count }, () => this.room.enter(this.occupant(owner, leaves)));
  }

  occupant(owner: Owner, leaves = true): Occupant {
    const giveWay = (): boolean => {
      if (leaves) this.gaveWay.push(owner);
      return leaves;
    };
    return { owner, giveWay };
  }
}

describe('where users have taken all places that are for users', () => {
  it.each<[who: string, comes: Owner, outcome: string | undefined, gaveWay: Owner[]]>([
    ['a user with fewer takes one of whoever has most', cleo, undefined, [ada]],
    ['one who would then have as many does not', bob, 'all', []],
    ['credentials have places of their own', 'load token', undefined, []],
    ['the service has, too', service, undefined, []],
  ])('%s', (_, comes, outcome, gaveWay) => {
    const waiting = new Waiting(8);
    waiting.enter(ada, 3);
    waiting.enter(bob, 3);
    expect(waiting.enter(comes)).toEqual([outcome]);
    expect(waiting.gaveWay).toEqual(gaveWay);
  });

  it('who cannot leave any more keeps his place, and another one of his gives way', () => {
    const waiting = new Waiting(8);
    waiting.enter(ada, 2);
    waiting.enter(ada, 1, false);
    waiting.enter(bob, 3, false);
    expect(waiting.enter(cleo, 2)).toEqual([undefined, 'all']);
    expect(waiting.gaveWay).toEqual([ada]);
  });
});

describe('where look-ups of credentials have taken all places', () => {
  it.each<[who: string, comes: Owner, outcome: string | undefined, gaveWay: Owner[]]>([
    ['another credential', 'load third', undefined, ['load second']],
    ['a credential that nobody knew a moment ago', newCredentials, undefined, ['load second']],
    ['a user', ada, undefined, ['load second']],
    ['the service', service, undefined, ['load second']],
    ['not one with as many', 'load first', 'all', []],
  ])('whoever has fewer waits all the same: %s', (_, comes, outcome, gaveWay) => {
    const waiting = new Waiting(8);
    waiting.enter('load first', 3);
    waiting.enter('load second', 4);
    waiting.enter(service);
    expect(waiting.enter(comes)).toEqual([outcome]);
    expect(waiting.gaveWay).toEqual(gaveWay);
  });
});

describe('during what others wait for, too', () => {
  const never = () => new Promise<void>(() => undefined);

  it('whoever gives his place away is refused, and the rest go on', async () => {
    const { room } = new Waiting(4);
    const first = room.during(ada, async () => 'first');
    const given = room.during(ada, never);
    const kept = room.during(bob, never, () => false);
    expect(await first).toBe('first');
    const more = room.during(bob, never);
    void room.during(cleo, never);
    await expect(Promise.race([given, more])).rejects.toMatchObject({ httpStatus: 429 });
    await expect(Promise.race([kept, Promise.resolve('waits')])).resolves.toBe('waits');
  });

  it('a place is free again behind a failure', async () => {
    const { room } = new Waiting(1);
    await expect(room.during('one', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await expect(room.during('other', async () => 'there')).resolves.toBe('there');
  });
});
