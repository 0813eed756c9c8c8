/**
 * What a value is turned into where another is meant: a literal into what it says, a number into a wider one, a
 * collection into what is left of it, an entity into its fields, and what is not asked for anything into what is shown
 * of it.
 */

import type { Field, ResourceType } from '../../model/model.js';
import { sql } from '../../sql.js';
import { storedIn } from '../compile/stored-value.js';
import { coalesce, textOf, widened } from '../functions/conversion.js';
import { limits } from '../limits.js';
import type { Chain, Literal, Of, Page, Plan, Value } from '../meaning.js';
import {
  boolean,
  decimal,
  double,
  integer,
  isComparable,
  isNumber,
  isScalar,
  moment,
  type Type,
  text,
  typeName,
  wider,
  written,
} from '../types.js';
import { resolveSelection, shortForm } from '../v1/resolve-selection.js';
import {
  call,
  choice,
  collectionOf,
  computed,
  condition,
  fieldOf,
  isCut,
  isNull,
  isReadable,
  itemOf,
  literal,
  member,
  negation,
  nothing,
  objectWith,
  ofSorts,
  referenceOf,
  resourceOf,
  valueFrom,
} from '../values.js';
import type { Expression, Name } from './expression.js';
import { type Context, type Place, refuse } from './resolving.js';

/** The value as the type that is asked for; undefined when it is none and cannot become one. */
export function fitted(node: Value, to: Type, at: Pick<Expression, 'at'>, context: Context): Value | undefined {
  const from = node.type;
  if (from.kind === 'null') return literal(null, to, 'text');
  if (node.kind === 'literal') {
    const converted = literalAs(node, to, at, context);
    if (converted) return converted;
  }
  if (from.kind === to.kind) return node;
  if (isNumber(from) && isNumber(to)) {
    return wider(from, to).kind === to.kind ? call(widened(to), [node]) : undefined;
  }
  return undefined;
}

export function asText(node: Value, at: Pick<Expression, 'at'>, context: Context): Value {
  if (node.type.kind === 'text') return asAnyText(node);
  if (node.type.kind === 'null') return literal(null, text, 'text');
  if (!['integer', 'decimal', 'double', 'boolean', 'moment', 'span'].includes(node.type.kind)) {
    throw refuse(context, at, `'${typeName(node.type)}' has no text; take a member of it`);
  }
  return call(textOf(node.type), [node]);
}

/** A choice of an enumeration as a text like any other. */
export const asAnyText = (node: Value): Value =>
  node.type.kind === 'text' && node.type.choices ? ({ ...node, type: text } as Value) : node;

/** Whether a condition holds: unknown is not so. */
export function asCondition(node: Value, at: Pick<Expression, 'at'>, context: Context, hint = ''): Value {
  if (node.type.kind === 'null') return literal(false, boolean, 'boolean');
  if (node.type.kind === 'collection' && node.kind === 'chain') {
    return some(node, context);
  }
  const fit = fitted(node, boolean, at, context);
  if (!fit) throw refuse(context, at, `A condition is expected here, found '${typeName(node.type)}'${hint}`);
  return fit;
}

/** One of two values: the type that both have. */
export function unified(
  [one, other]: readonly [Value, Value],
  at: Pick<Expression, 'at'>,
  context: Context,
): [Value, Value] {
  const sides = [asFraction(one, other.type, context), asFraction(other, one.type, context)] as const;
  const type = commonType(...sides);
  const [left, right] = sides.map((side) => type && fitted(side, type, at, context));
  if (left && right) return [left, right];
  throw refuse(context, at, `'${typeName(one.type)}' and '${typeName(other.type)}' are of different types`);
}

function commonType(one: Value, other: Value): Type | undefined {
  if (one.type.kind === 'null') return other.type;
  if (other.type.kind === 'null') return one.type;
  if (isNumber(one.type) && isNumber(other.type)) return wider(one.type, other.type);
  // Of an enumeration and a text the wider is any text.
  if (one.type.kind === 'text' && other.type.kind === 'text') return text;
  return one.kind === 'literal' ? other.type : one.type;
}

