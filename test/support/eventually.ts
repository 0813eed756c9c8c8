import { setImmediate as turn } from 'node:timers/promises';

/**
 * For what may take up to a second by contract: asks again until it holds, and fails with the last reason a while
 * later.
 */
export async function eventually(holds: () => Promise<void>, milliseconds = 20_000): Promise<void> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      // What asks nobody would leave nobody a turn.
      await turn();
    }
  }
}
