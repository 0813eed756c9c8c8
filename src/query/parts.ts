/** What sort of value each kind is, and what is right inside of it. */
import type { Of, Value } from './meaning.js';

/** A `test` is a condition; `either` is a value, an entity or a shape, as its parts are; a `shape` is made of values and is none itself. */
type Sort = 'single' | 'test' | 'entity' | 'either' | 'shape';

/** Passes treat alike what is alike, and name each kind of what they do not. */
const sorts = {
  literal: 'single',
  late: 'single',
  field: 'single',
  element: 'single',
  aggregate: 'single',
  call: 'single',
  compare: 'test',
  null: 'test',
  in: 'test',
  contains: 'test',
  near: 'test',
  some: 'test',
  and: 'test',
  or: 'test',
  not: 'test',
  related: 'test',
  inside: 'test',
  deleted: 'test',
  deletedBefore: 'test',
  mine: 'test',
  linkedToMine: 'test',
  ofKind: 'test',
  row: 'entity',
  reference: 'entity',
  pointed: 'entity',
  cast: 'entity',
  me: 'entity',
  chosen: 'entity',
  first: 'either',
  key: 'either',
  conditional: 'either',
  chain: 'shape',
  mapped: 'shape',
  item: 'shape',
  customFields: 'shape',
  object: 'shape',
} as const satisfies Record<Value['kind'], Sort>;

type OfSort<S extends Sort> = Of<
  { [Kind in Value['kind']]: (typeof sorts)[Kind] extends S ? Kind : never }[Value['kind']]
>;

export const isOf = <S extends Sort>(node: Value, ...which: readonly S[]): node is OfSort<S> =>
  (which as readonly Sort[]).includes(sorts[node.kind]);

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
