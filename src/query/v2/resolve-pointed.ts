/** What the entity in a custom field is asked: it may be an item or a person, which share an id and a name. */

import { sql, value } from '../../sql.js';
import { coalesce } from '../functions/conversion.js';
import type { Of, Value } from '../meaning.js';
import { text } from '../types.js';
import type { Name } from './expression.js';
import { idOf, ofField } from './fields.js';
import { call, computed, isNull, negated, object } from './nodes.js';
import { type Context, literal, made, nothing, type Place } from './resolving.js';

type Pointed = Of<'pointed'>;

/** The same, as far as it is a person. */
export function personOf(of: Pointed, { model }: Context): Pointed {
  const resource = model.resource('GeneralUser');
  return { ...of, resource, type: { kind: 'entity', resource } };
}

/** Undefined: what every item has. */
export function pointedMember(of: Pointed, node: Name, place: Place): Value | undefined {
  const { context } = place;
  const person = personOf(of, context);
  if (of.resource === person.resource) return undefined;
  switch (node.name.toLowerCase()) {
    case 'id':
      return idOf(of, context);
    case 'name':
      return nameOf(of, node, place);
    case 'resourcetype':
      return kindOf(of, context);
  }
  if (of.resource.field(node.name)) return undefined;
  const field = person.resource.field(node.name);
  return field && !(field.kind === 'scalar' && field.isWriteOnly) ? ofField(person, field, place, node) : undefined;
}

export function nameOf(of: Pointed, node: Name, place: Pick<Place, 'context' | 'depth'>): Value {
  const person = personOf(of, place.context);
  const [item, people] = [of.resource.field('Name'), person.resource.field('FullName')];
  if (!item || !people) throw new Error('items have names, and so have people');
  return call(
    { ...coalesce, name: 'name' },
    [ofField(of, item, place, node), ofField(person, people, place, node)],
    place.context,
  );
}

/** What is stored tells the kind also of what the actor may not see, whose id reads as nothing. */
function kindOf(of: Pointed, context: Context): Value {
  const kind = computed(
    of.of,
    text,
    (column) => sql`(${column(of.operand.column)} -> ${value(of.operand.name, 'text')} ->> 'Kind')`,
    context,
  );
  const isSeen = negated(isNull(idOf(of, context), context), context);
  return made(
    { kind: 'conditional', test: isSeen, yes: kind, no: literal(null, text, 'text'), type: text, nullable: true },
    context,
  );
}

/** `{resourceType, id, name}`, and nothing where there is none. */
export function displayedPointer(of: Pointed, context: Context): Value {
  const node: Name = { kind: 'name', name: 'Name', at: 0 };
  const member = (name: string, shown: Value) => ({ name, isKnown: true, value: shown });
  const shown = object(
    [
      member('resourceType', kindOf(of, context)),
      member('id', idOf(of, context)),
      member('name', nameOf(of, node, { context, depth: 0 })),
    ],
    node,
    context,
  );
  return unlessMissing(of, shown, context);
}

/** What is shown of an entity, and nothing where there is none. */
export function unlessMissing(of: Pointed, shown: Value, context: Context): Value {
  const test = negated(isNull(of, context), context);
  return made(
    { kind: 'conditional', test, yes: shown, no: nothing(), type: { kind: 'object' }, nullable: true },
    context,
  );
}
