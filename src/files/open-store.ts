/** The store of files that the configuration names. */
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { DiskStore, type IsNew } from './disk-store.js';
import type { PlacedStore } from './file-store.js';

/** Without `isNew`, as for those who only read, no directory is made. */
export async function openFileStore({ dataDir, s3 }: Config, isNew: IsNew = () => false): Promise<PlacedStore> {
  if (!s3) return DiskStore.open(join(dataDir, 'files'), isNew);
  // Whoever keeps files on the disk loads none of it.
  const { openS3Store } = await import('./s3-store.js');
  return openS3Store(s3);
}
