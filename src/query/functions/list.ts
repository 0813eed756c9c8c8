/** Texts that hold several values between commas: `SafeConvert.ToIntArray('1,2,3')`. What is no such value is null. */

import { conversions } from './conversion.js';
import type { FunctionRow } from './function-row.js';

/** Of each conversion that may fail, the one of every value of a text. */
const ofValues = new Map<FunctionRow, FunctionRow>(
  conversions
    .filter(({ on }) => on === 'SafeConvert')
    .map((row) => [{ ...row, name: `${row.name}Array`, takes: ['text'] }, row]),
);

export const listFunctions: readonly FunctionRow[] = [...ofValues.keys()];

export const isList = (row: FunctionRow): boolean => ofValues.has(row);

/** How one of the values is converted. */
export const ofValue = (row: FunctionRow): FunctionRow => ofValues.get(row)!;
