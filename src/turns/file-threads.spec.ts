import { beforeEach, expect, it, vi } from 'vitest';
import { filesAreInUse, filesAtRest, inThread, syncInThread } from './file-threads.js';

/** What ends the operations of a test. */
const ends: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  return async () => {
    while (filesAreInUse()) {
      for (const end of ends.splice(0)) end();
      await seconds(0);
    }
    vi.useRealTimers();
  };
});

const hangs = 'the directory of files does not answer';
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (result) => result,
    ({ name, cause }: Error) => (cause as Error | undefined)?.message ?? name,
  );

/** An operation that ends when it is told to, and what became of it so far. */
function operation(run: (act: () => Promise<string>) => Promise<unknown> = inThread) {
  const one = { hasBegun: false, outcome: undefined as unknown, end: (_result?: string): void => undefined };
  const act = (): Promise<string> => {
    one.hasBegun = true;
    return new Promise((resolve) => {
      one.end = (result = 'done') => resolve(result);
      ends.push(one.end);
    });
  };
  void outcome(run(act)).then((result) => (one.outcome = result));
  return one;
}

const sync = () => operation((act) => syncInThread(act as unknown as () => Promise<void>));
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

it('whoever waits is not refused as long as those before it are on time', async () => {
  const pairs = [];
  for (let at = 0; at < 3; at += 1) pairs.push([operation(), operation()] as const);
  for (const [first, second] of pairs) {
    await seconds(29);
    first.end();
    second.end();
  }
  await seconds(0);
  expect(pairs.flat().map((one) => one.outcome)).toEqual(Array(6).fill('done'));
});

it('whoever waits is refused once all that are before it hang, and so is whoever comes then', async () => {
  const hung = [operation(), operation()];
  const waits = operation();
  await seconds(29);
  expect(waits.outcome).toBeUndefined();
  await seconds(1);
  const later = operation();
  await seconds(0);
  expect([...hung, waits, later].map((one) => one.outcome)).toEqual(Array(4).fill(hangs));
  expect([waits.hasBegun, later.hasBegun]).toEqual([false, false]);
  hung[0]!.end();
  await seconds(0);
  const next = operation();
  next.end();
  await seconds(0);
  expect(next.outcome).toBe('done');
});

it('what brings bytes to the disk leaves a thread to others', async () => {
  const [first, second] = [sync(), sync()];
  await seconds(0);
  const read = operation();
  expect([first.hasBegun, second.hasBegun, read.hasBegun]).toEqual([true, false, true]);
  read.end();
  first.end();
  await seconds(0);
  expect([read.outcome, first.outcome, second.hasBegun]).toEqual(['done', 'done', true]);
});

it('whoever leaves waits no longer, and what comes for it is undone', async () => {
  const [begun, waiting] = [new AbortController(), new AbortController()];
  const undone: string[] = [];
  const undo = (result: string) => undone.push(result);
  const left = operation((act) => inThread(act, { undo, signal: begun.signal }));
  const other = operation();
  const waits = operation((act) => inThread(act, { undo, signal: waiting.signal }));
  begun.abort();
  waiting.abort();
  const late = operation((act) => inThread(act, { undo, signal: waiting.signal }));
  await seconds(0);
  expect([left.outcome, waits.outcome, late.outcome]).toEqual(Array(3).fill('AbortError'));
  left.end('opened');
  other.end();
  await seconds(0);
  expect([undone, waits.hasBegun, late.hasBegun]).toEqual([['opened'], false, false]);
});

it('files are at rest once all that is on time has ended, also what waited for it', async () => {
  const [hung, slow, waiting] = [operation(), operation(), operation()];
  await seconds(15);
  slow.end();
  await seconds(0);
  let isAtRest = false;
  void filesAtRest().then(() => (isAtRest = true));
  await seconds(15);
  expect([hung.outcome, isAtRest]).toEqual([hangs, false]);
  waiting.end();
  await seconds(0);
  expect([isAtRest, filesAreInUse()]).toEqual([true, true]);
  hung.end();
  await seconds(0);
  expect(filesAreInUse()).toBe(false);
});
