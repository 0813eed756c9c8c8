import { expect, it } from 'vitest';
import { ApiError } from '../errors.js';
import { BoundedQueue } from './bounded-queue.js';

/** Tasks that end when told to. */
function tasks() {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const task = (number: number) => (): Promise<number> => {
    started.push(number);
    return new Promise((resolve) => {
      ends[number] = () => resolve(number);
    });
  };
  return { started, ends, task };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs no more at once than it may, and the rest in turn', async () => {
  const queue = new BoundedQueue({ running: 2, waiting: 10 });
  const { started, ends, task } = tasks();
  const answers = [0, 1, 2, 3].map((number) => queue.run(task(number)));
  await settled();
  expect(started).toEqual([0, 1]);
  ends[1]!();
  await settled();
  expect(started).toEqual([0, 1, 2]);
  ends[0]!();
  await settled();
  ends[2]!();
  ends[3]!();
  expect(await Promise.all(answers)).toEqual([0, 1, 2, 3]);
});

it('refuses with 503 what may not wait, and takes more once there is room', async () => {
  const queue = new BoundedQueue({ running: 1, waiting: 1 });
  const { ends, task } = tasks();
  const first = queue.run(task(0));
  const second = queue.run(task(1));
  const refused = await queue.run(task(2)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ httpStatus: 503, headers: { 'Retry-After': '1' } });
  ends[0]!();
  await first;
  const third = queue.run(task(3));
  await settled();
  ends[1]!();
  await second;
  await settled();
  ends[3]!();
  expect(await third).toBe(3);
});

it('gives the place on when a task fails', async () => {
  const queue = new BoundedQueue({ running: 1, waiting: 1 });
  await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(
    queue.run(() => {
      throw new Error('at once');
    }),
  ).rejects.toThrow('at once');
  expect(await queue.run(async () => 'yes')).toBe('yes');
});
