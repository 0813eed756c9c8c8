/** Texts that are read to be sent on: a long one stays the bytes that it came as. */
import { PooledBytes } from './pooled-bytes.js';

export type Text = string | PooledBytes;

export const textOf = (text: Text): string => text.toString();

/** The same text, whose bytes are given back: nobody else is going to read them. */
export function takeText(text: Text): string {
  const taken = textOf(text);
  release(text);
  return taken;
}

/** Nobody is going to read it, or nobody any more. */
export function release(text: Text): void {
  if (typeof text !== 'string') text.release();
}

export const bytesOf = (text: Text): number => (typeof text === 'string' ? Buffer.byteLength(text) : text.length);

/** The bytes in order, none of them to be kept. */
export const viewsOf = (text: Text): Iterable<string | Buffer> => (typeof text === 'string' ? [text] : text.views());
