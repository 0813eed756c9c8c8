/** Reads a collection in a body: a list, `{Items: […]}`, or what XML makes of child elements. */
import { badMember } from '../errors.js';
import type { CollectionField, ResourceType } from '../model/model.js';
import type { Payload, PayloadMember, PayloadValue } from './payload.js';

/** More items than a page can show are no longer one entity with its parts. */
export const collectionLimit = 1000;

export function collectionItems(value: PayloadValue, field: CollectionField, path: string): Payload[] {
  const items = listOf(value, field, path);
  if (items.length > collectionLimit) {
    throw badMember(path, `${items.length} items are sent; at most ${collectionLimit} are allowed.`);
  }
  return items.map((item, index) => {
    if (item.kind !== 'object') throw badMember(`${path}[${index}]`, `an object is expected, such as {"Id": 5}.`);
    return item.object;
  });
}

function listOf(value: PayloadValue, field: CollectionField, path: string): readonly PayloadValue[] {
  switch (value.kind) {
    case 'null':
      return [];
    case 'list':
      return value.items;
    case 'text':
      // An empty element of XML.
      if (value.text.trim() === '') return [];
      break;
    case 'object': {
      const only = single(value.object.members);
      if (only && isItemsName(only.name)) return listOf(only.value, field, path);
      if (only && isItemName(only.name, field)) return [only.value];
      // Clients send a view as the reference that they took it for.
      if (field.joinedBy && value.object.members.some(({ name }) => name.toLowerCase() === 'id')) return [value];
    }
  }
  throw badMember(path, 'a collection is a list […], or an object with Items.');
}

/** Beside its items a collection may carry the links of an answer. */
function single(members: readonly PayloadMember[]): PayloadMember | undefined {
  const rest = members.filter(({ name }) => !/^(next|prev)$/i.test(name));
  return rest.length === 1 ? rest[0] : undefined;
}

const isItemsName = (name: string): boolean => name.toLowerCase() === 'items';

/** One child element alone does not look like a list: it is told by the name of its kind. */
function isItemName(name: string, field: CollectionField): boolean {
  const key = name.toLowerCase();
  const isKind = (type: ResourceType): boolean => type.name.toLowerCase() === key || type.derived.some(isKind);
  return isKind(field.target) || `${key}s` === field.name.toLowerCase();
}
