import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readingTurns } from './reading-turns.js';

const piece = Buffer.alloc(64 * 1024);

/** Requests that bring pieces as long as they are read. Gives what each brings in one turn of the loop. */
function requests(count: number) {
  const brought = Array<number>(count).fill(0);
  const all = brought.map((_, at) => {
    const request = new PassThrough({ highWaterMark: 2 ** 24 });
    for (let pieces = 0; pieces < 32; pieces += 1) request.write(piece);
    request.on('data', (chunk: Buffer) => {
      brought[at]! += chunk.length;
      readingTurns.read(request as never, chunk.length);
    });
    return request;
  });
  const take = () =>
    brought.map((bytes, at) => {
      brought[at] = 0;
      return bytes / piece.length;
    });
  return { all, take };
}

it('so much is read in a turn, whoever brings it, and all of it in the end', async () => {
  const { all, take } = requests(10);
  const sums = Array<number>(10).fill(0);
  let most = 0;
  for (let turns = 0; turns < 200; turns += 1) {
    await turn();
    const brought = take();
    most = Math.max(
      most,
      brought.reduce((one, other) => one + other),
    );
    for (const [at, pieces] of brought.entries()) sums[at]! += pieces;
  }
  expect(sums).toEqual(Array(10).fill(32));
  expect(most).toBeLessThanOrEqual(32);
  for (const request of all) request.destroy();
});
