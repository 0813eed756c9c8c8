/**
 * For TypeORM's own command line: the data source of the database that the service uses, of `DATABASE_URL` or the
 * embedded one that runs in `DATA_DIR`.
 */
import 'reflect-metadata';
import { loadConfig } from './src/config/config.js';
import { createDataSource } from './src/database/data-source.js';
import { runningEmbedded } from './src/database/embedded/running.js';
import { entities } from './src/modules/entities.js';

const { migrateDatabaseUrl, databaseUrl, dataDir, timeZone } = loadConfig(process.env);
const url = migrateDatabaseUrl ?? databaseUrl ?? (await runningEmbedded(dataDir));
if (url === undefined) throw new Error(`No database runs in ${dataDir}: start the service, or set DATABASE_URL.`);

export default createDataSource(url, { timeZone, entities });
