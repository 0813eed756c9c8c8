/** All migrations, in order. A released one is never edited. */
import { Schema1700000000001 } from './1-schema.js';

export const migrations = [Schema1700000000001];
