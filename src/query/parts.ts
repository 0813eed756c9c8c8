/** What each kind of value is: its sort, what is right inside of it, and whether it leads to rows. */
import type { Chain, Of, Value } from './meaning.js';

type Kind = Value['kind'];

/**
 * A `test` is a condition; `either` is a value, an entity or a shape, as its parts are; a `shape` is made of values and
 * is none itself.
 */
type Sort = 'single' | 'test' | 'entity' | 'either' | 'shape';

/**
 * The members that hold values, one or several; those of a chain and an object that hold them in something else are
 * told apart below.
 */
type PartName<K extends Kind> = Exclude<
  {
    [Name in keyof Of<K>]-?: NonNullable<Of<K>[Name]> extends Value | readonly Value[] ? Name : never;
  }[keyof Of<K>],
  'seen'
>;

interface KindRow<K extends Kind> {
  sort: Sort;
  parts: Record<PartName<K>, true>;
  /** Scope says which of the rows that it leads to exist for the actor. */
  leads: boolean;
}

/** Passes treat alike what is alike here, and name each kind of what they do not. */
const kinds = {
  literal: { sort: 'single', parts: {}, leads: false },
  late: { sort: 'single', parts: {}, leads: false },
  field: { sort: 'single', parts: { of: true }, leads: true },
  element: { sort: 'single', parts: {}, leads: false },
  aggregate: { sort: 'single', parts: { of: true, value: true }, leads: false },
  call: { sort: 'single', parts: { args: true }, leads: false },
  compare: { sort: 'test', parts: { left: true, right: true }, leads: false },
  null: { sort: 'test', parts: { of: true }, leads: false },
  in: { sort: 'test', parts: { of: true, values: true }, leads: false },
  contains: { sort: 'test', parts: { of: true, part: true }, leads: false },
  near: { sort: 'test', parts: { of: true }, leads: true },
  some: { sort: 'test', parts: { of: true }, leads: false },
  and: { sort: 'test', parts: { parts: true }, leads: false },
  or: { sort: 'test', parts: { parts: true }, leads: false },
  not: { sort: 'test', parts: { of: true }, leads: false },
  related: { sort: 'test', parts: { where: true }, leads: true },
  inside: { sort: 'test', parts: { where: true }, leads: true },
  deleted: { sort: 'test', parts: {}, leads: false },
  deletedBefore: { sort: 'test', parts: {}, leads: false },
  mine: { sort: 'test', parts: {}, leads: false },
  linkedToMine: { sort: 'test', parts: {}, leads: false },
  ofKind: { sort: 'test', parts: {}, leads: false },
  row: { sort: 'entity', parts: {}, leads: false },
  reference: { sort: 'entity', parts: { of: true }, leads: true },
  pointed: { sort: 'entity', parts: { of: true }, leads: true },
  cast: { sort: 'entity', parts: { of: true }, leads: false },
  me: { sort: 'entity', parts: {}, leads: false },
  chosen: { sort: 'entity', parts: { test: true, options: true }, leads: false },
  first: { sort: 'either', parts: { of: true }, leads: false },
  key: { sort: 'either', parts: {}, leads: false },
  conditional: { sort: 'either', parts: { test: true, yes: true, no: true }, leads: false },
  chain: { sort: 'shape', parts: { within: true, filters: true, projection: true }, leads: true },
  mapped: { sort: 'shape', parts: { of: true, body: true }, leads: false },
  item: { sort: 'shape', parts: { of: true }, leads: true },
  customFields: { sort: 'shape', parts: { of: true }, leads: true },
  object: { sort: 'shape', parts: {}, leads: false },
} as const satisfies { [K in Kind]: KindRow<K> };

type KindWith<Fact> = { [K in Kind]: (typeof kinds)[K] extends Fact ? K : never }[Kind];

/** Tells values of these sorts; made once, since passes ask it of every value. */
export function ofSorts<S extends Sort>(...sorts: readonly S[]): (node: Value) => node is Of<KindWith<{ sort: S }>> {
  const all = new Set(Object.entries(kinds).flatMap(([kind, { sort }]) => (sorts.includes(sort as S) ? kind : [])));
  return (node): node is Of<KindWith<{ sort: S }>> => all.has(node.kind);
}

export const isTest = ofSorts('test');

/** What scope has to say something of. */
export type Leading = KindWith<{ leads: true }>;

export const leadsToRows = (node: Value): node is Of<Leading> => kinds[node.kind].leads;

type Held = Value | readonly Value[] | undefined;

const partNames = Object.fromEntries(
  Object.entries(kinds).map(([kind, { parts }]) => [kind, Object.keys(parts)]),
) as unknown as Record<Kind, readonly string[]>;

/** What is right inside of a value. */
export function partsOf(node: Value): readonly Value[] {
  if (node.kind === 'object') return node.members.map(({ value }) => value);
  const parts: Value[] = [];
  const members = node as unknown as Record<string, Held>;
  for (const name of partNames[node.kind]) {
    const held = members[name];
    if (isList(held)) parts.push(...held);
    else if (held) parts.push(held);
  }
  if (node.kind !== 'chain') return parts;
  if (node.source !== 'root') parts.push(node.source.owner);
  for (const { by } of node.order) parts.push(by);
  return parts;
}

const isList = (held: Held): held is readonly Value[] => Array.isArray(held);

type Change = <T extends Value>(part: T) => T;

/** The same with each of its parts changed; itself where none is. */
export function withParts<T extends Value>(node: T, change: Change): T;
export function withParts(node: Value, change: Change): Value {
  if (node.kind === 'object')
    return { ...node, members: node.members.map((member) => ({ ...member, value: change(member.value) })) };
  const members = node as unknown as Record<string, Held>;
  let changed: Record<string, unknown> | undefined;
  for (const name of partNames[node.kind]) {
    const held = members[name];
    if (!held) continue;
    const now = isList(held) ? changedList(held, change) : change(held);
    if (now === held) continue;
    changed ??= { ...node };
    changed[name] = now;
  }
  const one = (changed ?? node) as Value;
  return one.kind === 'chain' ? withItems(one, change) : one;
}

/** Of a chain what holds values in something else. */
function withItems(chain: Chain, change: Change): Chain {
  const { source, order } = chain;
  const owner = source === 'root' ? undefined : change(source.owner);
  if (order.length === 0 && (source === 'root' || owner === source.owner)) return chain;
  return {
    ...chain,
    source: source === 'root' ? source : { ...source, owner: owner! },
    order: order.map((one) => ({ ...one, by: change(one.by) })),
  };
}

function changedList(parts: readonly Value[], change: Change): readonly Value[] {
  const now = parts.map(change);
  return now.every((part, at) => part === parts[at]) ? parts : now;
}

/** Whether a number over all items that are asked for is part of it. */
export const isOverAll = (node: Value): boolean =>
  ((node.kind === 'aggregate' || node.kind === 'some') && node.of.source === 'root') || partsOf(node).some(isOverAll);
