/**
 * Turns the value of a custom field into the JSON that is stored for its type, and tells which entities it points at.
 * Null and empty text clear the field - only in Text and RichText empty text is a text like any other, as in the fields
 * of the types themselves. What is stored, spelled in an answer and sent back is stored the same again.
 */
import { badMember, nulCharacter, unwritableText } from '../errors.js';
import { parseId } from '../model/ids.js';
import type { CustomFieldDefinition, CustomFieldType } from '../query/meaning.js';
import { isXmlText } from '../texts/characters.js';
import { isInCalendar, occurrencesOf } from '../texts/local-times.js';
import { parseInstant } from '../texts/moments.js';
import { mostPlaces, numberText, numeral } from '../texts/numbers.js';
import { shortened } from '../texts/quoted-text.js';
import { isBare } from './bare-value.js';
import { idOf, type PayloadValue } from './payload.js';

export interface CustomValue {
  /** A JSON value; null clears. */
  stored: unknown;
  refersTo: EntityPointer[];
  /** Of a local time that occurs more than once: what it can mean as well. */
  also?: readonly unknown[];
}

export interface EntityPointer {
  /** In the canonical spelling. */
  kind: string;
  id: number;
}

interface CustomValueContext {
  path: string;
  timeZone: string;
}

/**
 * Counted in characters, not bytes; entities and list texts are bounded so that one value cannot occupy the service.
 */
const limits = { text: 4000, richText: 1024 * 1024, selection: 64 * 1024, entities: 500, named: 20 };

/** `kinds` are the names of what an entity field may point at, as the model spells them. */
export function customValue(
  value: PayloadValue,
  definition: CustomFieldDefinition,
  place: CustomValueContext,
  kinds: readonly string[],
): CustomValue {
  const keepsEmpty = definition.type === 'Text' || definition.type === 'RichText';
  if (value.kind === 'null' || (!keepsEmpty && isEmpty(value))) return plain(null);
  return readers[definition.type](value, { ...place, options: definition.options, kinds });
}

interface DefinedValueContext extends CustomValueContext {
  options: readonly string[];
  kinds: readonly string[];
}

type Reader = (value: PayloadValue, place: DefinedValueContext) => CustomValue;

const readers: Record<CustomFieldType, Reader> = {
  Text: (value, { path }) => plain(text(value, path, limits.text)),
  RichText: (value, { path }) => plain(text(value, path, limits.richText)),
  TemplatedURL: (value, { path }) => plain(text(value, path, limits.text)),
  DropDown: (value, place) => plain(option(value, optionFinder(place.options), place)),
  MultipleSelectionList: (value, place) => plain(selection(value, place)),
  Number: (value, { path }) => plain(number(value, path)),
  Money: (value, { path }) => plain(number(value, path)),
  CheckBox: (value, { path }) => plain(flag(value, path)),
  Date: date,
  URL: (value, { path }) => plain(link(value, path)),
  Entity: entity,
  MultipleEntities: entities,
};

const plain = (stored: unknown): CustomValue => ({ stored, refersTo: [] });

export const isEmpty = (value: PayloadValue): boolean =>
  value.kind === 'null' || (value.kind === 'text' && value.text.trim() === '');

// --- texts and options -----------------------------------------------------------------------------------------------

function text(value: PayloadValue, path: string, limit: number): string {
  const text = scalarText(value);
  if (text === undefined) throw badMember(path, 'a text is needed.');
  if (text.includes('\0')) throw nulCharacter(path);
  if (!isXmlText(text)) throw unwritableText(path);
  // Characters outside the basic plane are two units each; they are counted only where that can matter.
  const isLong = text.length > 2 * limit || (text.length > limit && [...text].length > limit);
  if (isLong) throw badMember(path, `at most ${limit} characters are allowed.`);
  return text;
}

/** XML tells numbers as text, so a number is as good as its digits. */
const scalarText = (value: PayloadValue): string | undefined =>
  value.kind === 'text' || value.kind === 'number' ? value.text : undefined;

function option(value: PayloadValue, find: OptionFinder, { path, options }: DefinedValueContext): string {
  const text = scalarText(value);
  const option = text === undefined ? undefined : find(text);
  if (option === undefined) throw badMember(path, `one of the options is needed: ${listed(options)}.`);
  return option;
}

type OptionFinder = (text: string) => string | undefined;

