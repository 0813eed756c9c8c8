/** What is right inside of a value. */
import type { Value } from './meaning.js';

export function partsOf(node: Value): readonly Value[] {
  switch (node.kind) {
    case 'literal':
    case 'late':
    case 'row':
    case 'me':
    case 'element':
    case 'key':
    case 'deleted':
    case 'deletedBefore':
    case 'mine':
    case 'linkedToMine':
    case 'ofKind':
      return [];
    case 'related':
    case 'inside':
      return node.where;
    case 'chain':
      return [
        ...(node.source === 'root' ? [] : [node.source.owner]),
        ...(node.within ? [node.within] : []),
        ...node.filters,
        ...node.order.map(({ by }) => by),
        ...(node.projection ? [node.projection] : []),
      ];
    case 'aggregate':
      return node.value ? [node.of, node.value] : [node.of];
    case 'mapped':
      return [node.of, node.body];
    case 'object':
      return node.members.map(({ value }) => value);
    case 'compare':
      return [node.left, node.right];
    case 'in':
      return [node.of, ...node.values];
    case 'contains':
      return [node.of, node.part];
    case 'and':
    case 'or':
      return node.parts;
    case 'conditional':
      return [node.test, node.yes, node.no];
    case 'chosen':
      return [...(node.test ? [node.test] : []), ...node.options];
    case 'call':
      return node.args;
    case 'field':
    case 'reference':
    case 'pointed':
    case 'cast':
    case 'some':
    case 'first':
    case 'item':
    case 'customFields':
    case 'null':
    case 'near':
    case 'not':
      return [node.of];
  }
}

/** Whether a number over all items that are asked for is part of it. */
export const isOverAll = (node: Value): boolean =>
  ((node.kind === 'aggregate' || node.kind === 'some') && node.of.source === 'root') || partsOf(node).some(isOverAll);
