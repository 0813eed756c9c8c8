/**
 * CSV as RFC 4180 has it, made of items in JSON: a header of paths, texts in quotes, CRLF. A text that a spreadsheet would take for a
 * formula begins with an apostrophe; numbers stay as they are spelled. Null is nothing, an empty text is a pair of quotes.
 */

export type Column =
  | { readonly kind: 'value'; readonly path: readonly string[] }
  /** A custom field by its name, in the list that the path leads to. */
  | { readonly kind: 'custom'; readonly path: readonly string[]; readonly name: string }
  /** A collection: its items, one on each line of the cell. */
  | { readonly kind: 'items'; readonly path: readonly string[] };

/** The texts of a table, from texts that hold an item on each line. */
export function csvTexts(columns: readonly Column[], lines: readonly string[]): string[] {
  const header = columns.map((column) => quoted(nameOf(column))).join(',');
  return [`${header}\r\n`, ...lines.map((text) => rowsOf(columns, text))];
}

/** The same of texts that hold items with commas between them. The columns are what any of them has, in the order of appearance. */
export function csvOfItems(texts: readonly string[]): string[] {
  const items = texts.flatMap((text) => parsed(`[${text}]`) as Json[]);
  const columns = new Map(items.flatMap((item) => columnsIn(item)).map((column) => [nameOf(column), column]));
  return [...csvTexts([...columns.values()], []), items.map((item) => rowOf([...columns.values()], item)).join('')];
}

function columnsIn(value: Json, path: readonly string[] = []): Column[] {
  if (!isObject(value)) return value === null && path.length > 0 ? [] : [{ kind: 'value', path }];
  if (path.length > 0 && Array.isArray(value.items)) return [{ kind: 'items', path }];
  return Object.entries(value).flatMap(([name, one]): Column[] => {
    const to = [...path, name];
    if (name === 'resourceType') return [];
    if (name === 'customFields' && Array.isArray(one))
      return one.flatMap((field) => (isObject(field) ? { kind: 'custom', path: to, name: String(field.name) } : []));
    return columnsIn(one, to);
  });
}

const rowsOf = (columns: readonly Column[], lines: string): string =>
  lines
    .split('\n')
    .map((line) => rowOf(columns, parsed(line)))
    .join('');

const rowOf = (columns: readonly Column[], item: Json): string =>
  `${columns.map((column) => cellOf(column, item)).join(',')}\r\n`;

const nameOf = (column: Column): string =>
  [...column.path, ...(column.kind === 'custom' ? [column.name] : [])].join('.');

/** A value of JSON; a number keeps its spelling, under a name that no member of an item has: no text of JSON holds a NUL as it is. */
type Json = string | boolean | null | undefined | Json[] | { [member: string]: Json };

const spelling = '\u0000';

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Numbers keep the places that they are spelled with. */
const parsed = (line: string): Json =>
  JSON.parse(line.replace(token, (text) => (text.startsWith('"') ? text : `{"\\u0000":"${text}"}`))) as Json;

const numberIn = (value: { [member: string]: Json }): string | undefined => value[spelling] as string | undefined;

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

const isObject = (value: Json): value is { [member: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(spelling in value);

function cell(value: Json): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? composed(value) : String(value);
}

/** A number, or what has no single value: an address, what a field points at, a list. */
function composed(value: Json[] | { [member: string]: Json }): string {
  if (Array.isArray(value)) return quoted(itemsText(value));
  const number = numberIn(value);
  if (number !== undefined) return number;
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
  if (!isObject(value)) return [typeof value === 'object' ? numberIn(value)! : String(value)];
  return Object.entries(value).flatMap(([name, one]) => (/^resourceType$/i.test(name) ? [] : textsIn(one)));
}

/** What programs take for the beginning of a formula, full-width letters included. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

const quoted = (text: string): string => `"${formula.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
