/**
 * For TypeORM's own command line: the data source of `DATABASE_URL`. The service itself builds its own from
 * `src/config/config.ts`.
 */
import 'reflect-metadata';
import { createDataSource } from './src/database/data-source.js';

export default createDataSource(process.env.DATABASE_URL ?? 'postgres://localhost/worktrack', {
  timeZone: process.env.TIME_ZONE ?? 'UTC',
});
