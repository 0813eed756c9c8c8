import type { Bytes } from './file-store.js';

/**
 * Gathers the pieces of a stream to parts of at least so many bytes; the last one may be smaller, and of nothing there
 * is none.
 */
export async function* inParts(bytes: Bytes, partBytes: number): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    gathered.push(chunk);
    length += chunk.length;
    if (length < partBytes) continue;
    const part = Buffer.concat(gathered);
    [gathered, length] = [[], 0];
    yield part;
  }
  if (length > 0) yield Buffer.concat(gathered);
}
