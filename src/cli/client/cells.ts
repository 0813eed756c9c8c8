/** What the API answers as cells of a table: references by their names, collections by how many they have. */
import { readableText } from './readable-text.js';

type Json = Readonly<Record<string, unknown>>;
export type Cells = Record<string, unknown>;

const longest = 60;

export function cellsOf(item: Json): Cells {
  const members = Object.entries(item).filter(([name]) => !/^resourceType$/i.test(name));
  return Object.fromEntries(
    members.flatMap(([name, value]) => ofCustomFields(name, value) ?? [[name, cellOf(value, name)]]),
  );
}

/** One for each, `CustomFields.Risk`, as the columns of CSV are named. */
function ofCustomFields(name: string, value: unknown): [string, unknown][] | undefined {
  const fields = isObject(value) ? value.customFields : value;
  if (!/^custom(?:Fields|Values)$/i.test(name) || !Array.isArray(fields) || !fields.every(isObject)) return undefined;
  return fields.map((field) => [`${name}.${field.Name ?? field.name}`, ofCustomField(field)]);
}

function ofCustomField(field: Json): unknown {
  const value = field.Value ?? field.value ?? null;
  const isRich = (field.Type ?? field.type) === 'RichText';
  return isRich ? cellOf(value, 'description') : cellOf(isObject(value) ? (value.Url ?? value.url ?? value) : value);
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
  if (Array.isArray(value)) return listed(value);
  if (!isObject(value)) return value;
  const items = value.Items ?? value.items;
  if (Array.isArray(items)) return listed(items);
  const highlights = (value.Highlights as Json | undefined)?.Items;
  if (Array.isArray(highlights)) return cut(highlights.map(({ Html }) => readableText(Html)).join(' … '));
  const label = value.Name ?? value.name ?? whoOf(value) ?? value.Id ?? value.id;
  return label === undefined ? cut(JSON.stringify(value)) : cellOf(label);
}

/** People and teams by their names, all else by how many there are. */
function listed(items: readonly unknown[]): string {
  const names = items.map((item) => (isObject(item) ? whoOf(item) : undefined));
  return items.length > 0 && names.every((name) => typeof name === 'string')
    ? cut(names.join(', '))
    : `[${items.length}]`;
}

/** The name of a person, or of whom an assignment is of. */
function whoOf(item: Json): unknown {
  const name = item.FullName ?? item.fullName;
  if (name !== undefined) return name;
  const kind = item.ResourceType ?? item.resourceType;
  const of = kind === 'Assignment' ? (item.GeneralUser ?? item.generalUser) : undefined;
  const team = kind === 'TeamAssignment' ? (item.Team ?? item.team) : undefined;
  if (isObject(of)) return whoOf(of);
  return isObject(team) ? (team.Name ?? team.name) : undefined;
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
