/** Spells what was read in JSON as a body in XML. */
import type { ResourceType } from '../../src/model/model.js';

/** An entity, or a list of them. */
export function xmlOf({ name, collection }: ResourceType, body: unknown): string {
  if (!Array.isArray(body)) return element(name, body);
  return `<${collection}>${body.map((item) => element(name, item)).join('')}</${collection}>`;
}

function element(name: string, value: unknown): string {
  if (value === null || value === undefined) return `<${name} nil="true" />`;
  return `<${name}>${content(name, value)}</${name}>`;
}

function content(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => element(itemName(name, item), item)).join('');
  if (typeof value !== 'object') return escaped(String(value));
  const { Items, ...members } = value as Record<string, unknown>;
  if (Items) return content(name, Items);
  return Object.entries(members)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => element(key, member))
    .join('');
}

const itemName = (collection: string, item: unknown): string =>
  (item as { ResourceType?: string }).ResourceType ?? (collection === 'CustomFields' ? 'Field' : 'Item');

const escaped = (text: string): string => text.replace(/[&<>\r]/g, (character) => `&#${character.codePointAt(0)};`);
