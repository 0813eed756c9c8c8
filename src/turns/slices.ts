/**
 * Long work in slices, between which the event loop turns. All such work of the process shares the time of one turn, so
 * the loop is held no longer than that, however much there is to do.
 */
import { setImmediate as turn } from 'node:timers/promises';

/** Work that may be interrupted wherever it yields. */
export type Sliced<T> = Generator<void, T, void>;

/**
 * Work that is shorter than this ends without a pause. A request has some ten turns of the loop, and each may meet a
 * slice; a turn by itself takes a tenth of this.
 */
const millisecondsOfTurn = 0.5;

export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const result = runUntil(endOfTurn(), work);
    if (result?.done) return result.value;
    await nextTurn();
  }
}

/** Does all of the work without a pause. */
export const atOnce = <T>(work: Sliced<T>): T => runUntil(Number.POSITIVE_INFINITY, work)?.value as T;

/** Gives them one by one; the loop turns between two of them where the time of a turn is over. */
export async function* inTurns<T>(all: Iterable<T>): AsyncGenerator<T> {
  for (const one of all) {
    const end = endOfTurn();
    yield one;
    if (performance.now() >= end) await nextTurn();
  }
}

/** Between long steps that cannot be cut: what to wait for where the time of a turn is over. */
export const turnIfDue = (): Promise<unknown> | undefined =>
  performance.now() >= endOfTurn() ? nextTurn() : undefined;

/** Something long that cannot be cut, in a turn in which nothing else of this kind has been done. */
export async function inOwnTurn<T>(act: () => T): Promise<T> {
  for (let due: Promise<unknown> | undefined = nextTurn(); due; due = turnIfDue()) await due;
  return act();
}

/** Does something with each of them. */
export const eachInSlices = <T>(all: Iterable<T>, act: (one: T) => void): Promise<void> => inSlices(each(all, act));

function* each<T>(all: Iterable<T>, act: (one: T) => void): Sliced<void> {
  for (const one of all) {
    act(one);
    yield;
  }
}

/** Undefined: nothing was done, since others have had all of the time. */
function runUntil<T>(end: number, work: Sliced<T>): IteratorResult<void, T> | undefined {
  let result: IteratorResult<void, T> | undefined;
  while (!result?.done && performance.now() < end) result = work.next();
  return result;
}

let end: number | undefined;

/** When it is time to let the loop turn. */
function endOfTurn(): number {
  if (end === undefined) {
    end = performance.now() + millisecondsOfTurn;
    setImmediate(() => {
      end = undefined;
    });
  }
  return end;
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Whoever waits has a turn to himself. */
function nextTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => turn());
  return lastTurn;
}
