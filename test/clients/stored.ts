/** Compares what a client was given with the rows of the database. */
import { expect } from 'vitest';
import type { Field } from '../../src/model/model.js';
import type { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { type Listing, listedIds } from '../support/listed.js';

// biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
export type Item = Record<string, any>;

/** A page of 1000 holds all rows that it should, with their values; in any order. */
export async function expectWholeList(
  app: TestApp,
  collection: string,
  items: Item[],
  listing?: Listing,
): Promise<void> {
  const listed = (await listedIds(app, collection, listing))!;
  const shown = items.map(({ Id }) => Id as number);
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown).toHaveLength(Math.min(1000, listed.length));
  expect(shown.filter((id) => !listed.includes(id))).toEqual([]);
  await expectStored(app, collection, items);
}

/** Each value and reference that is shown is that of the row. */
export async function expectStored(app: TestApp, collection: string, items: Item[]): Promise<void> {
  const resource = model.collection(collection)!;
  // What projects have gained is stored with them from here on.
  await app.rows('select fold_spans(array(select distinct span_id from span_delta))');
  const rows = await app.rows(`select * from "${resource.table}" where id = any($1)`, [items.map(({ Id }) => Id)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const item of items) {
    const row = byId.get(item.Id);
    expect(row, `${collection} ${item.Id}`).toBeDefined();
    const fields = resource.fields.filter(({ name }) => item[name] !== undefined && item[name] !== null);
    const stored = fields.flatMap((field) => storedValue(field, row) ?? []);
    expect(Object.fromEntries(stored.map(([name]) => [name, shownValue(item[name])]))).toEqual(
      Object.fromEntries(stored),
    );
  }
}

type Row = Record<string, unknown>;

/** Nothing for what is computed and for collections. */
function storedValue(field: Field, row: Row): [string, unknown][] | undefined {
  if (field.kind === 'collection' || field.column === undefined) return undefined;
  const value = row[field.column];
  if (field.kind === 'reference') return [[field.name, value]];
  const read = readers[field.scalar];
  return read && [[field.name, read(value)]];
}

const readers: Partial<Record<string, (value: unknown) => unknown>> = {
  text: (value) => value,
  richText: (value) => value,
  id: (value) => value,
  integer: (value) => value,
  flag: (value) => value,
  long: Number,
  decimal: Number,
  double: Number,
  moment: (value) => wholeSeconds((value as Date).getTime()),
};

function shownValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'Id' in value) return value.Id;
  const milliseconds = /^\/Date\((-?\d+)\+0000\)\/$/.exec(String(value))?.[1];
  return milliseconds === undefined ? value : wholeSeconds(Number(milliseconds));
}

/** Dates of users are shown without a fraction of a second. */
const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
