/**
 * What the schema of its version takes of an archive. Tables, columns, partitions and sequences that somebody has added
 * to the database have no place there: they are left out, and named.
 */
import { damaged } from './archive-error.js';
import type { Table } from './catalogue.js';
import { isRangeOfDates, type Manifest, type TableEntry } from './manifest.js';

export interface FittedTable {
  readonly entry: TableEntry;
  /** Columns of the archive that the schema does not have. */
  readonly added: readonly string[];
}

export interface Fit {
  readonly tables: readonly FittedTable[];
  readonly partitions: Manifest['partitions'];
  readonly sequences: Manifest['sequences'];
  /** A line for each thing that is left out. */
  readonly leftOut: readonly string[];
}

interface Schema {
  readonly tables: readonly Table[];
  readonly sequences: readonly string[];
}

export function fitTo(schema: Schema, { tables, partitions, sequences }: Manifest): Fit {
  const ours = new Map(schema.tables.map((table) => [table.name, table]));
  mustBeWhole(schema, { tables, sequences });
  const [taken, others] = parted(tables, ({ name }) => ours.has(name));
  const fitted = taken.map((entry) => {
    const columns = new Set(ours.get(entry.name)!.columns);
    return { entry, added: entry.columns.filter((column) => !columns.has(column)) };
  });
  const [kept, otherPartitions] = parted(partitions, ({ parent }) => ours.get(parent)?.isPartitioned === true);
  const odd = kept.find(({ bound }) => !isRangeOfDates(bound));
  if (odd) throw damaged(`the partition ${odd.name} has no bound of the schema of its version`);
  const [set, otherSequences] = parted(sequences, ({ name }) => schema.sequences.includes(name));
  const leftOut = [
    ...others.map(({ name, rows }) => `the table ${name} with ${rows} rows`),
    ...fitted.flatMap(({ entry, added }) => added.map((column) => `the column ${column} of ${entry.name}`)),
    ...otherPartitions.map(({ name }) => `the partition ${name}`),
    ...otherSequences.map(({ name }) => `the sequence ${name}`),
  ];
  return {
    tables: fitted,
    partitions: kept,
    sequences: set,
    leftOut: leftOut.map((what) => `Left out, since Worktrack does not know it: ${what}.`),
  };
}

/** What the schema has, the archive holds. */
function mustBeWhole(schema: Schema, { tables, sequences }: Pick<Manifest, 'tables' | 'sequences'>): void {
  const theirs = new Map(tables.map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of schema.tables)
    if (!columns.every((column) => theirs.get(name)?.has(column)))
      throw damaged(`${name} does not fit the schema of its version`);
  const missing = schema.sequences.find((name) => !sequences.some((each) => each.name === name));
  if (missing) throw damaged(`the sequence ${missing} is missing`);
}

function parted<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}
