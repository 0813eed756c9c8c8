/** Stores one file while it comes, and tells what it turned out to be. */
import { createHash } from 'node:crypto';
import { keptName } from './file-name.js';
import { type AtMost, type Bytes, type FileStore, newKey } from './file-store.js';
import { headBytes, typeOfContent } from './file-type.js';

export interface StoredFile {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

interface Sent {
  readonly name: string;
  readonly bytes: Bytes;
  readonly atMost?: AtMost;
}

/** Takes bytes and keeps none of them. */
export const nowhere: Pick<FileStore, 'write'> = {
  write: async (_, bytes) => {
    for await (const _chunk of bytes);
  },
};

export async function storeFile(
  store: Pick<FileStore, 'write'>,
  { name, bytes, atMost }: Sent,
  key = newKey(),
): Promise<StoredFile> {
  const seen = new SeenBytes();
  await store.write(key, seen.of(bytes), atMost);
  return {
    key,
    name: keptName(name),
    type: await typeOfContent(seen.head),
    size: seen.size,
    sha256: seen.hash.digest('hex'),
  };
}

class SeenBytes {
  size = 0;
  readonly hash = createHash('sha256');
  head = Buffer.alloc(0);

  async *of(bytes: Bytes): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.size += chunk.length;
      this.hash.update(chunk);
      if (this.head.length < headBytes)
        this.head = Buffer.concat([this.head, chunk.subarray(0, headBytes - this.head.length)]);
      yield chunk;
    }
  }
}
