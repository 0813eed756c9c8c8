/**
 * Operations on stored files, of which two at once are in the threads of Node. It has four, which check passwords, read
 * pages and look up names as well; where a disk hangs, so do the threads that have to do with it, until it answers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { FileStoreError, filesUnavailable } from '../errors.js';
import { FairQueue } from './fair-queue.js';

/** As long as a bucket may take. */
const patienceMs = 30_000;

const most = 2;

/** Whoever transfers files is counted already: any number may wait. */
const turns = new FairQueue<'all'>(
  {
    running: most,
    waiting: Number.POSITIVE_INFINITY,
    waitingOfClient: Number.POSITIVE_INFINITY,
    milliseconds: patienceMs,
  },
  filesUnavailable,
);

const underWay = new Set<Promise<unknown>>();
/** How many of them nobody waits for any more. */
let late = 0;

export interface Operation<T> {
  /** What becomes of the result that comes too late. */
  readonly undo?: (result: T) => unknown;
  /** Beyond what each may take. */
  readonly moreMs?: number;
}

/** Errors: its own, and FileStoreError where it does not begin or end in time. */
export async function inThread<T>(act: () => Promise<T>, { undo, moreMs = 0 }: Operation<T> = {}): Promise<T> {
  if (late >= most) throw hangs();
  const end = await turns.enter('all').catch(() => {
    throw hangs();
  });
  return occupying(act, end, { undo, moreMs });
}

/** Nobody waits for it, so that it waits as long as it must. */
export async function inThreadAtLast(act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const end = await turns.enter('all').catch(() => undefined);
    if (end) return void occupying(act, end, {}).catch(() => undefined);
  }
}

function occupying<T>(act: () => Promise<T>, end: () => void, { undo, moreMs = 0 }: Operation<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late += 1;
      reject(hangs());
    }, patienceMs + moreMs).unref();
    const acting = (async () => act())()
      .then((result) => (isLate ? undo?.(result) : resolve(result)), reject)
      .finally(() => {
        clearTimeout(timer);
        if (isLate) late -= 1;
        underWay.delete(acting);
        end();
      });
    underWay.add(acting);
  });
}

/** Whether threads hold up the end of the process: it waits for what they do. */
export async function threadsHang(): Promise<boolean> {
  if (underWay.size === 0) return false;
  return Promise.race([Promise.all(underWay).then(() => false), pause(1000, true)]);
}

const hangs = () => new FileStoreError(new Error('the directory of files does not answer'));