function literalAs(node: Literal, to: Type, at: Pick<Expression, 'at'>, context: Context): Value | undefined {
  const { value } = node;
  if (typeof value === 'boolean') return to.kind === 'boolean' ? node : undefined;
  if (typeof value !== 'string') return undefined;
  if (node.type.kind === 'text') return textAs(value, to, at, context);
  if (!isNumber(node.type)) return undefined;
  if (to.kind === 'decimal') return literal(value, decimal, 'numeric');
  if (to.kind === 'double') return literal(value, double, 'double precision');
  return to.kind === 'integer' && node.type.kind === 'integer' ? node : undefined;
}

function textAs(input: string, to: Type, at: Pick<Expression, 'at'>, context: Context): Value | undefined {
  if (to.kind === 'link') return undefined;
  const read = written(input, to, context.catalogue.timeZone);
  if (read) return valueFrom(read, to);
  if (to.kind === 'text' && to.choices)
    throw refuse(context, at, `'${input.slice(0, 80)}' is not one of ${to.choices.join(', ')}`);
  return undefined;
}

/** A written text beside a whole number is another number, if it is one. */
export function asFraction(node: Value, other: Type, { catalogue }: Context): Value {
  const isText = node.kind === 'literal' && node.type.kind === 'text' && typeof node.value === 'string';
  if (!isText || other.kind !== 'integer' || written(node.value as string, integer, catalogue.timeZone)) return node;
  const number = written(node.value as string, decimal, catalogue.timeZone);
  return number ? valueFrom(number, decimal) : node;
}

export function momentOf(input: string, context: Context): Value | undefined {
  const read = written(input, moment, context.catalogue.timeZone);
  return read && valueFrom(read, moment);
}

export function checkScalar(values: readonly Value[], at: Pick<Expression, 'at'>, context: Context): void {
  const other = values.find(({ type }) => !isScalar(type));
  if (other)
    throw refuse(
      context,
      at,
      other.type.kind === 'link'
        ? 'An address can be shown and compared with null, and nothing else'
        : `A value is expected here, found '${typeName(other.type)}'; take a member of it`,
    );
}

export const resolveCondition = (expression: Expression, place: Place): Value =>
  asCondition(place.resolve(expression, place), expression, place);

// --- collections: what is left of them, whether there is anything ----------------------------------------------------

export function some(chain: Chain, context: Context): Value {
  const of = chain.isDistinct && chain.skip !== undefined ? whatIsLeft(chain, context) : chain;
  return condition({ kind: 'some', of });
}

/**
 * What was left by `Take`, `Skip` or `Distinct`, as a collection of its own: everything further is asked of those items
 * only.
 */
export function whatIsLeft(chain: Chain, context: Context): Chain {
  const { type } = itemOf(chain);
  // Objects are the same when they are shown the same.
  const within = chain.isDistinct && !isComparable(type) ? displayedChain(chain, context) : chain;
  return { ...chain, within, filters: [], isDistinct: false, take: undefined, skip: undefined };
}

export const uncut = (chain: Chain, context: Context): Chain => (isCut(chain) ? whatIsLeft(chain, context) : chain);

export function narrowed(chain: Chain, filter: Value, context: Context): Chain {
  const of = uncut(chain, context);
  return { ...of, filters: [...of.filters, filter] };
}

// --- entities: their fields and their ids ----------------------------------------------------------------------------

const isNoEntity = ofSorts('single', 'test', 'shape');

export function ofField(of: Value, field: Field, place: Context & Pick<Place, 'depth'>, node: Name): Value {
  checkNames(of, node, place);
  switch (field.kind) {
    case 'scalar':
      return fieldOf(of, { kind: 'field', field });
    case 'reference':
      return referenceOf(of, field);
    case 'collection':
      if (place.depth >= limits.depth)
        throw refuse(place, node, `Collections lie in one another more than ${limits.depth} deep`, 'TooMuch');
      return collectionOf(of, field);
  }
}

export function checkNames(of: Value, at: Pick<Expression, 'at'>, context: Context): void {
  if (namesBefore(of) >= limits.depth)
    throw refuse(context, at, `Names lead through one another more than ${limits.depth} deep`, 'TooMuch');
}

/** How many references lead to an entity, each of which is a table. */
function namesBefore(of: Value): number {
  if (isNoEntity(of)) return 0;
  switch (of.kind) {
    case 'reference':
      return namesBefore(of.of) + 1;
    case 'cast':
    case 'pointed':
      return namesBefore(of.of);
    case 'chosen':
      return Math.max(...of.options.map(namesBefore));
    case 'first':
      return of.of.source !== 'root' && of.of.source.kind === 'field' ? namesBefore(of.of.source.owner) + 1 : 0;
    case 'row':
    case 'me':
    case 'key':
    case 'conditional':
      return 0;
  }
}

