/** What is shown of an expression whose value is an entity, or a list of them, and that was not asked for anything of it. */

import type { Chain, Of, Page, Value } from '../meaning.js';
import { resolveSelection, shortForm } from '../v1/resolve-selection.js';
import { itemOf } from '../values.js';
import { object } from './nodes.js';
import { displayedPointer } from './resolve-pointed.js';
import { type Context, made } from './resolving.js';

/** Inner collections have no pages here; what a Plan asks for is never used. */
const noPage: Page = { take: 0, skip: 0 };

export function displayed(node: Value, context: Context): Value {
  switch (node.kind) {
    case 'chain':
      return displayedChain(node, context);
    case 'first': {
      const of = displayedChain(node.of, context);
      return made({ ...node, of, type: { kind: 'object' } }, context);
    }
    case 'mapped':
      return made({ ...node, body: displayed(node.body, context) }, context);
    case 'object': {
      const members = node.members.map((member) => ({ ...member, value: displayed(member.value, context) }));
      return object(members, { at: 0 }, context);
    }
    case 'conditional':
      return node.type.kind === 'object' ? displayedChoice(node, context) : node;
    case 'pointed':
      return displayedPointer(node, context);
    default:
      return node.type.kind === 'entity' ? item(node, context) : node;
  }
}

function displayedChoice(node: Of<'conditional'>, context: Context): Value {
  const [yes, no] = [displayed(node.yes, context), displayed(node.no, context)];
  return made({ ...node, yes, no }, context);
}

export function displayedChain(chain: Chain, context: Context): Chain {
  const isListed = !chain.projection && itemOf(chain).type.kind === 'entity';
  return made({ ...chain, projection: displayed(itemOf(chain), context), isListed }, context);
}

function item(of: Value, context: Context): Value {
  if (of.type.kind !== 'entity') throw new Error('only an entity is shown as an item');
  const plan = shortForm(of.type.resource, context.catalogue, noPage);
  return made({ kind: 'item', of, plan, type: { kind: 'object' }, nullable: of.nullable }, context);
}

/** The fields that an item shows when nothing is selected. */
export function wholeItem(of: Value, context: Context): Value {
  if (of.type.kind !== 'entity') throw new Error('only an entity is shown as an item');
  const plan = resolveSelection(
    { append: [] },
    { resource: of.type.resource, catalogue: context.catalogue, inner: noPage },
  );
  return made({ kind: 'item', of, plan, type: { kind: 'object' }, nullable: of.nullable }, context);
}
