/** What collections are turned into: what is left of them, whether there is anything. */

import type { Chain, Value } from '../meaning.js';
import { isComparable } from '../types.js';
import { condition, isCut, itemOf } from '../values.js';
import { displayedChain } from './display.js';
import type { Context } from './resolving.js';

export function some(chain: Chain, context: Context): Value {
  const of = chain.isDistinct && chain.skip !== undefined ? whatIsLeft(chain, context) : chain;
  return condition({ kind: 'some', of });
}

/**
 * What was left by `Take`, `Skip` or `Distinct`, as a collection of its own: everything further is asked of those items
 * only.
 */
export function whatIsLeft(chain: Chain, context: Context): Chain {
  const { type } = itemOf(chain);
  // Objects are the same when they are shown the same.
  const within = chain.isDistinct && !isComparable(type) ? displayedChain(chain, context) : chain;
  return { ...chain, within, filters: [], isDistinct: false, take: undefined, skip: undefined };
}

export const uncut = (chain: Chain, context: Context): Chain => (isCut(chain) ? whatIsLeft(chain, context) : chain);

export function narrowed(chain: Chain, filter: Value, context: Context): Chain {
  const of = uncut(chain, context);
  return { ...of, filters: [...of.filters, filter] };
}
