/**
 * What is shown of an expression whose value is an entity, or a list of them, and that was not asked for anything of
 * it.
 */
import type { ResourceType } from '../../model/model.js';
import type { Chain, Page, Plan, Value } from '../meaning.js';
import { resolveSelection, shortForm } from '../v1/resolve-selection.js';
import { itemOf, objectWith, ofSorts } from '../values.js';
import { displayedPointer } from './resolve-pointed.js';
import type { Context } from './resolving.js';

const isValue = ofSorts('single', 'test');

/** Inner collections have no pages here; what a Plan asks for is never used. */
const noPage: Page = { take: 0, skip: 0 };

export function displayed(node: Value, context: Context): Value {
  if (isValue(node)) return node;
  switch (node.kind) {
    case 'chain':
      return displayedChain(node, context);
    case 'first': {
      const of = displayedChain(node.of, context);
      return { ...node, of, type: { kind: 'object' } };
    }
    case 'mapped':
      return { ...node, body: displayed(node.body, context) };
    case 'object':
      return objectWith(node.members.map((member) => ({ ...member, value: displayed(member.value, context) })));
    case 'conditional':
      return node.type.kind === 'object'
        ? { ...node, yes: displayed(node.yes, context), no: displayed(node.no, context) }
        : node;
    case 'pointed':
      return displayedPointer(node, context);
    case 'row':
    case 'reference':
    case 'cast':
    case 'me':
    case 'chosen':
      return item(node, context);
    case 'key':
      return node.type.kind === 'entity' ? item(node, context) : node;
    case 'item':
    case 'customFields':
      return node;
  }
}

export function displayedChain(chain: Chain, context: Context): Chain {
  const isListed = !chain.projection && itemOf(chain).type.kind === 'entity';
  return { ...chain, projection: displayed(itemOf(chain), context), isListed };
}

const item = (of: Value, context: Context): Value =>
  itemWith(of, (resource) => shortForm(resource, context.catalogue, noPage));

/** The fields that an item shows when nothing is selected. */
export const wholeItem = (of: Value, { catalogue }: Pick<Context, 'catalogue'>): Value =>
  itemWith(of, (resource) => resolveSelection({ append: [] }, { resource, catalogue, inner: noPage }));

function itemWith(of: Value, planOf: (resource: ResourceType) => Plan): Value {
  if (of.type.kind !== 'entity') throw new Error('only an entity is shown as an item');
  return { kind: 'item', of, plan: planOf(of.type.resource), type: { kind: 'object' }, nullable: of.nullable };
}
