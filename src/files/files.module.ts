/** The store of files, as the configuration says: all families that keep files share it. */
import { Global, Module } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import type { DatabasePool } from '../database/pool.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { SENT_FILES } from '../http/sent-files.token.js';
import { complain } from '../server/standard-error.js';
import { BoundedStore, bytesOfFiles } from './bounded-store.js';
import { Downloads } from './downloads.js';
import { FileMethodsController } from './file-methods.controller.js';
import { FileRemovals } from './file-removals.js';
import { FILE_STORE } from './file-store.token.js';
import { Forms } from './forms.js';
import { NewFiles } from './new-files.js';
import { openFileStore } from './open-store.js';
import { Pictures } from './pictures.js';
import { anyRecordedFile } from './recorded-files.js';
import { SentFiles } from './sent-files.js';

async function bytesStored(pool: DatabasePool): Promise<number> {
  const { rows } = await pool.query<{ sum: string }>(bytesOfFiles);
  return Number(rows[0]!.sum);
}

/** Whether no file was ever stored, as far as the database tells. */
async function isFirstOf(pool: DatabasePool): Promise<boolean> {
  const { rows } = await pool.query(anyRecordedFile);
  return rows.length === 0;
}

const filesAway =
  'DATA_DIR/files is missing or empty, and the database has files: until its volume is there, uploads and downloads are 503. If the files are lost for good, make the folder DATA_DIR/files/00.';

@Global()
@Module({
  controllers: [FileMethodsController],
  providers: [
    {
      provide: FILE_STORE,
      inject: [CONFIG, PRIMARY_POOL],
      useFactory: async (config: Config, pool: DatabasePool) => {
        const store = await openFileStore(config, () => isFirstOf(pool));
        // What cannot be read now may be by the first request.
        if (await store.isAway?.().catch(() => false)) complain(filesAway);
        // What it cannot do now, the next start does.
        void store.sweep?.().catch(() => undefined);
        return new BoundedStore(store, config.filesBytes, () => bytesStored(pool));
      },
    },
    { provide: BoundedStore, useExisting: FILE_STORE },
    Downloads,
    FileRemovals,
    Forms,
    NewFiles,
    Pictures,
    SentFiles,
    { provide: SENT_FILES, useExisting: SentFiles },
  ],
  exports: [BoundedStore, FILE_STORE, Downloads, FileRemovals, Forms, NewFiles, Pictures, SENT_FILES],
})
export class FilesModule {}
