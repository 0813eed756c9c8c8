/** What an archive holds, as its member `manifest.json` says. */
import { isKey } from '../files/file-store.js';
import { ArchiveError, damaged, otherFile } from './archive-error.js';

export interface TableEntry {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Members that its rows are cut into. */
  readonly parts: number;
}

/** The bytes of an attached file. */
export interface FileEntry {
  readonly key: string;
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
  /** Archives of older versions have none. */
  readonly files?: readonly FileEntry[];
  readonly sequences: readonly { readonly name: string; readonly last: string; readonly isCalled: boolean }[];
}

export const manifestName = 'manifest.json';

/** Room for two million files. What is longer is not written, since it would not be read. */
export const longestManifest = 128 * 2 ** 20;

/** Of the shortest entries, each with the comma behind it. */
const mostFiles = Math.floor(longestManifest / `${JSON.stringify({ key: '0'.repeat(32), parts: 0 })},`.length);

/** Asked before files are read, which may take hours. */
export function mustHaveRoom(files: number): void {
  if (files > mostFiles) throw noRoom(files);
}

export function spelledManifest(manifest: Manifest): Buffer {
  const text = Buffer.from(JSON.stringify(manifest));
  if (text.length <= longestManifest) return text;
  throw noRoom(manifest.files?.length ?? 0);
}

const noRoom = (files: number): ArchiveError =>
  new ArchiveError(`An archive has room for two million files, and ${files} are attached.`);

export const sumsName = 'SHA256SUMS';

export const partName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy.gz`;

/** The members that hold the rows of a table. */
export function* partsOf({ name, parts }: TableEntry): Generator<string> {
  for (let part = 1; part <= parts; part++) yield partName(name, part);
}

export const filePartName = (key: string, part: number): string => `files/${key}/${String(part).padStart(6, '0')}`;

/** The members that hold the bytes of a file. */
export function* filePartsOf({ key, parts }: FileEntry): Generator<string> {
  for (let part = 1; part <= parts; part++) yield filePartName(key, part);
}

/** The bounds of partitions that the schema has. */
export const isRangeOfDates = (bound: string): boolean =>
  bound === 'DEFAULT' || new RegExp(`^FOR VALUES FROM \\(${endOfRange}\\) TO \\(${endOfRange}\\)$`).test(bound);

const endOfRange = "(?:MINVALUE|MAXVALUE|'(?:-?infinity|[\\d :.+-]+(?: BC)?)')";

/** All of it is checked: an archive need not be our own, and names become parts of statements. */
export function parseManifest(text: string): Manifest {
  const manifest = parsedJson(text);
  if (!isObject(manifest) || manifest.format !== 'worktrack-backup') throw otherFile();
  const { formatVersion } = manifest;
  if (isCount(formatVersion) && formatVersion !== 1)
    throw new ArchiveError(`The archive has the form ${formatVersion}; this version reads 1. Nothing was restored.`);
  const wrong = Object.keys(members).find((name) => !members[name as keyof Manifest](manifest[name]));
  if (wrong) throw damaged(`'${wrong}' of its manifest is wrong`);
  return manifest as unknown as Manifest;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged('its manifest is no JSON');
  }
}

type Test = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Test = (value) => typeof value === 'string';
const isName: Test = (value) => typeof value === 'string' && /^\w{1,63}$/.test(value);
/** People may have given it to what they have added. */
const isLabel: Test = (value) => typeof value === 'string' && /^[^\0]{1,63}$/u.test(value);
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag: Test = (value) => typeof value === 'boolean';
const isNumeral: Test = (value) => typeof value === 'string' && /^-?\d{1,19}$/.test(value);

const isListOf =
  (test: Test, least = 0): Test =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(test);
const isObjectOf =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) =>
    isObject(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

const areFiles = isListOf(isObjectOf({ key: (value) => typeof value === 'string' && isKey(value), parts: isCount }));

const members: Record<keyof Manifest, Test> = {
  format: isText,
  formatVersion: (value) => value === 1,
  createdAt: isText,
  worktrack: isText,
  postgresql: isText,
  migrations: isListOf(isName),
  tables: isListOf(isObjectOf({ name: isLabel, columns: isListOf(isLabel, 1), rows: isCount, parts: isCount })),
  files: (value) => value === undefined || areFiles(value),
  partitions: isListOf(isObjectOf({ name: isLabel, parent: isLabel, bound: isText })),
  sequences: isListOf(isObjectOf({ name: isLabel, last: isNumeral, isCalled: isFlag })),
};
