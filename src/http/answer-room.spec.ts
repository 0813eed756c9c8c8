import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Amount } from '../database/text-query.js';
import type { ApiError } from '../errors.js';
import { AnswerRoom, HeldAnswer } from './answer-room.js';

const bounds = { answer: 600, bytes: 1000, short: 50, waiting: 3, patience: 8, patienceWithin: 5, pace: 10, still: 30 };
let room: AnswerRoom;
beforeEach(() => {
  vi.useFakeTimers();
  room = new AnswerRoom(bounds);
});
afterEach(() => {
  vi.useRealTimers();
});

class Client extends EventEmitter {
  closed = false;
  destroy(): void {
    this.closed = true;
    this.emit('close');
  }
}

const amount = (bytes: number, memory = bytes): Amount => ({ bytes, memory });

interface Taking {
  held: HeldAnswer;
  client: Client;
  /** How often it was told to go on. */
  notified: number;
  refusal?: ApiError;
  add(bytes: number, memory?: number): boolean;
}

function answer(): Taking {
  const client = new Client();
  const held = new HeldAnswer(room, client as never);
  const taking: Taking = {
    held,
    client,
    notified: 0,
    add: (bytes, memory) =>
      held.add(amount(bytes, memory), {
        goOn: () => {
          taking.notified += 1;
        },
        fail: (refusal) => {
          taking.refusal = refusal;
          held.leave();
        },
      }),
  };
  return taking;
}

/** All that long answers may have, and one that goes on beyond that; both are being sent. */
function full(): [Taking, Taking] {
  const [one, other] = [answer(), answer()];
  expect([one.add(600), other.add(400)]).toEqual([true, true]);
  one.held.isSent = true;
  other.held.isSent = true;
  return [one, other];
}

describe('room for long answers', () => {
  it('is counted as texts come, and given back as they are taken, once', () => {
    const one = answer();
    one.add(100);
    one.add(200);
    one.held.give(amount(120));
    expect(room.held).toBe(180);
    one.client.destroy();
    one.held.leave();
    expect(room.held).toBe(0);
  });

  it('is a quarter that long answers leave to users who take little, also where others wait with more than there is', () => {
    const [long, waiting, little] = [answer(), answer(), answer()];
    [long.held.owner, waiting.held.owner, little.held.owner] = [1, 2, 3];
    expect([long.add(600), waiting.add(500), waiting.add(100)]).toEqual([true, true, true]);
    const late = answer();
    late.held.owner = 4;
    expect([late.add(590), little.add(50)]).toEqual([false, true]);
  });

  it('is not given to more than one answer may have', () => {
    const one = answer();
    expect([one.add(600), one.add(1)]).toEqual([true, false]);
    expect(one.refusal).toMatchObject({ httpStatus: 400 });
    expect(room.held).toBe(0);
  });

  it('is counted as memory, and what one answer may have as bytes', () => {
    const [one, other] = [answer(), answer()];
    expect([one.add(400, 700), room.held, one.add(201, 0)]).toEqual([true, 700, false]);
    expect([other.add(300, 700), other.add(300, 100)]).toEqual([true, true]);
    other.held.give(amount(300, 500));
    expect(room.held).toBe(300);
  });

  it('is not given to who has left', () => {
    const gone = answer();
    gone.client.destroy();
    expect(gone.add(100)).toBe(false);
    expect([gone.refusal?.httpStatus, room.held]).toEqual([503, 0]);
  });

  it('is waited for, and a quarter of it is kept for short answers', () => {
    const [one] = full();
    const [long, short] = [answer(), answer()];
    expect(long.add(60)).toBe(false);
    one.held.give(amount(400));
    expect([long.notified, short.add(40)]).toEqual([1, true]);
  });

  it('may be exceeded by one answer at a time, the eldest', () => {
    full();
    const [elder, younger] = [answer(), answer()];
    expect([elder.add(300), younger.add(300)]).toEqual([false, false]);
  });
});

