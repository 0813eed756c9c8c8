/** What methods of collections take: expressions about an item, which `it` stands for. */
import type { Chain, Value } from '../meaning.js';
import { narrowed } from './chains.js';
import { condition } from './coerce.js';
import type { Name } from './expression.js';
import { itemOf, type Place, refuse } from './resolving.js';

export type Method = (chain: Chain, node: Name, place: Place) => Value;

export const inside = (chain: Chain, place: Place): Place => ({ ...place, it: itemOf(chain), depth: place.depth + 1 });

export const argumentOf = (chain: Chain, { args }: Name, place: Place): Value | undefined =>
  args?.[0] && place.resolve(args[0], inside(chain, place));

export function filtered(chain: Chain, node: Name, place: Place): Chain {
  const [arg] = node.args ?? [];
  if (!arg) return chain;
  return narrowed(chain, condition(place.resolve(arg, inside(chain, place)), arg, place.context), place.context);
}

/** All items that are asked for are read once, so that nothing can be asked of the distinct among them. */
export function checkPlural({ source, isDistinct }: Chain, node: Name, { context }: Place): void {
  if (source === 'root' && isDistinct) {
    throw refuse(context, node, `${node.name} cannot follow Distinct in a result over all items; write it before it`);
  }
}
