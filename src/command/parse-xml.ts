/**
 * Reads an XML body into a Payload: attributes and child elements alike are members, `nil="true"` is null, repeated
 * children are a list. What XML brings along and this service has no use for - document types, entities of one's own,
 * other encodings - is refused before it is parsed.
 */
import { badMember, badRequest, malformedBody } from '../errors.js';
import type { Body, Payload, PayloadMember, PayloadValue } from './payload.js';
import { utf8 } from './utf8.js';
import { type Element, readElements } from './xml-elements.js';

/** What the root may be called, in any letter case. */
export interface RootNames {
  entity: string;
  collection: string;
  /** Base types and kinds that may stand for the entity. */
  others?: readonly string[];
}

export function parseXml(body: Buffer, names: RootNames): Body {
  const root = readElements(utf8(body, 'XML'));
  const isEntity = (name: string) => [names.entity, ...(names.others ?? [])].some((known) => same(known, name));
  if (isEntity(root.name)) return { kind: 'one', entity: entityOf(root, '') };
  if (!same(root.name, names.collection)) {
    throw badRequest(`The root element is '${root.name}'; '${names.entity}' is expected.`);
  }
  const aside = Object.keys(root.attributes).find((name) => !isAside(name) && !/^(next|prev)$/i.test(name));
  if (aside !== undefined || root.text.trim() !== '') {
    throw malformedBody(
      'XML',
      `'${root.name}' holds ${aside === undefined ? 'text' : `'${aside}'`} where entities are expected.`,
    );
  }
  const stray = root.children.find((child) => !isEntity(child.name));
  if (stray) throw badRequest(`'${stray.name}' stands among '${names.collection}'; '${names.entity}' is expected.`);
  return { kind: 'many', entities: root.children.map((child, index) => entityOf(child, `[${index}].`)) };
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function entityOf(element: Element, path: string): Payload {
  if (element.text.trim() !== '') {
    throw malformedBody('XML', `'${element.name}' holds text where fields are expected.`);
  }
  return { members: membersOf(element, path) };
}

function membersOf(element: Element, path: string): PayloadMember[] {
  const members: PayloadMember[] = [];
  const names = new Set<string>();
  const add = (name: string, value: PayloadValue): void => {
    if (names.has(name.toLowerCase())) throw badMember(`${path}${name}`, 'the member is given twice.');
    names.add(name.toLowerCase());
    members.push({ name, value });
  };
  for (const [name, text] of Object.entries(element.attributes)) {
    if (!isAside(name)) add(name, { kind: 'text', text });
  }
  for (const child of element.children) add(child.name, memberValue(child, `${path}${child.name}`));
  return members;
}

/** Declarations of namespaces, and the mark of null, are no members. */
const isAside = (name: string): boolean => /^xmlns(:|$)/.test(name) || /^(xsi:)?nil$/i.test(name);

function memberValue(element: Element, path: string): PayloadValue {
  const hasChildren = element.children.length > 0;
  const attributes = Object.keys(element.attributes).filter((name) => !isAside(name));
  if (isNil(element, path)) {
    if (hasChildren || element.text.trim() !== '') throw badMember(path, 'it is nil and has content.');
    return { kind: 'null' };
  }
  if (hasChildren && element.text.trim() !== '') throw badMember(path, 'text and elements are mixed.');
  if (!hasChildren && attributes.length === 0) return { kind: 'text', text: element.text };
  if (!hasChildren && element.text.trim() !== '') throw badMember(path, 'text and attributes are mixed.');
  return isList(element, attributes)
    ? listOf(element, path)
    : { kind: 'object', object: { members: membersOf(element, `${path}.`) } };
}

function isNil({ attributes }: Element, path: string): boolean {
  const said = Object.entries(attributes)
    .find(([name]) => /^(xsi:)?nil$/i.test(name))?.[1]
    .trim()
    .toLowerCase();
  if (said === undefined || said === 'false' || said === '0') return false;
  if (said === 'true' || said === '1') return true;
  throw badMember(path, "nil is 'true' or 'false'.");
}

/** Children of one name, more than one, can only be the items of a collection; a single `Items` holds them one level down. */
function isList({ children }: Element, attributes: readonly string[]): boolean {
  const first = children[0];
  if (!first || attributes.some((name) => !/^(next|prev)$/i.test(name))) return false;
  return children.length > 1 && children.every((child) => same(child.name, first.name));
}

const listOf = ({ children }: Element, path: string): PayloadValue => ({
  kind: 'list',
  items: children.map((child, index) => memberValue(child, `${path}[${index}]`)),
});
