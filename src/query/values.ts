/**
 * Makes values of the row at hand, for both languages; tells of each its sort, its parts, and whether it leads to rows.
 */
import {
  type CollectionField,
  Field,
  type ReferenceField,
  type ResourceType,
  type ScalarField,
} from '../model/model.js';
import type { RowExpression } from '../sql.js';
import { type Aggregation, rowOfAggregate } from './aggregates.js';
import { dayFromToday, today } from './functions/date.js';
import type { FunctionRow, WrittenValue } from './functions/function-row.js';
import type {
  Chain,
  Common,
  Condition,
  CustomFieldType,
  LeadingMember,
  Literal,
  ObjectMember,
  Of,
  Operand,
  Value,
} from './meaning.js';
import type { Comparison } from './operators.js';
import { boolean, entity, integer, ofScalar, type Type, text, type Written } from './types.js';

// --- entities and their fields ---------------------------------------------------------------------------------------

export const rowOf = (resource: ResourceType): Of<'row'> => ({ kind: 'row', type: entity(resource), nullable: false });

export const fieldOf = (of: Value, operand: Operand): Of<'field'> => ({
  kind: 'field',
  of,
  operand,
  type: typeOf(operand),
  nullable: of.nullable || operand.kind === 'custom' || operand.field.isNullable || operand.field.isPrivate,
});

export const referenceOf = (of: Value, field: ReferenceField): Of<'reference'> => ({
  kind: 'reference',
  of,
  field,
  type: entity(field.target),
  nullable: true,
});

export const isReadable = (field: Field): boolean => field.kind !== 'scalar' || !field.isWriteOnly;

/** All that can be read, the resource's own first. */
export const readableFields = (resource: ResourceType): Field[] =>
  [...resource.fields, ...resource.commonKindFields].filter(isReadable);

/** The key column of a reference, as a value of the row that holds it. */
export const keyOf = (field: ReferenceField): ScalarField => ({
  ...field.target.idField,
  name: field.name,
  property: field.property,
  column: field.column,
  expression: undefined,
  isNullable: field.isNullable,
});

/** What only expressions ask of a row is no field of the model. */
export function computed(of: Value, type: Type, expression: RowExpression): Value {
  // It would pass for the Id by its name.
  const field = { ...resourceOf(of).idField, name: '', expression, column: undefined };
  return { ...fieldOf(of, { kind: 'field', field }), type, nullable: true };
}

/** Errors: of what is no entity. */
export function resourceOf({ type }: Value): ResourceType {
  if (type.kind !== 'entity') throw new Error('only an entity has a row');
  return type.resource;
}

const typeOf = (operand: Operand): Type => {
  if (operand.kind === 'field') return scalarType(operand.field);
  const { type, options = [] } = operand;
  return customTypes[type] ?? (options.length > 0 ? { kind: 'text', options } : text);
};

const scalarType = ({ scalar, choices }: ScalarField): Type =>
  scalar === 'choice' ? { kind: 'text', choices: choices ?? [] } : ({ kind: ofScalar[scalar] } as Type);

const customTypes: Partial<Record<CustomFieldType, Type>> = {
  Number: { kind: 'decimal' },
  Money: { kind: 'decimal' },
  CheckBox: { kind: 'boolean' },
  Date: { kind: 'moment' },
  Entity: { kind: 'integer' },
  URL: { kind: 'link' },
};

// --- collections -----------------------------------------------------------------------------------------------------

export const collectionOf = (owner: Value, field: CollectionField, filters: readonly Value[] = []): Chain => ({
  ...chainOf({ kind: 'field', owner, field }, entity(field.target)),
  filters,
  nullable: owner.nullable,
});

export const chainOf = (source: Chain['source'], item: Type): Chain => ({
  kind: 'chain',
  source,
  filters: [],
  order: [],
  isDistinct: false,
  type: { kind: 'collection', item },
  nullable: false,
});

type ListSource = Extract<Chain['source'], { kind: 'values' }>;

export const isOfValues = (source: Chain['source']): source is ListSource =>
  source !== 'root' && source.kind === 'values';

/** What `it` is inside the methods of a collection. */
export const itemOf = ({ projection, source, type }: Chain): Value => {
  if (projection) return projection;
  const item = { type: type.item, nullable: false };
  return isOfValues(source) ? { kind: 'element', list: source.list, ...item } : ({ kind: 'row', ...item } as Value);
};

export const isCut = ({ take, skip }: Chain): boolean => take !== undefined || skip !== undefined;

/** `value`: of an item; where items are counted there is none. What is beyond the range of doubles is null. */
export const aggregateOf = (fn: Aggregation, of: Chain, value?: Value): Of<'aggregate'> => {
  const { gives, isNullOfNone } = rowOfAggregate(fn);
  const type = value ? gives(value.type) : integer;
  const nullable = of.nullable || isNullOfNone || type.kind === 'double';
  return { kind: 'aggregate', of, function: fn, value, type, nullable };
};

