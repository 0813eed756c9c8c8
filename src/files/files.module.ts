/** The store of files, as the configuration says: all families that keep files share it. */
import { setTimeout as pause } from 'node:timers/promises';
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
import { OwnStore } from './own-store.js';
import { Pictures } from './pictures.js';
import { anyRecordedFile, someRecordedKeys } from './recorded-files.js';
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

/** A start waits no longer until it knows whose place it is: what keeps the bytes may be away. */
const startMs = 1000;

async function askSomeKeys(pool: DatabasePool): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(someRecordedKeys);
  return rows.map(({ key }) => key);
}

@Global()
@Module({
  controllers: [FileMethodsController],
  providers: [
    {
      provide: FILE_STORE,
      inject: [CONFIG, PRIMARY_POOL],
      useFactory: async (config: Config, pool: DatabasePool) => {
        const store = await openFileStore(config, () => isFirstOf(pool));
        const own = new OwnStore(store, () => askSomeKeys(pool));
        const looking = own.look().then((place) => place === 'another' && complain(store.ofAnother));
        // What cannot be looked at now may be by the first request.
        await Promise.race([looking.catch(() => undefined), pause(startMs, undefined, { ref: false })]);
        // What it cannot do now, the next start does.
        void store.sweep?.().catch(() => undefined);
        return new BoundedStore(own, config.filesBytes, () => bytesStored(pool));
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
