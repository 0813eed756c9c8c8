import type { Bytes } from './file-store.js';

export interface Part {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * Gathers the pieces of a stream to parts of at least so many bytes; the last one may be smaller, and is empty where
 * there is nothing at all. Of each part nothing is kept.
 */
export async function* inParts(bytes: Bytes, partBytes: number): AsyncGenerator<Part> {
  const gathered: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    if (length >= partBytes) {
      yield { bytes: joined(gathered), isLast: false };
      length = 0;
    }
    gathered.push(chunk);
    length += chunk.length;
  }
  yield { bytes: joined(gathered), isLast: true };
}

/** Takes them out of the list. */
const joined = (chunks: Buffer[]): Buffer => Buffer.concat(chunks.splice(0));
