/**
 * CSV as RFC 4180 has it, made of items in JSON: a header of paths, texts in quotes, CRLF. A text that a spreadsheet
 * would take for a formula begins with an apostrophe; numbers stay as they are spelled. Null is nothing, an empty text
 * is a pair of quotes.
 */
import { type Column, ColumnsOfItems, type Specimen } from './csv-columns.js';
import { isObject, type Json, type JsonObject, SpelledNumber, valuesIn } from './spelled-json.js';

export type { Column } from './csv-columns.js';

/** The lines of a table, of texts that hold items with commas between them. Each step is one item's. */
export function* csvRows(columns: readonly Column[], texts: Iterable<string>): Generator<string> {
  yield headerOf(columns);
  for (const text of texts) {
    for (const item of valuesIn(text)) {
      if (text.length > long) yield '';
      yield rowOf(columns, item);
    }
  }
}

/** What takes a while to read, and again to write. */
const long = 2 ** 16;

/** What is known of items before there are any. */
export interface TableShape {
  readonly specimen?: Specimen;
  /** What the column of items is called that are no objects. */
  readonly name?: string;
}

/** The same of items whose columns are not all known before: what is known, then what else any of them has. */
export function* csvOfItems(texts: Iterable<string>, { specimen, name = '' }: TableShape = {}): Generator<string> {
  const items: Json[] = [];
  const all = new ColumnsOfItems(specimen);
  for (const text of texts) {
    for (const item of valuesIn(text)) {
      all.add(item);
      items.push(item);
      yield '';
    }
  }
  const columns = all.columns();
  yield headerOf(columns, name);
  for (const item of items) yield rowOf(columns, item);
}

const headerOf = (columns: readonly Column[], ofItems = ''): string =>
  `${columns.map((column) => quoted(nameOf(column) || ofItems)).join(',')}\r\n`;

const rowOf = (columns: readonly Column[], item: Json): string =>
  `${columns.map((column) => cellOf(column, item)).join(',')}\r\n`;

const nameOf = (column: Column): string =>
  [...column.path, ...(column.kind === 'custom' ? [column.name] : [])].join('.');

function cellOf(column: Column, item: Json): string {
  const value = at(column.path, item);
  if (column.kind === 'items') return value === undefined ? '' : quoted(itemsText(value));
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

function cell(value: Json): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? composed(value) : String(value);
}

/** A number, or what has no single value: an address, what a field points at, a list. */
function composed(value: SpelledNumber | Json[] | JsonObject): string {
  if (value instanceof SpelledNumber) return value.text;
  if (Array.isArray(value)) return quoted(itemsText(value));
  const { Url, url } = value;
  const address = Url ?? url;
  return cell(address === undefined ? (value.Id ?? value.id) : address);
}

function customValue(fields: Json, name: string): Json {
  const field = Array.isArray(fields)
    ? fields.find((one) => isObject(one) && (one.Name ?? one.name) === name)
    : undefined;
  return isObject(field) ? (field.Value ?? field.value) : undefined;
}

/** The values of each item in order, joined by a space, an item on each line; dots where there are more. */
function itemsText(value: Json): string {
  const items = isObject(value) ? (value.Items ?? value.items) : value;
  if (!Array.isArray(items)) return '';
  const lines = items.map((one) => textsIn(one).join(' '));
  return [...lines, ...(isObject(value) && value.Next !== undefined ? ['…'] : [])].join('\n');
}

function textsIn(value: Json): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [value instanceof SpelledNumber ? value.text : String(value)];
  // Version 1 has no columns of kinds; by version 2 a client may have named anything so.
  return Object.entries(value).flatMap(([name, one]) => (name === 'ResourceType' ? [] : textsIn(one)));
}

/**
 * What programs take for the beginning of a formula: full-width and small forms included, and behind blanks and what is
 * not seen, which many leave out.
 */
const formula = /^(?:[\t\r\n]|[\s\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

const quoted = (text: string): string => `"${formula.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
