/** Numbers that look random and are the same for the same seed. */

/** A whole number from 0 up to but not including the number of sides. */
export type Dice = (sides: number) => number;

export function diceOf(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}

export const pick = <T>(dice: Dice, items: readonly T[]): T => items[dice(items.length)]!;

export const chance = (dice: Dice, percent: number): boolean => dice(100) < percent;
