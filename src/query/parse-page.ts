/** Turns `take` and `skip` into a Page, refusing anything but whole numbers of 0 or more. */
import { notWholeNumber } from '../errors.js';
import { limits } from './limits.js';
import type { Page } from './meaning.js';

export interface PageTexts {
  take?: string;
  skip?: string;
}

/** `names` are the parameters' names in messages: `innerTake` and `innerSkip` are read by the same rules. */
export function parsePage({ take, skip }: PageTexts, names = { take: 'take', skip: 'skip' }): Page {
  return {
    take: take === undefined ? limits.defaultTake : Math.min(wholeNumber(names.take, take), limits.take),
    skip: skip === undefined ? 0 : exact(names.skip, skip),
  };
}

function wholeNumber(parameter: string, input: string): number {
  const digits = input.trim();
  if (!/^[0-9]+$/.test(digits)) throw notWholeNumber(parameter, input);
  return Number(digits);
}

/** A skip is never rounded: what a number cannot hold exactly is refused (PostgreSQL's bigint could hold little more). */
function exact(parameter: string, input: string): number {
  const number = wholeNumber(parameter, input);
  if (!Number.isSafeInteger(number)) throw notWholeNumber(parameter, input);
  return number;
}
