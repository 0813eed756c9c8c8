/**
 * Operations on stored files, of which two at once are in the threads of Node. It has four, which check passwords, read
 * pages and look up names as well; where a disk hangs, so do the threads that have to do with it, until it answers.
 */
import { FileStoreError } from '../errors.js';

/** As long as a bucket may take. What takes longer hangs. */
const patienceMs = 30_000;

const most = 2;

export interface Operation<T> {
  /** What becomes of a result for which nobody waits any more. */
  readonly undo?: (result: T) => unknown;
  readonly signal?: AbortSignal;
}

interface Task {
  /** Does not fail. */
  begin(): Promise<unknown>;
  /** Of what nobody waits for there is none. */
  giveUp?(reason: unknown): void;
}

/** Whoever transfers files is counted already: any number may wait, as long as one of those before them is on time. */
const waiting = new Set<Task>();
let running = 0;
/** How many of them hang. */
let late = 0;
/** The process ends: nothing begins any more. */
let isOver = false;
const atRest = new Set<() => void>();
let lastSync: Promise<unknown> = Promise.resolve();

/** Errors: its own, the reason of the signal, and FileStoreError where it hangs, or all that are before it. */
export function inThread<T>(act: () => Promise<T>, { undo, signal }: Operation<T> = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw signal.reason;
    let isLeft = false;
    const task = {
      begin: async (): Promise<void> => {
        try {
          const result = await act();
          signal?.removeEventListener('abort', leave);
          if (isLeft) undo?.(result);
          else resolve(result);
        } catch (error) {
          task.giveUp(error);
        }
      },
      giveUp: (reason: unknown): void => {
        isLeft = true;
        waiting.delete(task);
        signal?.removeEventListener('abort', leave);
        reject(reason);
      },
    };
    const leave = (): void => task.giveUp(signal!.reason);
    signal?.addEventListener('abort', leave);
    enter(task);
  });
}

/** What brings bytes to the disk may take long: one at a time leaves a thread to others. */
export function syncInThread(act: () => Promise<void>): Promise<void> {
  const sync = lastSync.then(() => inThread(act));
  lastSync = sync.catch(() => undefined);
  return sync;
}

/** Nobody waits for it, so that it waits as long as it must. */
export function inThreadAtLast(act: () => Promise<unknown>): void {
  enter({ begin: () => act().catch(() => undefined) });
}

function enter(task: Task): void {
  if (running < most && !isOver) void occupy(task);
  else if (late === most && task.giveUp) task.giveUp(hangs());
  else waiting.add(task);
}

async function occupy(task: Task): Promise<void> {
  running += 1;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    late += 1;
    for (const one of late === most ? [task, ...waiting] : [task]) one.giveUp?.(hangs());
    tellOfRest();
  }, patienceMs).unref();
  await task.begin();
  clearTimeout(timer);
  running -= 1;
  if (isLate) late -= 1;
  const [next] = waiting;
  if (next && waiting.delete(next)) enter(next);
  tellOfRest();
}

/** Settles once nothing is under way but what hangs. */
export async function filesAtRest(): Promise<void> {
  if (running > late) await new Promise<void>((resolve) => atRest.add(resolve));
}

/** Whether something is under way: Node does not end before it. */
export const filesAreInUse = (): boolean => running > 0;

export function beginNoMore(): void {
  isOver = true;
}

function tellOfRest(): void {
  if (running > late) return;
  for (const tell of atRest) tell();
  atRest.clear();
}

const hangs = () => new FileStoreError(new Error('the directory of files does not answer'));
