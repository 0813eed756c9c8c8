/**
 * CSV as RFC 4180 has it, made of items in JSON: a header of paths, texts in quotes, CRLF. A text that a spreadsheet
 * would take for a formula begins with an apostrophe; numbers stay as they are spelled. Null is nothing, an empty text
 * is a pair of quotes.
 */
import { type Column, ColumnsOfItems, type Specimen } from './csv-columns.js';
import {
  isObject,
  type Json,
  type JsonObject,
  SpelledList,
  SpelledNumber,
  SpelledText,
  valuesIn,
} from './spelled-json.js';

export type { Column } from './csv-columns.js';

/**
 * The lines of a table, of texts that hold items with commas between them. A long row comes in pieces, and an empty one
 * for an empty text.
 */
export function* csvRows(columns: readonly Column[], texts: Iterable<string>, nameOfItems = ''): Generator<string> {
  yield headerOf(columns, nameOfItems);
  for (const text of texts) {
    if (text === '') yield '';
    for (const item of valuesIn(text)) {
      if (item === undefined) yield '';
      else yield* rowOf(columns, item);
    }
  }
}

/** What takes a while to read, and again to write. */
const long = 2 ** 16;

/** Texts that can be read twice: the first time they are kept, the second time they are taken. */
export interface ItemTexts {
  views(): Iterable<string>;
  drain(): Iterable<string>;
}

/** What is known of items before there are any. */
export interface TableShape {
  readonly specimen?: Specimen;
  /** What the column of items is called that are no objects. */
  readonly name?: string;
}

/**
 * The same of items whose columns are not all known before: what is known, then what else any of them has. Items are
 * read once for their columns and once for their rows, since all of them take many times as much memory as their texts.
 */
export function* csvOfItems(texts: ItemTexts, { specimen, name = '' }: TableShape = {}): Generator<string> {
  const all = new ColumnsOfItems(specimen);
  for (const text of texts.views()) {
    if (text === '') yield '';
    for (const item of valuesIn(text)) {
      if (item !== undefined) all.add(item);
      yield '';
    }
  }
  yield* csvRows(all.columns(), texts.drain(), name);
}

const headerOf = (columns: readonly Column[], nameOfItems: string): string =>
  `${columns.map((column) => quoted(nameOf(column) || nameOfItems)).join(',')}\r\n`;

const nameOf = (column: Column): string =>
  [...column.path, ...(column.kind === 'custom' ? [column.name] : [])].join('.');

function* rowOf(columns: readonly Column[], item: Json): Generator<string> {
  let row = '';
  let pieces = 0;
  for (const [at, column] of columns.entries()) {
    if (at > 0) row += ',';
    for (const piece of cellOf(column, item)) {
      row += piece;
      pieces += 1;
      if (pieces % piecesOfStep > 0 && row.length < long) continue;
      yield row;
      row = '';
    }
  }
  yield `${row}\r\n`;
}

/** Less than a millisecond's worth. */
const piecesOfStep = 2 ** 10;

/** In pieces. */
function cellOf(column: Column, item: Json): Iterable<string> {
  const value = at(column.path, item);
  if (column.kind === 'items') return value === undefined ? [] : quotedPieces(linesOf(value));
  return cell(column.kind === 'custom' ? customValue(value, column.name) : value);
}

function at(path: readonly string[], item: Json): Json {
  let value = item;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function cell(value: Json): Iterable<string> {
  if (value === undefined || value === null) return [];
  if (value instanceof SpelledList) return quotedPieces(linesOf(value));
  if (value instanceof SpelledText) return quotedPieces(value.pieces());
  if (isObject(value)) return cell(soleValue(value));
  return [typeof value === 'string' ? quoted(value) : wordOf(value)];
}

/** Of what has no single value: an address, or the Id of what a field points at. */
function soleValue({ Url, url, Id, id }: JsonObject): Json {
  const address = Url ?? url;
  return address === undefined ? (Id ?? id) : address;
}

const wordOf = (value: string | boolean | SpelledNumber): string =>
  value instanceof SpelledNumber ? value.text : String(value);

const customValues = new WeakMap<SpelledList, ReadonlyMap<string, Json>>();

function customValue(fields: Json, name: string): Json {
  if (!(fields instanceof SpelledList)) return undefined;
  const values = customValues.get(fields) ?? new Map([...fields].filter(isObject).map(namedValue).reverse());
  customValues.set(fields, values);
  return values.get(name.toLowerCase());
}

/** Processes may spell a name in different cases. */
const namedValue = ({ Name, name, Value, value }: JsonObject): [string, Json] => [
  String(Name ?? name).toLowerCase(),
  Value ?? value,
];

/** The values of each item in order, joined by a space, an item on each line; dots where there are more. In pieces. */
function* linesOf(value: Json): Generator<string> {
  const items = isObject(value) ? (value.Items ?? value.items) : value;
  if (!(items instanceof SpelledList)) return;
  let lineBreak = '';
  for (const item of items) {
    if (item === undefined) yield '';
    else {
      yield lineBreak;
      yield* joined(textsIn(item));
      lineBreak = '\n';
    }
  }
  if (isObject(value) && value.Next !== undefined) yield `${lineBreak}…`;
}

function* joined(texts: Iterable<string | SpelledText | undefined>): Generator<string> {
  let blank = '';
  for (const text of texts) {
    if (text instanceof SpelledText) {
      yield blank;
      yield* text.pieces();
    } else yield text === undefined ? '' : blank + text;
    if (text !== undefined) blank = ' ';
  }
}

/** What stands in a value, in order; undefined for each value that shows nothing by itself: each is a step. */
function* textsIn(value: Json): Generator<string | SpelledText | undefined> {
  if (value instanceof SpelledList) {
    for (const one of value) yield* textsIn(one);
  } else if (isObject(value)) {
    yield undefined;
    // Version 1 has no columns of kinds; by version 2 a client may have named anything so.
    for (const name in value) if (name !== 'ResourceType') yield* textsIn(value[name]);
  } else if (value instanceof SpelledText) yield value;
  else yield value === null || value === undefined ? undefined : wordOf(value);
}

/**
 * What programs take for the beginning of a formula: full-width and small forms included, and behind blanks and what is
 * not seen, which many leave out.
 */
const formula = /^(?:[\t\r\n]|[\s\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

const nothingYet = /^[\s\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]*$/u;

const quoted = (text: string): string => `"${disarmed(text)}"`;

const disarmed = (text: string): string => (formula.test(text) ? "'" : '') + doubled(text);

const doubled = (text: string): string => text.replaceAll('"', '""');

/** The same of a text in pieces: whether it is a formula is seen once there is more than blanks. */
function* quotedPieces(pieces: Iterable<string>): Generator<string> {
  let beginning: string | undefined = '';
  yield '"';
  for (const piece of pieces) {
    if (beginning === undefined) {
      yield doubled(piece);
      continue;
    }
    beginning += piece;
    yield nothingYet.test(piece) ? '' : disarmed(beginning);
    if (!nothingYet.test(piece)) beginning = undefined;
  }
  yield `${disarmed(beginning ?? '')}"`;
}
