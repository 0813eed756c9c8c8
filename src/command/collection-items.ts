/** Reads a collection in a body: a list, `{Items: […]}`, or what XML makes of child elements. */
import { badMember, badRequest } from '../errors.js';
import type { CollectionField } from '../model/model.js';
import { shortened } from '../texts/quoted-text.js';
import { givenTwice, type Payload, type PayloadValue, repeatedName } from './payload.js';

/** More items than a page can show are no longer one entity with its parts. */
const collectionLimit = 1000;

export function collectionItems(value: PayloadValue, field: CollectionField, path: string): Payload[] {
  const items = listOf(value, field, path);
  if (items.length > collectionLimit) {
    throw badRequest(`${path}: ${items.length} items are sent; at most ${collectionLimit} are allowed.`, 'TooMuch');
  }
  return items.map((item, index) => {
    const itemPath = `${path}[${index}]`;
    const twice = repeatedName(item);
    if (twice !== undefined) throw givenTwice(`${itemPath}.${twice}`);
    if (item.kind !== 'object')
      throw badMember(
        itemPath,
        `an object is expected, such as {"Id": 5}, in XML an element such as <${field.target.name} Id="5" />.`,
      );
    return item.object;
  });
}

function listOf(value: PayloadValue, field: CollectionField, path: string): readonly PayloadValue[] {
  switch (value.kind) {
    case 'null':
      return [];
    case 'list':
      refuseStray(value.names ?? [], field, path);
      return value.names ? value.items.map(itemOf) : value.items;
    case 'text':
      // An empty element of XML.
      if (value.text.trim() === '') return [];
      break;
    case 'object':
      return itemsIn(value, field, path);
  }
  throw noCollection(path);
}

function itemsIn(value: Sent<'object'>, field: CollectionField, path: string): readonly PayloadValue[] {
  // Beside its items a collection may carry the links of an answer.
  const members = value.object.members.filter(({ name }) => !/^(next|prev)$/i.test(name));
  const [first, ...others] = members;
  if (first && others.length === 0 && first.name.toLowerCase() === 'items') return listOf(first.value, field, path);
  // Clients send a view as the reference that they took it for.
  if (field.joinedBy && members.some(({ name }) => name.toLowerCase() === 'id')) return [value];
  if (!first || !members.some(({ name }) => isItemName(name, field))) throw noCollection(path);
  refuseStray(
    members.map(({ name }) => name),
    field,
    path,
  );
  return members.map((member) => itemOf(member.value));
}

/** An element that holds nothing is an item without members: programs leave out what is empty. */
const itemOf = (value: PayloadValue): PayloadValue =>
  value.kind === 'text' && value.text.trim() === '' ? { kind: 'object', object: { members: [] } } : value;

type Sent<Kind extends PayloadValue['kind']> = Extract<PayloadValue, { kind: Kind }>;

const noCollection = (path: string) =>
  badMember(
    path,
    'a collection is a list […], or an object with Items; in XML elements that are named after their kind.',
  );

function refuseStray(names: readonly string[], field: CollectionField, path: string): void {
  const stray = names.find((name) => !isItemName(name, field));
  if (stray === undefined) return;
  throw badMember(path, `'${shortened(stray)}' stands among the items; '${field.target.name}' is expected.`);
}

/**
 * Elements of XML are items by the name of their kind, of a base type, or by that of the collection without its last
 * letter.
 */
function isItemName(name: string, { target, name: collection }: CollectionField): boolean {
  const key = name.toLowerCase();
  return `${key}s` === collection.toLowerCase() || target.itemNames.some((one) => one.toLowerCase() === key);
}
