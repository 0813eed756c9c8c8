/** What an archive holds, as its member `manifest.json` says. */
import { ArchiveError, otherFile } from './archive-error.js';

export interface TableEntry {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Members that its rows are cut into. */
  readonly parts: number;
}

export interface Manifest {
  readonly format: 'worktrack-backup';
  readonly formatVersion: 1;
  readonly createdAt: string;
  readonly worktrack: string;
  readonly postgresql: string;
  /** The version of the schema: what was carried out, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly TableEntry[];
  readonly partitions: readonly { readonly name: string; readonly parent: string; readonly bound: string }[];
  readonly sequences: readonly { readonly name: string; readonly last: string; readonly isCalled: boolean }[];
}

export const manifestName = 'manifest.json';
export const sumsName = 'SHA256SUMS';

export const partName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy.gz`;

/** What of it becomes part of a statement is checked: an archive need not be our own. */
export function parseManifest(text: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 'worktrack-backup') throw otherFile();
  if (manifest.formatVersion !== 1)
    throw new ArchiveError(`The archive has the form ${manifest.formatVersion}; this version reads 1.`);
  const names = [
    ...manifest.tables.flatMap(({ name, columns }) => [name, ...columns]),
    ...manifest.partitions.flatMap(({ name, parent }) => [name, parent]),
    ...manifest.sequences.map(({ name }) => name),
  ];
  const odd = names.find((name) => !/^\w+$/.test(name)) ?? manifest.partitions.find(({ bound }) => !isBound(bound));
  if (odd) throw otherFile();
  return manifest;
}

const isBound = (bound: string): boolean =>
  /^(DEFAULT|FOR VALUES FROM \('[\d :.+-]+'\) TO \('[\d :.+-]+'\))$/.test(bound);
