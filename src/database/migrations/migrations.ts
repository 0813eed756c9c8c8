/** All migrations, in order. A released one is never edited. */
import { Baseline1700000000100 } from './baseline.js';

export const migrations = [Baseline1700000000100];
