/**
 * Objects: `{id, title: name, project: {project.id}}`. A member without a name takes that of the last member it names.
 * All names begin with a small letter.
 */
import type { ObjectMember, Of, Value } from '../meaning.js';
import { objectWith, ofSorts } from '../values.js';
import type { Expression, Name, Property } from './expression.js';
import { type Context, type Place, refuse } from './resolving.js';

const isNameless = ofSorts('test', 'either');

export function objectOf({ members, at }: Extract<Expression, { kind: 'object' }>, place: Place): Value {
  return object(
    members.map((member) => memberFrom(member, place)),
    { at },
    place.context,
  );
}

export function object(members: readonly ObjectMember[], at: Pick<Expression, 'at'>, context: Context): Of<'object'> {
  const names = new Set<string>();
  for (const { name, at: place = at.at } of members) {
    if (names.has(name))
      throw refuse(
        context,
        { at: place },
        `Two members are named '${name}'; give one of them another name, as in {other: ${name}}`,
      );
    names.add(name);
  }
  return objectWith(members);
}

export function memberFrom({ name, value: expression, at }: Property, place: Place): ObjectMember {
  const value = place.resolve(expression, place);
  if (name !== undefined) {
    if (name.length > 100) throw refuse(place.context, { at }, 'The name of a member is longer than 100 characters');
    return { name: camelCase(name), isKnown: false, value, at };
  }
  const label = nameOf(value) ?? lastName(expression);
  if (label !== undefined) return { ...label, value, at };
  throw refuse(place.context, { at }, "Expression is missing an 'as' clause: give it a name, as in {name: expression}");
}

/** A field by its own name, whichever letters it was written in. */
function nameOf(value: Value): Omit<ObjectMember, 'value'> | undefined {
  if (isNameless(value)) return undefined;
  switch (value.kind) {
    case 'field':
      return value.operand.kind === 'field' ? modelName(value.operand.field.name) : undefined;
    case 'reference':
      return modelName(value.field.name);
    case 'aggregate':
      return modelName(value.function);
    case 'chain':
      return value.source !== 'root' && value.source.kind === 'field' && isPlain(value)
        ? modelName(value.source.field.name)
        : undefined;
    case 'customFields':
      return modelName('CustomValues');
    case 'call':
      return /^[a-z]/i.test(value.function.name) ? modelName(value.function.name) : undefined;
    case 'literal':
    case 'late':
    case 'element':
    case 'row':
    case 'pointed':
    case 'cast':
    case 'me':
    case 'chosen':
    case 'mapped':
    case 'item':
    case 'object':
      return undefined;
  }
}

const isPlain = ({ filters, order, projection, within }: Of<'chain'>): boolean =>
  filters.length === 0 && order.length === 0 && !projection && !within;

const modelName = (name: string) => ({ name: camelCase(name), isKnown: true });

const camelCase = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

function lastName(expression: Expression): Omit<ObjectMember, 'value'> | undefined {
  // A function tells nothing of what it is about.
  if (expression.kind === 'name' && !expression.of && expression.args) return undefined;
  if (expression.kind === 'name') return { name: camelCase(expression.name), isKnown: false };
  if (expression.kind === 'index')
    return { name: camelCase(expression.key.replace(/[^\p{L}\p{N}_]/gu, '')) || 'value', isKnown: false };
  return expression.kind === 'cast' ? lastName(expression.of) : undefined;
}

/** A member of an object that items were turned into. */
export function memberOfObject(of: Value, { name, args }: Pick<Name, 'name' | 'args'>): Value | undefined {
  if (args && args.length > 0) return undefined;
  if (of.kind === 'first') return ofFirst(of, { name });
  if (of.kind !== 'object') return undefined;
  return of.members.find((member) => member.name.toLowerCase() === name.toLowerCase())?.value;
}

function ofFirst(of: Of<'first'>, { name }: Pick<Name, 'name'>): Value | undefined {
  const projection = of.of.projection && memberOfObject(of.of.projection, { name });
  if (!projection || projection.type.kind === 'collection') return undefined;
  return { ...of, of: { ...of.of, projection }, type: projection.type };
}
