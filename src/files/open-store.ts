/** The store of files that the configuration names. */
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { DiskStore } from './disk-store.js';
import type { FileStore } from './file-store.js';

export async function openFileStore({ dataDir, s3 }: Config): Promise<FileStore> {
  if (!s3) return DiskStore.open(join(dataDir, 'files'));
  // Whoever keeps files on the disk loads none of it.
  const { openS3Store } = await import('./s3-store.js');
  return openS3Store(s3);
}