describe('who waits', () => {
  it('is refused after a while', () => {
    const [one, other] = full();
    const late = answer();
    late.add(100);
    for (let second = 0; second < 5; second += 1) {
      one.held.give(amount(10));
      other.held.give(amount(10));
      vi.advanceTimersByTime(1000);
    }
    expect(late.refusal).toBeUndefined();
    one.held.give(amount(10));
    other.held.give(amount(10));
    vi.advanceTimersByTime(1000);
    expect(late.refusal).toMatchObject({ httpStatus: 503, headers: { 'Retry-After': '2' } });
  });

  it('goes on when somebody slow is cut off', () => {
    const [slow, quick] = full();
    const late = answer();
    late.add(100);
    quick.held.give(amount(20));
    vi.advanceTimersByTime(1000);
    expect([slow.client.closed, late.notified]).toEqual([false, 0]);
    quick.held.give(amount(20));
    vi.advanceTimersByTime(1000);
    expect([slow.client.closed, quick.client.closed, late.notified]).toEqual([true, false, 1]);
  });
});

describe('who has not asked the database yet', () => {
  const entering = (one: Taking): { state: string } => {
    const entry = { state: 'waiting' };
    const promise = one.held.enter();
    if (!promise) entry.state = 'in';
    promise?.then(
      () => (entry.state = 'in'),
      (refusal) => (entry.state = `refused with ${refusal.httpStatus}`),
    );
    return entry;
  };

  it('goes on at once while there is room', () => {
    expect(entering(answer()).state).toBe('in');
    expect(room.held).toBe(0);
  });

  it('waits while there is none, longer than who holds a connection', async () => {
    const [one, other] = full();
    one.add(0);
    const late = answer();
    const entry = entering(late);
    for (let second = 0; second < 8; second += 1) {
      one.held.give(amount(10));
      other.held.give(amount(10));
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(entry.state).toBe('waiting');
    one.held.give(amount(10));
    other.held.give(amount(10));
    await vi.advanceTimersByTimeAsync(1000);
    expect(entry.state).toBe('refused with 503');
  });

  it('is one of few: more are refused at once', async () => {
    full();
    const entries = Array.from({ length: 5 }, () => entering(answer()));
    await vi.advanceTimersByTimeAsync(0);
    const refused = 'refused with 503';
    expect(entries.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting', refused, refused]);
  });
});

describe('who leaves', () => {
  it('is not left waiting', () => {
    full();
    const late = answer();
    expect(late.add(100)).toBe(false);
    late.client.destroy();
    expect(late.refusal).toMatchObject({ httpStatus: 503 });
    expect(room.held).toBe(1000);
  });
});

describe('who takes nothing', () => {
  it('is cut off after a while, also when nobody waits', () => {
    const [one, other] = full();
    for (let second = 0; second < 29; second += 1) {
      other.held.give(amount(1));
      vi.advanceTimersByTime(1000);
    }
    expect([one.client.closed, other.client.closed]).toEqual([false, false]);
    vi.advanceTimersByTime(1000);
    expect([one.client.closed, other.client.closed]).toEqual([true, false]);
  });
});

describe('what the system holds for a client', () => {
  const queues = new Map<object, number>();
  const ends = { localPort: 1, remotePort: 2 };
  beforeEach(() => {
    queues.clear();
    room = new AnswerRoom(bounds, () => (socket) => queues.get(socket as object));
  });

  function sent(): Taking {
    const one = answer();
    (one.client as unknown as { socket: object }).socket = ends;
    expect(one.add(600)).toBe(true);
    one.held.isSent = true;
    return one;
  }

  it.each<[string, (second: number) => number, boolean]>([
    ['that becomes less each second counts as taken', (second) => 4000 - second, false],
    ['that stays is not taken', () => 4000, true],
    ['that becomes less once in a while is taken', (second) => 4000 - Math.floor(second / 25), false],
  ])('%s', (_, left, isCutOff) => {
    const one = sent();
    for (let second = 0; second < 40; second += 1) {
      queues.set(ends, left(second));
      vi.advanceTimersByTime(1000);
    }
    expect(one.client.closed).toBe(isCutOff);
  });

  it.each<[string, number, boolean]>([
    ['as quick as it must be', 10, false],
    ['slower than it must be', 9, true],
  ])('tells who takes it %s while others wait', (_, each, isCutOff) => {
    const one = sent();
    const other = answer();
    other.add(400);
    other.held.isSent = true;
    answer().add(100);
    for (let second = 0; second < 4; second += 1) {
      other.held.give(amount(10, 0));
      queues.set(ends, 4000 - second * each);
      vi.advanceTimersByTime(1000);
    }
    expect([one.client.closed, other.client.closed]).toEqual([isCutOff, false]);
  });
});
