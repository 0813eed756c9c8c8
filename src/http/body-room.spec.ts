import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiError } from '../errors.js';
import { BodyRoom, type HeldBody } from './body-room.js';

const bounds = { bytes: 1000, waiting: 3, patience: 10, pace: 10, short: 50 };
let room: BodyRoom;
beforeEach(() => {
  vi.useFakeTimers();
  room = new BodyRoom(bounds);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Body {
  held: HeldBody;
  /** How often it was told to go on. */
  notified: number;
  refusal?: ApiError;
}

function body(): Body {
  const entered: Body = {
    notified: 0,
    held: room.enter({
      goOn: () => {
        entered.notified += 1;
      },
      fail: (refusal) => {
        entered.refusal = refusal;
        entered.held.leave();
      },
    }),
  };
  return entered;
}

/** A long one that has all it may have, and one that is read beyond that. */
function full(): { long: Body; beyond: Body } {
  const [long, beyond] = [body(), body()];
  expect(long.held.add(750)).toBe(true);
  expect(beyond.held.add(200)).toBe(true);
  return { long, beyond };
}

describe('room for bodies', () => {
  it('is kept by a body that came to its end while it waited', () => {
    const { beyond } = full();
    const [waiting] = [body()];
    expect(beyond.held.add(100)).toBe(true);
    expect(waiting.held.add(100)).toBe(false);
    waiting.held.end();
    vi.advanceTimersByTime(30_000);
    expect([waiting.refusal, waiting.notified, waiting.held.bytes]).toEqual([undefined, 0, 100]);
  });

  it('is counted as bytes arrive, and given back once, whoever leaves', () => {
    const [one, other] = [body(), body()];
    one.held.add(100);
    one.held.add(200);
    other.held.add(50);
    expect(room.held).toBe(350);
    one.held.leave();
    one.held.leave();
    expect(room.held).toBe(50);
    other.held.leave();
    expect(room.held).toBe(0);
  });

  it('is a quarter that long bodies leave to short ones', () => {
    full();
    const [short, long] = [body(), body()];
    expect(short.held.add(50)).toBe(true);
    expect(long.held.add(51)).toBe(false);
  });

  it('is waited for, the eldest first', () => {
    const { long } = full();
    const [elder, younger] = [body(), body()];
    expect([younger.held.add(300), elder.held.add(300)]).toEqual([false, false]);
    long.held.leave();
    expect([elder.notified, younger.notified]).toEqual([0, 0]);
    elder.held.leave();
    expect(younger.notified).toBe(1);
  });

  it('may be exceeded by one body at a time, up to its end', () => {
    const { beyond } = full();
    expect(beyond.held.add(5000)).toBe(true);
    const next = body();
    expect(next.held.add(100)).toBe(false);
    beyond.held.leave();
    expect([next.notified, next.held.add(5000)]).toEqual([1, true]);
  });

  it('is not blocked by bodies that wait for one another', () => {
    const bodies = [body(), body(), body()];
    for (const { held } of bodies) held.add(249);
    const goOn = bodies.map(({ held }) => held.add(100));
    expect(goOn).toEqual([true, false, false]);
    for (const { held } of bodies) held.leave();
    expect(bodies.map(({ notified }) => notified)).toEqual([1, 1, 1]);
    expect(room.held).toBe(0);
  });
});

describe('a body that waits', () => {
  it('is refused after a while', () => {
    const { beyond } = full();
    const late = body();
    late.held.add(100);
    for (let second = 0; second < 10; second += 1) {
      beyond.held.add(bounds.pace);
      vi.advanceTimersByTime(1000);
    }
    expect(late.refusal).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect(late.refusal).toMatchObject({ httpStatus: 503, headers: { 'Retry-After': '2' } });
    expect(room.held).toBe(950 + 10 * bounds.pace);
  });

  it('waits that long in all', () => {
    const { beyond } = full();
    const often = body();
    for (let second = 0; second < 11; second += 1) {
      expect(often.refusal).toBeUndefined();
      const another = body();
      another.held.add(100);
      often.held.add(60);
      vi.advanceTimersByTime(1000);
      another.held.leave();
      beyond.held.add(bounds.pace);
    }
    expect(often.refusal).toMatchObject({ httpStatus: 503 });
  });

  it('is one of few: more are refused at once', () => {
    full();
    const bodies = [body(), body(), body(), body()];
    for (const { held } of bodies) held.add(100);
    expect(bodies.map(({ refusal }) => refusal?.httpStatus)).toEqual([undefined, undefined, undefined, 503]);
    expect(room.held).toBe(950 + 300);
  });

  it('may leave', () => {
    const { beyond } = full();
    const [gone, next] = [body(), body()];
    gone.held.add(100);
    next.held.add(100);
    gone.held.leave();
    beyond.held.leave();
    expect([gone.notified, next.notified]).toEqual([0, 1]);
  });
});

describe('a body beyond the limit', () => {
  it('is given up when it hardly arrives while others wait', () => {
    const { beyond } = full();
    const next = body();
    next.held.add(100);
    vi.advanceTimersByTime(1000);
    expect(beyond.refusal).toBeUndefined();
    beyond.held.add(bounds.pace - 1);
    vi.advanceTimersByTime(1000);
    expect(beyond.refusal).toMatchObject({ httpStatus: 408 });
    expect([next.notified, next.refusal]).toEqual([1, undefined]);
  });

  it('takes its time when nobody waits, and when all of it is there', () => {
    const { beyond } = full();
    vi.advanceTimersByTime(60_000);
    const next = body();
    next.held.add(100);
    beyond.held.isWhole = true;
    vi.advanceTimersByTime(5000);
    expect([beyond.refusal, next.refusal]).toEqual([undefined, undefined]);
  });
});
