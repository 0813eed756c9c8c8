/** The style of dates in JSON that a request asks for. */
import { badRequest } from '../errors.js';
import { isSwitchedOn, type Parameters } from '../query/parameters.js';
import type { Spelling } from '../representation/representation.js';

const styles: Readonly<Record<string, Spelling['dates'] | undefined>> = { ms: 'ms', iso: 'iso' };

export function datesOf(parameters: Parameters): Spelling['dates'] {
  const wanted = parameters.get('dateformat')?.toLowerCase();
  const style = wanted === undefined ? undefined : styles[wanted];
  if (wanted !== undefined && style === undefined)
    throw badRequest("dateformat: use 'iso' or 'ms'.", 'InvalidParameter');
  const isLocal = isSwitchedOn('isodate', parameters.get('isodate'));
  return style ?? (isLocal ? 'local' : 'ms');
}
