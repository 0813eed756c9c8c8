/**
 * Reads an XML body into a Payload: attributes and child elements alike are members, `nil="true"` is null, repeated
 * children are a list. What XML brings along and this service has no use for - document types, entities of one's own,
 * other encodings - is refused while it is read.
 */
import { badMember, badRequest } from '../errors.js';
import type { Sliced } from '../turns/slices.js';
import type { Charset } from './charset.js';
import { type Body, givenTwice, type Payload, type PayloadMember, type PayloadValue } from './payload.js';
import type { BodyBytes } from './utf8.js';
import { type Element, readElements } from './xml-elements.js';

/** What the root may be called, in any letter case. */
export interface RootNames {
  entity: string;
  /** The name of a list of them, where there may be one. */
  collection?: string;
  /** Base types and kinds that may stand for the entity. */
  others?: readonly string[];
}

export function* parseXml(body: BodyBytes, names: RootNames, charset?: Charset): Sliced<Body> {
  const root = yield* readElements(body, charset);
  const isEntity = (name: string) => [names.entity, ...(names.others ?? [])].some((one) => isSame(one, name));
  const { entity, collection = '' } = names;
  // Clients that know no English add a letter.
  const isCollection = collection !== '' && [collection, `${entity}s`].some((one) => isSame(one, root.name));
  const isList = isCollection && (!isEntity(root.name) || holdsItself(root));
  if (!isList && isEntity(root.name)) return { kind: 'one', entity: yield* entityOf(root, '') };
  if (!isList) {
    const expected = `'${entity}' is expected${collection && `, or '${collection}' for a list`}`;
    throw badRequest(`The root element is '${root.name}'; ${expected}.`, 'InvalidBody');
  }
  const list = listIn(root);
  const aside = namesOf(list).find((name) => !/^(next|prev)$/i.test(name));
  if (aside !== undefined || list.text.trim() !== '') {
    const what = aside === undefined ? 'text' : `'${aside}'`;
    throw badRequest(`'${list.name}' holds ${what} where entities are expected.`, 'InvalidBody');
  }
  const stray = list.children.find((child) => !isEntity(child.name));
  if (stray) throw badRequest(`'${stray.name}' stands among '${collection}'; '${entity}' is expected.`, 'InvalidBody');
  const entities: Payload[] = [];
  for (const [index, child] of list.children.entries()) {
    yield;
    entities.push(yield* entityOf(child, `[${index}].`));
  }
  return { kind: 'many', entities };
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Where one and many are called alike, a list holds what is called as it is. */
const holdsItself = ({ name, children }: Element): boolean => children.some((child) => isSame(child.name, name));

/** The items may stand in an element of their own, as they do in JSON. */
function listIn(root: Element): Element {
  const [only, ...others] = root.children;
  const isWithin = only && others.length === 0 && isSame(only.name, 'items') && namesOf(only).length === 0;
  return isWithin && root.text.trim() === '' ? only : root;
}

function* entityOf(element: Element, path: string): Sliced<Payload> {
  const place = path === '' ? element.name : path.slice(0, -1);
  if (element.text.trim() !== '') throw badMember(place, 'it holds text where fields are expected.');
  if (isNil(element, place)) throw badMember(place, 'it is nil where fields are expected.');
  return { members: yield* membersOf(element, path), element: element.name };
}

function* membersOf(element: Element, path: string): Sliced<PayloadMember[]> {
  const members: PayloadMember[] = [];
  const names = new Set<string>();
  const add = (name: string, value: PayloadValue): void => {
    if (names.has(name.toLowerCase())) throw givenTwice(`${path}${name}`);
    names.add(name.toLowerCase());
    members.push({ name, value });
  };
  for (const [name, text] of element.attributes) if (!isAside(name)) add(name, { kind: 'text', text });
  for (const [index, child] of element.children.entries()) {
    if (index % childrenOfSlice === 0) yield;
    const childPath = `${path}${child.name}`;
    add(child.name, simpleValue(child, childPath) ?? (yield* compoundValue(child, childPath)));
  }
  return members;
}

/** So many children are read without a pause. */
const childrenOfSlice = 256;

/** The names that mean members. */
const namesOf = ({ attributes }: Element): string[] =>
  attributes.map(([name]) => name).filter((name) => !isAside(name));

/** The mark of null. Writers choose the prefix of its namespace: `xsi`, or `i` as .NET does. */
const isMarkOfNull = (name: string): boolean => /^(?:[\w.-]+:)?nil$/i.test(name);

/**
 * What belongs to XML itself and to XML Schema, with whatever prefix, is no member: namespaces, languages, types and
 * schemas, as programs write them that serialize objects.
 */
const isAside = (name: string): boolean =>
  /^(?:xmlns$|xmlns:|xml:)|^[^:]+:(?:type|schemaLocation|noNamespaceSchemaLocation)$/.test(name) || isMarkOfNull(name);

/** Null or a text; undefined for what has members or items. */
function simpleValue(element: Element, path: string): PayloadValue | undefined {
  const { attributes, children, text } = element;
  const hasChildren = children.length > 0;
  if (isNil(element, path)) {
    if (hasChildren || text.trim() !== '') throw badMember(path, 'it is nil and has content.');
    return { kind: 'null' };
  }
  if (hasChildren && text.trim() !== '') throw badMember(path, 'text and elements are mixed.');
  const isText = !hasChildren && attributes.every(([name]) => isAside(name));
  return isText ? { kind: 'text', text } : undefined;
}

function* compoundValue(element: Element, path: string): Sliced<PayloadValue> {
  if (element.children.length === 0 && element.text.trim() !== '')
    throw badMember(path, 'text and attributes are mixed.');
  return isList(element)
    ? { kind: 'list', items: yield* itemsOf(element, path), names: itemNames(element) }
    : { kind: 'object', object: { members: yield* membersOf(element, `${path}.`) } };
}

function isNil({ attributes }: Element, path: string): boolean {
  const nil = attributes
    .find(([name]) => isMarkOfNull(name))?.[1]
    .trim()
    .toLowerCase();
  if (nil === undefined || nil === 'false' || nil === '0') return false;
  if (nil === 'true' || nil === '1') return true;
  throw badMember(path, "nil is 'true' or 'false'.");
}

/**
 * Several children of one name can only be the items of a collection, and so can children that have fields, where a
 * name comes twice. A single child, and children of different names, may be members as well: their field tells.
 */
function isList(element: Element): boolean {
  const { children } = element;
  if (children.length < 2 || namesOf(element).some((name) => !/^(next|prev)$/i.test(name))) return false;
  if (hasOneName(element)) return true;
  const names = new Set(children.map(({ name }) => name.toLowerCase()));
  return names.size === 1 || (names.size < children.length && children.every(isCompound));
}

const itemNames = (element: Element): string[] =>
  hasOneName(element) ? [element.children[0]!.name] : element.children.map(({ name }) => name);

const hasOneName = ({ children }: Element): boolean => children.every(({ name }) => name === children[0]!.name);

const isCompound = (element: Element): boolean => element.children.length > 0 || namesOf(element).length > 0;

function* itemsOf({ children }: Element, path: string): Sliced<PayloadValue[]> {
  const items: PayloadValue[] = [];
  for (const [index, child] of children.entries()) {
    if (index % childrenOfSlice === 0) yield;
    const childPath = `${path}[${index}]`;
    items.push(simpleValue(child, childPath) ?? (yield* compoundValue(child, childPath)));
  }
  return items;
}
