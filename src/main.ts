/** Starts the service: configuration, database, application; ends it in order on SIGINT and SIGTERM. */
import 'reflect-metadata';
import { serve } from './server/serve.js';

await serve(process.env);
