/**
 * When two values are one: to groups and to `Distinct` as to `=`, texts are the same without regard to case. Of the spellings of
 * one value the first in order is shown. Objects are compared as they are shown, in JSON.
 */
import { type Sql, sql } from '../../sql.js';
import { folded, unicode } from '../compile-text.js';
import { isFreeText, type Type } from './types.js';

/** Its values may be the same and look different. */
export const hasSpellings = (type: Type): boolean => isFreeText(type) || type.kind === 'object';

/** Equal for values that are the same. */
export const sameSql = (value: Sql, type: Type): Sql => (hasSpellings(type) ? folded(value) : value);

/** The value of a group whose rows have the same one. */
export const sameSpelled = (value: Sql, type: Type): Sql => (hasSpellings(type) ? sql`min(${unicode(value)})` : value);
