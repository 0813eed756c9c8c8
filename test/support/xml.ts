/** Reads an XML answer strictly and tells it in the shape that JSON has, so that the two can be compared. */
import { parseStringPromise } from 'xml2js';

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

interface Raw {
  '#name': string;
  $?: Record<string, string>;
  $$?: Raw[];
  _?: string;
}

/** Throws on anything that is not well-formed. */
export async function parseXml(text: string): Promise<Element> {
  const options = { explicitChildren: true, preserveChildrenOrder: true, explicitRoot: false, strict: true };
  const raw = (await parseStringPromise(text, options)) as Raw;
  return element({ ...raw, '#name': raw['#name'] ?? /<(\w+)/.exec(text)![1]! });
}

const element = (raw: Raw): Element => ({
  name: raw['#name'],
  attributes: raw.$ ?? {},
  children: (raw.$$ ?? []).filter((child) => child['#name'] !== '__text__').map(element),
  text: raw._ ?? '',
});

/** Names and texts of an item, nested ones included; null where the XML says nil. */
export function itemOf(item: Element): Record<string, unknown> {
  const members: Record<string, unknown> = { ...item.attributes };
  for (const child of item.children) members[child.name] = memberOf(child);
  return members;
}

function memberOf(child: Element): unknown {
  if (child.attributes.nil === 'true') return null;
  if (child.name === 'CustomFields' && child.children.every(({ name }) => name === 'Field'))
    return child.children.map(customField);
  if (child.attributes.ResourceType !== undefined) return itemOf(child);
  const items = child.children.filter((inner) => inner.attributes.ResourceType !== undefined);
  if (items.length > 0) return { ...child.attributes, Items: items.map(itemOf) };
  return child.text;
}

function customField(field: Element): Record<string, unknown> {
  const [name, value] = ['Name', 'Value'].map((part) => field.children.find((child) => child.name === part)!);
  const isNil = value!.attributes.nil === 'true';
  const inner = value!.children.map((child) => [child.name, child.attributes.nil === 'true' ? null : child.text]);
  return {
    Name: name!.text,
    Type: field.attributes.Type,
    Value: isNil ? null : inner.length > 0 ? Object.fromEntries(inner) : value!.text,
  };
}

/** JSON reduced to what XML can tell: texts. Dates become local text, empty collections empty text. */
export function asXmlTells(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(asXmlTells);
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([name, inner]) => [name, asXmlTells(inner)] as const);
    const items = (value as { Items?: unknown[] }).Items;
    return items?.length === 0 ? '' : Object.fromEntries(entries);
  }
  const date = typeof value === 'string' ? /^\/Date\((-?\d+)\+0000\)\/$/.exec(value) : null;
  if (date)
    return (
      new Date(Number(date[1]))
        .toISOString()
        .replace('.000', '')
        .replace(/(\.\d+?)0*Z$/, '$1Z')
        .replace('Z', '')
        // Of the year 10000.
        .replace(/^\+0/, '')
    );
  return String(value);
}
