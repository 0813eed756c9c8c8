/**
 * Narrows a typed expression to what the actor may see: what each reference, collection, cast, pointer and count in it leads
 * to. One pass over the whole tree; nothing that it has not been through is compiled.
 */
import type { ActorShape } from '../../actor.js';
import { type Value } from '../meaning.js';
import { partsOf } from '../parts.js';
import { scopeItems, scopeOperand, seenBy } from '../scope.js';
import { referable, sees, visible, visibleItems } from '../visible.js';

export function scopeExpression(node: Value, shape: ActorShape, done = new Set<Value>()): void {
  // What `it` stood for may be in several places.
  if (done.has(node)) return;
  done.add(node);
  narrow(node, shape);
  for (const part of partsOf(node)) scopeExpression(part, shape, done);
}

function narrow(node: Value, shape: ActorShape): void {
  switch (node.kind) {
    case 'reference':
      node.seen = referable(node.field, shape);
      break;
    case 'pointed':
      node.operand = scopeOperand(node.operand, shape) as typeof node.operand;
      // People are remembered, even when they are deleted.
      node.seen = node.resource.settings.remembered ? sees(node.resource, shape) : visible(node.resource, shape);
      break;
    case 'near':
      node.seen = visible(node.resource, shape);
      break;
    case 'me':
      node.seen = [];
      break;
    case 'chain':
      node.seen = node.source === 'root' || node.source.kind === 'values' ? [] : visibleItems(node.source.field, shape);
      break;
    case 'field':
      node.operand = scopeOperand(node.operand, shape);
      break;
    case 'item':
      node.shown = scopeItems(node.plan, shape);
      break;
    case 'customFields':
      node.groups = node.groups.map((group) => ({
        ...group,
        fields: group.fields.map((field) => (field.target ? { ...field, target: seenBy(shape, field.target) } : field)),
      }));
      break;
  }
}
