/** What something that is kept takes of the memory of the process, at most. */
import { Bound } from '../../bound.js';

/** Texts with letters beyond Latin-1 take two bytes a character. */
const textBytes = (text: string): number => 32 + 2 * text.length;

/** Of an object that refers to none of the model. */
export function bytesOf(of: unknown): number {
  if (typeof of === 'string') return textBytes(of);
  if (of instanceof Bound) return wordBytes * (1 + of.places.length);
  if (typeof of !== 'object' || of === null) return 16;
  return Object.values(of).reduce<number>((sum, part) => sum + bytesOf(part), 64);
}

/** A value that is read from a word of a filter, with the functions that read it. */
const wordBytes = 512;