/** Of the entity in a custom field, whatever it is: items and people may have the same id. */
export const idOf = (of: Value): Value => (of.kind === 'pointed' ? fieldOf(of.of, of.operand) : rowId(of));

export const rowId = (of: Value): Value =>
  of.kind === 'me' ? of : fieldOf(of, { kind: 'field', field: resourceOf(of).idField });

// --- the entity in a custom field: it may be an item or a person, which share an id and a name -----------------------

type Pointed = Of<'pointed'>;

/** The same, as far as it is a person. */
export function personOf(of: Pointed, { model }: Context): Pointed {
  const resource = model.person;
  return { ...of, resource, type: { kind: 'entity', resource } };
}

/** Undefined: what every item has. */
export function pointedMember(of: Pointed, node: Name, place: Place): Value | undefined {
  const person = personOf(of, place);
  if (of.resource === person.resource) return undefined;
  switch (node.name.toLowerCase()) {
    case 'id':
      return idOf(of);
    case 'name':
      return nameOf(of, node, place);
    case 'resourcetype':
      return kindOf(of);
  }
  if (of.resource.field(node.name)) return undefined;
  const field = person.resource.field(node.name);
  return field && isReadable(field) ? ofField(person, field, place, node) : undefined;
}

export function nameOf(of: Pointed, node: Name, place: Context & Pick<Place, 'depth'>): Value {
  const person = personOf(of, place);
  const [item, people] = [of.resource.field('Name'), person.resource.field('FullName')];
  if (!item || !people) throw new Error('items have names, and so have people');
  return call({ ...coalesce, name: 'name' }, [ofField(of, item, place, node), ofField(person, people, place, node)]);
}

/** What is stored tells the kind also of what the actor may not see, whose id reads as nothing. */
function kindOf(of: Pointed): Value {
  const kind = computed(of.of, text, (column) => sql`(${storedIn(column(of.operand.column), of.operand)} ->> 'Kind')`);
  const isSeen = negation(isNull(idOf(of)));
  return choice(isSeen, kind, nullOf(kind));
}

/** `{resourceType, id, name}`, and nothing where there is none. `change`: what stands for each of them. */
export function displayedPointer(of: Pointed, context: Context, change = (one: Value): Value => one): Value {
  const name = nameOf(of, { kind: 'name', name: 'Name', at: 0 }, { ...context, depth: 0 });
  const id = change(idOf(of));
  const members = [member('resourceType', change(kindOf(of))), member('id', id), member('name', change(name))];
  return unlessMissing(id, { ...objectWith(members), label: 'name' });
}

/** What is shown of an entity, and nothing where there is none. */
export const unlessMissing = (of: Value, shown: Value): Value => choice(negation(isNull(of)), shown, nullOf(shown));

const nullOf = ({ type }: Value): Value => (isScalar(type) ? literal(null, type, 'text') : nothing());

/** What would be something whatever it is asked of; of the entity in a custom field only where that is an item. */
export const ofWhatIsThere = (of: Value, shown: Value): Value =>
  of.nullable ? unlessMissing(of.kind === 'pointed' ? rowId(of) : of, shown) : shown;

// --- what is shown of an entity, or a list of them, that was not asked for anything of it ----------------------------

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

function displayedChain(chain: Chain, context: Context): Chain {
  const isListed = !chain.projection && itemOf(chain).type.kind === 'entity';
  const projection = isListed ? item(itemOf(chain), context, true) : displayed(itemOf(chain), context);
  return { ...chain, projection, isListed };
}

const item = (of: Value, context: Context, isListed = false): Value =>
  itemWith(of, (resource) => shortForm(resource, context.catalogue, noPage, isListed));

/** The fields that an item shows when nothing is selected. */
export const wholeItem = (of: Value, { catalogue }: Pick<Context, 'catalogue'>): Value =>
  itemWith(of, (resource) => resolveSelection({ append: [] }, { resource, catalogue, inner: noPage }));

const itemWith = (of: Value, planOf: (resource: ResourceType) => Plan): Value => ({
  kind: 'item',
  of,
  plan: planOf(resourceOf(of)),
  type: { kind: 'object' },
  nullable: of.nullable,
});
