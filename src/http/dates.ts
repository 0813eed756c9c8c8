/** The style of dates in JSON that a request asks for. */
import { badRequest } from '../errors.js';
import { isSwitchedOn, type Parameters } from '../query/parameters.js';
import type { Spelling } from '../representation/representation.js';

export function datesOf(parameters: Parameters): Spelling['dates'] {
  const wanted = parameters.get('dateformat')?.toLowerCase();
  const isLocal = isSwitchedOn('isodate', parameters.get('isodate'));
  if (wanted === undefined) return isLocal ? 'local' : 'ms';
  if (wanted === 'iso' || wanted === 'ms') return wanted;
  throw badRequest("dateformat: use 'iso' or 'ms'.", 'InvalidParameter');
}
