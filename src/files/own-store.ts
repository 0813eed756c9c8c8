/**
 * Keeps the files of a database from a store that is not theirs, such as the bucket or the volume of another
 * installation: nothing is written to it, and what is missing there is not called lost.
 */
import { FileStoreError } from '../errors.js';
import type { AtMost, ByteRange, Bytes, FileStore, PlacedStore } from './file-store.js';

/** Some keys that the database has now. */
export type AskKeys = () => Promise<readonly string[]>;

/** Whose place it is; `free` where the database has no file yet. */
export type Place = 'own' | 'free' | 'another';

/** It is another one where it has none of the keys. */
export async function placeOf(store: PlacedStore, askKeys: AskKeys): Promise<Place> {
  const place = await lookAt(store, askKeys);
  // Those that there were may have been deleted meanwhile.
  return place === 'another' ? lookAt(store, askKeys) : place;
}

async function lookAt(store: PlacedStore, askKeys: AskKeys): Promise<Place> {
  const keys = await askKeys();
  if (keys.length === 0) return 'free';
  return (await hasAny(store, keys)) || (await store.isMarked()) ? 'own' : 'another';
}

/** One, two, four of them at once: most times the first is there. */
async function hasAny(store: PlacedStore, keys: readonly string[]): Promise<boolean> {
  for (let at = 0; at < keys.length; at = 2 * at + 1) {
    const next = await Promise.all(keys.slice(at, 2 * at + 1).map((key) => store.has(key)));
    if (next.includes(true)) return true;
  }
  return false;
}

export class OwnStore implements FileStore {
  private isOwn = false;
  private looking: Promise<Place> | undefined;

  constructor(
    private readonly store: PlacedStore,
    private readonly askKeys: AskKeys,
  ) {}

  /** Those who ask at once have one answer. */
  look(): Promise<Place> {
    this.looking ??= placeOf(this.store, this.askKeys)
      .then((place) => {
        if (place === 'own') this.isOwn = true;
        return place;
      })
      .finally(() => {
        this.looking = undefined;
      });
    return this.looking;
  }

  async write(key: string, bytes: Bytes, atMost?: AtMost): Promise<void> {
    if (!this.isOwn) await this.mustBeOwn();
    await this.store.write(key, bytes, atMost);
    // Where there was none, this is the first.
    this.isOwn = true;
  }

  async read(key: string, range?: ByteRange, signal?: AbortSignal) {
    const bytes = await this.store.read(key, range, signal);
    if (bytes === undefined) await this.mustBeOwn();
    return bytes;
  }

  remove(key: string): Promise<void> {
    return this.store.remove(key);
  }

  removePartial(key: string): Promise<void> {
    return this.store.removePartial(key);
  }

  list() {
    return this.store.list();
  }

  /** Errors: FileStoreError. */
  private async mustBeOwn(): Promise<void> {
    if ((await this.look()) !== 'another') return;
    throw new FileStoreError(new Error('the store has none of the files of the database'));
  }
}