// --- conditions ------------------------------------------------------------------------------------------------------

const sure = { type: boolean, nullable: false };

/** A condition is never null where it is a value. */
export const condition = <Kind extends Value['kind']>(node: { kind: Kind } & Bare<Of<Kind>>): Of<Kind> =>
  Object.assign(node as unknown as Of<Kind>, sure);

type Bare<T> = T extends Value ? Omit<T, keyof Common> : never;

export const negation = (of: Value): Of<'not'> => condition({ kind: 'not', of });

export const isNull = (of: Value): Of<'null'> => condition({ kind: 'null', of });

export const series = (kind: 'and' | 'or', parts: readonly Value[]): Condition => condition({ kind, parts });

/** What all must hold where it does. */
export const conjuncts = (of: Condition): readonly Condition[] =>
  of.kind === 'and' ? of.parts.flatMap(conjuncts) : [of];

/** The row is of one of these kinds, which one column tells apart. */
export const ofKinds = (kinds: readonly ResourceType[]): Of<'ofKind'> =>
  condition({
    kind: 'ofKind',
    column: kinds[0]!.discriminator!.column,
    values: [...new Set(kinds.flatMap(({ discriminator }) => discriminator?.values ?? []))],
  });

export type Sides = readonly [Value, Value];

export const compare = (operator: Comparison, [left, right]: Sides): Of<'compare'> =>
  condition({ kind: 'compare', operator, left, right });

export const isAskedFor = (resource: ResourceType): Condition => comparedId(resource, 'eq');

/** Those behind one, in the order of Ids. */
export const isBehind = (resource: ResourceType): Condition => comparedId(resource, 'gt');

const comparedId = (resource: ResourceType, operator: Comparison): Condition =>
  compare(operator, [fieldOf(rowOf(resource), { kind: 'field', field: resource.idField }), lateId]);

const lateId: Of<'late'> = { kind: 'late', late: 'id', type: integer, nullable: false };

// --- what is written, and what is made of values ---------------------------------------------------------------------

export const literal = (
  value: Literal['value'],
  type: Type,
  sqlType: Literal['sqlType'],
  isOption?: boolean,
  hasSigma = typeof value === 'string' && isWithSigma(value),
): Literal => ({
  kind: 'literal',
  value,
  type,
  sqlType,
  isOption,
  ...(hasSigma && { hasSigma }),
  nullable: value === null,
});

export const isWithSigma = (text: string): boolean => /[Σσς]/.test(text);

export const nothing = (): Literal => literal(null, { kind: 'null' }, 'text');

export function valueFrom(
  read: Written,
  type: Type,
  bind = (value: string | boolean): Literal['value'] => value,
): Value {
  if (!('days' in read)) {
    const hasSigma = typeof read.value === 'string' && isWithSigma(read.value);
    return literal(bind(read.value), type, read.sqlType, read.isOption, hasSigma);
  }
  return read.days === 0 ? call(today, []) : call(dayFromToday, [literal(String(read.days), integer, 'int')]);
}

export const call = (row: FunctionRow, args: readonly Value[]): Of<'call'> => ({
  kind: 'call',
  function: row,
  args,
  type: typeof row.gives === 'function' ? row.gives(args.map((arg) => arg.type)) : row.gives,
  nullable: row.nulls === 'always' || (row.nulls !== 'never' && args.some(mayReadAsNull)),
});

/** How many characters its text has at most, as far as its function tells. */
export const charactersOfCall = ({ function: row, args }: Of<'call'>): number | undefined =>
  row.characters?.(...args.map((arg) => (arg.kind === 'literal' ? (arg.value as WrittenValue) : undefined)));

/** A date may lie beyond the calendar, unless it is that of today. */
export const mayReadAsNull = (node: Value): boolean => node.nullable || (node.type.kind === 'moment' && !isToday(node));

const isToday = (node: Value): boolean => node.kind === 'call' && node.function.nulls === 'never';

export const objectWith = (members: readonly ObjectMember[]): Of<'object'> => ({
  kind: 'object',
  members,
  type: { kind: 'object' },
  nullable: false,
});

/** A member whose name is one of ours. */
export const member = (name: string, value: Value): ObjectMember => ({ name, isKnown: true, value });

export const choice = (test: Condition, yes: Value, no: Value, type = yes.type): Of<'conditional'> => ({
  kind: 'conditional',
  test,
  yes,
  no,
  type,
  nullable: yes.nullable || no.nullable,
});

// --- what values are made of -----------------------------------------------------------------------------------------

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
  leads: [LeadingMember<K>] extends [never] ? false : true;
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