/** Options that differ only in their letter case are distinguished by it. */
function optionFinder(options: readonly string[]): OptionFinder {
  const exact = new Set(options);
  const folded = new Map<string, string>();
  for (const name of options) if (!folded.has(name.toLowerCase())) folded.set(name.toLowerCase(), name);
  return (text) => (exact.has(text.trim()) ? text.trim() : folded.get(text.trim().toLowerCase()));
}

const listed = (names: readonly string[]): string => {
  if (names.length === 0) return 'there are none';
  const first = names.slice(0, limits.named).map(short).join(', ');
  return names.length > limits.named ? `${first} … (${names.length} in all)` : first;
};

const short = (text: string): string => shortened(text).replace(/\s/g, ' ');

/** Options joined by commas, in the order sent, each once. */
function selection(value: PayloadValue, place: DefinedValueContext): string | null {
  const find = optionFinder(place.options);
  const chosen = new Set<string>();
  const texts = scalarText(value);
  if (texts !== undefined) {
    for (const name of optionsInText(text(value, place.path, limits.selection), find, place)) chosen.add(name);
  }
  const items = texts === undefined ? itemsOf(value) : [];
  if (!items) throw badMember(place.path, 'options are a list, or one text with commas between them, such as "a,b".');
  for (const [index, item] of items.entries()) {
    chosen.add(option(item, find, { ...place, path: `${place.path}[${index}]` }));
  }
  return chosen.size === 0 ? null : [...chosen].join(',');
}

/** An option may itself hold commas, so the longest run of parts that is an option counts. */
function* optionsInText(text: string, find: OptionFinder, { path, options }: DefinedValueContext): Generator<string> {
  const parts = text.split(',');
  const lengths = [...new Set(options.map((name) => name.split(',').length))].sort((a, b) => b - a);
  for (let at = 0; at < parts.length; ) {
    const run = (length: number): string => parts.slice(at, at + length).join(',');
    const length = lengths.find((tried) => at + tried <= parts.length && find(run(tried)) !== undefined);
    if (length !== undefined) yield find(run(length))!;
    else if (parts[at]!.trim() !== '') {
      throw badMember(path, `'${short(parts[at]!.trim())}' is none of the options: ${listed(options)}.`);
    }
    at += length ?? 1;
  }
}

/** The items of a list; in XML an item alone is an object with one member, whatever its name. */
function itemsOf(value: PayloadValue): readonly PayloadValue[] | undefined {
  if (value.kind === 'list') return value.items;
  if (value.kind !== 'object' || value.object.members.length !== 1) return undefined;
  const only = value.object.members[0]!.value;
  return only.kind === 'list' ? only.items : [only];
}

// --- numbers, flags and dates ----------------------------------------------------------------------------------------

/** Stored numbers are JSON numbers, which hold any decimal of up to 15 digits exactly. */
function number(value: PayloadValue, path: string): number {
  const text = scalarText(value) ?? '';
  const fraction = numeral(text)?.fraction;
  if (fraction === undefined) throw badMember(path, 'a number is needed, such as 12.5.');
  if (fraction.length > mostPlaces)
    throw badMember(path, `a number with at most ${mostPlaces} decimal places is needed.`);
  const number = numberText(text) ?? Infinity;
  if (Math.abs(Number(number)) >= 1e15)
    throw badMember(path, 'a number with at most 15 digits before the point is needed.');
  return Number(number);
}

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function flag(value: PayloadValue, path: string): boolean {
  const flag = value.kind === 'boolean' ? value.value : flags.get(scalarText(value)?.trim().toLowerCase() ?? '');
  if (flag === undefined) throw badMember(path, 'true or false is needed.');
  return flag;
}

function date(value: PayloadValue, { path, timeZone }: DefinedValueContext): CustomValue {
  const instant = value.kind === 'text' ? parseInstant(value.text) : undefined;
  if (!instant)
    throw badMember(path, 'a date such as 2026-01-31, 2026-01-31T12:00:00 or /Date(1767225600000)/ is needed.');
  const [moment, ...others] = occurrencesOf(instant.text, timeZone);
  // The database could not read any other year back from the stored text, and then no page with this entity.
  if (!isInCalendar(moment, timeZone)) throw badMember(path, 'a date in the years 1 to 9999, also in UTC, is needed.');
  return { ...plain(moment.toISOString()), ...(others.length > 0 && { also: others.map((one) => one.toISOString()) }) };
}

// --- links and entities ----------------------------------------------------------------------------------------------

const linkShape = 'a link is a text or an object such as {"Url": "https://example.com", "Label": "Example"}.';

