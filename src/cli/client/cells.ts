/** What the API answers as cells of a table: references by their names, collections by how many they have. */
import { readableText } from './readable-text.js';

type Json = Readonly<Record<string, unknown>>;
export type Cells = Record<string, unknown>;

const longest = 60;

export function cellsOf(item: Json): Cells {
  const members = Object.entries(item).filter(([name]) => !/^resourceType$/i.test(name));
  return Object.fromEntries(members.map(([name, value]) => [name, cellOf(value, name)]));
}

/** Without what is empty. */
export function filledCells(item: Json): Cells {
  const members = Object.entries(cellsOf(item)).filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(members);
}

/** The same columns in each row. */
export function rowsOf(items: readonly unknown[]): Cells[] {
  const rows = items.map((item) => (isObject(item) ? cellsOf(item) : { value: cellOf(item) }));
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return rows.map((row) => Object.fromEntries([...names].map((name) => [name, row[name] ?? null])));
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts that may be HTML or Markdown, by their names. */
export const isRichText = (name: string): boolean => /^(?:description|notes|comment|lastFailureComment)$/i.test(name);

function cellOf(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return cut(isRichText(name) ? readableText(value).replace(/\s+/g, ' ') : dated(value));
  if (Array.isArray(value)) return `[${value.length}]`;
  if (!isObject(value)) return value;
  const items = value.Items ?? value.items;
  if (Array.isArray(items)) return `[${items.length}]`;
  const label = value.Name ?? value.name ?? value.FullName ?? value.fullName ?? value.Id ?? value.id;
  return label === undefined ? cut(JSON.stringify(value)) : cellOf(label);
}

/** Dates are /Date(milliseconds-offset)/: shown as the clocks of the service show them. */
function dated(text: string): string {
  const [, milliseconds, sign, hours, minutes] = /^\/Date\((-?\d{1,15})([+-])(\d\d)(\d\d)\)\/$/.exec(text) ?? [];
  if (milliseconds === undefined) return text;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = new Date(Number(milliseconds) + offset * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text);
