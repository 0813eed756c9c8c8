/** Where the bytes of files lie: below a random key, written once and never changed. */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { FileStoreError } from '../errors.js';

export type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>;

/** The most bytes that come. It may become less while they come. */
export type AtMost = () => number;

export interface FileStore {
  /** All of it is stored and will outlast a crash, or nothing is. */
  write(key: string, bytes: Bytes, atMost?: AtMost): Promise<void>;
  /** Undefined: it is not there. At the signal it fails, and so do bytes that have not come. */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | undefined>;
  /** What is not there is removed already. */
  remove(key: string): Promise<void>;
  /** Removes what writes below this key have left that were cut off. */
  removePartial(key: string): Promise<void>;
  /** Removes what processes of this machine have left that are gone. */
  sweep?(): Promise<void>;
  /** Everything that is stored, and what writes that were cut off have left. */
  list(): AsyncIterable<StoredObject>;
}

/** A store that may be another one than that of the files of the database. */
export interface PlacedStore extends FileStore {
  /** For operators, where it is another one. */
  readonly ofAnother: string;
  has(key: string): Promise<boolean>;
  /** Takes the place as it is for that of the files of the database, though all of them are lost. */
  markPlace(): Promise<void>;
  /** Whether that was done, here or by hand. */
  isMarked(): Promise<boolean>;
}

/** Both ends are part of it. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly writtenAt: Date;
  /** A write that did not come to its end. */
  readonly isPartial: boolean;
}

/** What fails while bytes are read is a fault of the store, whatever it says. */
export async function* bytesOf(stored: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stored) yield chunk as Buffer;
  } catch (error) {
    throw new FileStoreError(error);
  }
}

export async function gathered(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const newKey = (): string => randomBytes(16).toString('hex');

/** Names that come from elsewhere, such as rows of demonstration data, lead to no file. */
export const isKey = (name: string | null): name is string => name !== null && /^[0-9a-f]{32}$/.test(name);