function link(value: PayloadValue, path: string): { Url: string; Label: string | null } | null {
  if (value.kind === 'text') return { Url: text(value, path, limits.text).trim(), Label: null };
  const members = membersOf(value);
  const url = members?.get('url');
  if (!url || [...members!.keys()].some((name) => name !== 'url' && name !== 'label')) throw badMember(path, linkShape);
  const label = members!.get('label');
  const spelled = !label || isEmpty(label) ? null : text(label, `${path}.Label`, limits.text);
  if (!isEmpty(url)) return { Url: text(url, `${path}.Url`, limits.text).trim(), Label: spelled };
  if (spelled !== null) throw badMember(`${path}.Url`, 'a link with a label needs an address.');
  return null;
}

/** By lower-case name: clients write them in any case, and none of them can be a member every object has. */
const membersOf = (value: PayloadValue): Map<string, PayloadValue> | undefined =>
  value.kind === 'object'
    ? new Map(value.object.members.map((member) => [member.name.toLowerCase(), member.value]))
    : undefined;

function entity(value: PayloadValue, place: DefinedValueContext): CustomValue {
  const id = membersOf(value)?.get('id');
  // As with references: an Id that is null, or nothing in XML, clears, and so does 0 where nothing else is set.
  if (id && (isEmpty(id) || isBare(value))) return plain(null);
  const to = pointer(value, place);
  return { stored: { Id: to.id, Kind: to.kind }, refersTo: [to] };
}

/** Members beside Id and Kind, such as the Name of an answer, are ignored, as they are in references. */
function pointer(value: PayloadValue, { path, kinds }: DefinedValueContext): EntityPointer {
  const members = membersOf(value);
  const id = members?.get('id');
  if (!id)
    throw badMember(path, 'an entity is an object with its Id and Kind, such as {"Id": 5, "Kind": "UserStory"}.');
  const kind = members!.get('kind');
  return {
    id: entityId(idOf(id), `${path}.Id`),
    kind: entityKind(kind && scalarText(kind), `${path}.Kind`, kinds),
  };
}

function entityId(id: number | undefined, path: string): number {
  if (!id) throw badMember(path, 'an Id is a whole number above 0.');
  return id;
}

function entityKind(text: string | undefined, path: string, kinds: readonly string[]): string {
  const kind = kinds.find((one) => one.toLowerCase() === text?.trim().toLowerCase());
  if (kind === undefined) throw badMember(path, `a known kind of entity is needed: ${listed(kinds)}.`);
  return kind;
}

/** Stored as clients write it: `6387 userstory,3527 bug`, in the order sent, each once. */
function entities(value: PayloadValue, place: DefinedValueContext): CustomValue {
  const parts = entityParts(value, place.path);
  if (parts.length > limits.entities) {
    throw badMember(place.path, `${parts.length} entities are sent; at most ${limits.entities} are allowed.`);
  }
  const pointers = new Map<string, EntityPointer>();
  for (const [item, path] of parts) {
    // None, as of a class in which nothing was set.
    if (membersOf(item)?.has('id') && isBare(item)) continue;
    const to = item.kind === 'text' ? pointerInText(item.text, { ...place, path }) : pointer(item, { ...place, path });
    pointers.set(`${to.id} ${to.kind.toLowerCase()}`, to);
  }
  return { stored: pointers.size === 0 ? null : [...pointers.keys()].join(','), refersTo: [...pointers.values()] };
}

/** The entities sent, each as an object or as text, with the way to it. */
function entityParts(value: PayloadValue, path: string): [PayloadValue, string][] {
  if (value.kind === 'text') {
    const parts = value.text.split(',').filter((part) => part.trim() !== '');
    return parts.map((part) => [{ kind: 'text', text: part }, path]);
  }
  const members = membersOf(value);
  const isOne = members?.has('id') || members?.has('kind');
  const items = isOne ? undefined : itemsOf(value);
  return items ? items.map((item, index) => [item, `${path}[${index}]`]) : [[value, path]];
}

function pointerInText(text: string, { path, kinds }: DefinedValueContext): EntityPointer {
  const [, id, kind] = /^\s*(\d{1,16})\s+(\w{1,64})\s*$/.exec(text) ?? [];
  if (id === undefined) throw badMember(path, 'entities are written as "6387 userstory,3527 bug".');
  return { id: entityId(parseId(id), path), kind: entityKind(kind, path, kinds) };
}
