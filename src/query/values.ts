/** Makes values of the row at hand, for both languages. */
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import type { RowExpression } from '../sql.js';
import { type Aggregation, rowOfAggregate } from './aggregates.js';
import { dayFromToday, today } from './functions/date.js';
import type { FunctionRow } from './functions/function-row.js';
import type { Written } from './literals.js';
import type {
  Chain,
  Common,
  Condition,
  CustomFieldType,
  Literal,
  ObjectMember,
  Of,
  Operand,
  Value,
} from './meaning.js';
import type { Comparison } from './operators.js';
import { boolean, entity, integer, ofScalar, type Type, text } from './types.js';

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

/** The key column of a reference, as a value of the row that holds it. */
export const keyOf = (field: ReferenceField): ScalarField => ({
  kind: 'scalar',
  name: field.name,
  property: field.property,
  scalar: 'id',
  column: field.column,
  isNullable: field.isNullable,
  isRequired: false,
  isSettable: false,
  isSynthetic: false,
  isWriteOnly: false,
  isPrivate: false,
  isVersion: false,
  isDeprecated: false,
  description: '',
});

/** What only expressions ask of a row is no field of the model. */
export function computed(of: Value, type: Type, expression: RowExpression): Value {
  // It would pass for the Id by its name.
  const field = { ...idFieldOf(of), name: '', expression, column: undefined };
  return { ...fieldOf(of, { kind: 'field', field }), type, nullable: true };
}

export function idFieldOf({ type }: Value): ScalarField {
  if (type.kind !== 'entity') throw new Error('only entities have an Id');
  return type.resource.idField;
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

/** What `it` is inside the methods of a collection. */
export const itemOf = ({ projection, source, type }: Chain): Value => {
  if (projection) return projection;
  const item = { type: (type as Extract<Type, { kind: 'collection' }>).item, nullable: false };
  const isValue = source !== 'root' && source.kind === 'values';
  return isValue ? { kind: 'element', list: source.list, ...item } : { kind: 'row', ...item };
};

export const isCut = ({ take, skip }: Chain): boolean => take !== undefined || skip !== undefined;

/** `value`: of an item; where items are counted there is none. */
export const aggregateOf = (fn: Aggregation, of: Chain, value?: Value): Of<'aggregate'> => {
  const { gives, isNullOfNone } = rowOfAggregate(fn);
  const type = value ? gives(value.type) : integer;
  return { kind: 'aggregate', of, function: fn, value, type, nullable: of.nullable || isNullOfNone };
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

/** The one entity that is asked for. */
export const isAskedFor = (resource: ResourceType): Condition => comparedId(resource, 'eq');

/** Those behind one, in the order of Ids. */
export const isBehind = (resource: ResourceType): Condition => comparedId(resource, 'gt');

const comparedId = (resource: ResourceType, operator: Comparison): Condition =>
  compare(operator, [fieldOf(rowOf(resource), { kind: 'field', field: resource.idField }), lateId]);

/** The id of the entity that is asked for. */
const lateId: Of<'late'> = { kind: 'late', late: 'id', type: integer, nullable: false };

// --- what is written, and what is made of values ---------------------------------------------------------------------

export const literal = (
  value: Literal['value'],
  type: Type,
  sqlType: Literal['sqlType'],
  isOption?: boolean,
): Literal => ({
  kind: 'literal',
  value,
  type,
  sqlType,
  isOption,
  nullable: value === null,
});

export const nothing = (): Literal => literal(null, { kind: 'null' }, 'text');

/** What was written, as a value. */
export function valueFrom(
  read: Written,
  type: Type,
  bind = (value: string | boolean): Literal['value'] => value,
): Value {
  if (!('days' in read)) return literal(bind(read.value), type, read.sqlType, read.isOption);
  return read.days === 0 ? call(today, []) : call(dayFromToday, [literal(String(read.days), integer, 'int')]);
}

export const call = (row: FunctionRow, args: readonly Value[]): Of<'call'> => ({
  kind: 'call',
  function: row,
  args,
  type: typeof row.gives === 'function' ? row.gives(args.map((arg) => arg.type)) : row.gives,
  nullable: row.nulls === 'always' || (row.nulls !== 'never' && args.some((arg) => arg.nullable)),
});

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
