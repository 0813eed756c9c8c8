/** A value about the row at hand, as the same value about another entity. */
import type { Chain, Value } from '../meaning.js';
import { isOfValues, isTest, withParts } from '../values.js';

/** `check` refuses an entity that too many references lead to. */
export function replaceRow(node: Value, by: Value, check: (of: Value) => void): Value {
  const replaced = <T extends Value>(part: T): T => replaceRow(part, by, check) as T;
  if (node.kind === 'row') return by;
  // What else these hold is about rows of their own; what is asked of the values of a list is not.
  if (node.kind === 'chain' && !isOfValues(node.source)) return ofOwner(node, replaced);
  if (node.kind === 'aggregate' || node.kind === 'mapped') {
    const of = replaced(node.of);
    return of === node.of ? node : ({ ...node, of, nullable: node.nullable || of.nullable } as Value);
  }
  const changed = withParts(node, replaced);
  if (changed === node) return node;
  if (changed.kind === 'field' || changed.kind === 'reference') check(changed.of);
  return isTest(changed) || !by.nullable ? changed : { ...changed, nullable: true };
}

/** The collection that another owner has. */
export function ofOwner(chain: Chain, change: (owner: Value) => Value): Chain {
  const { source, within } = chain;
  if (source === 'root') return chain;
  const owner = change(source.owner);
  if (owner === source.owner) return chain;
  return {
    ...chain,
    source: { ...source, owner },
    within: within && ofOwner(within, change),
    nullable: chain.nullable || owner.nullable,
  };
}
