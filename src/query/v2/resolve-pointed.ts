/** What the entity in a custom field is asked: it may be an item or a person, which share an id and a name. */

import { sql, value } from '../../sql.js';
import { coalesce } from '../functions/conversion.js';
import type { Of, Value } from '../meaning.js';
import { text } from '../types.js';
import { call, choice, computed, isNull, literal, member, negation, nothing, objectWith } from '../values.js';
import type { Name } from './expression.js';
import { idOf, ofField } from './fields.js';
import type { Context, Place } from './resolving.js';

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
      return idOf(of);
    case 'name':
      return nameOf(of, node, place);
    case 'resourcetype':
      return kindOf(of);
  }
  if (of.resource.field(node.name)) return undefined;
  const field = person.resource.field(node.name);
  return field && !(field.kind === 'scalar' && field.isWriteOnly) ? ofField(person, field, place, node) : undefined;
}

export function nameOf(of: Pointed, node: Name, place: Pick<Place, 'context' | 'depth'>): Value {
  const person = personOf(of, place.context);
  const [item, people] = [of.resource.field('Name'), person.resource.field('FullName')];
  if (!item || !people) throw new Error('items have names, and so have people');
  return call({ ...coalesce, name: 'name' }, [ofField(of, item, place, node), ofField(person, people, place, node)]);
}

/** What is stored tells the kind also of what the actor may not see, whose id reads as nothing. */
function kindOf(of: Pointed): Value {
  const kind = computed(
    of.of,
    text,
    (column) => sql`(${column(of.operand.column)} -> ${value(of.operand.name, 'text')} ->> 'Kind')`,
  );
  const isSeen = negation(isNull(idOf(of)));
  return choice(isSeen, kind, literal(null, text, 'text'));
}

/** `{resourceType, id, name}`, and nothing where there is none. */
export function displayedPointer(of: Pointed, context: Context): Value {
  const name = nameOf(of, { kind: 'name', name: 'Name', at: 0 }, { context, depth: 0 });
  const shown = objectWith([member('resourceType', kindOf(of)), member('id', idOf(of)), member('name', name)]);
  return unlessMissing(of, shown);
}

/** What is shown of an entity, and nothing where there is none. */
export const unlessMissing = (of: Pointed, shown: Value): Value => choice(negation(isNull(of)), shown, nothing());
