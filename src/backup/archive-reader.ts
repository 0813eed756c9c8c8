/** Reads an archive: all of it once to check it, then members by name. Memory stays bounded whatever the file holds. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { ArchiveError, damaged, fileRefused, otherFile } from './archive-error.js';
import {
  type FileEntry,
  filePartsOf,
  longestManifest,
  type Manifest,
  manifestName,
  parseManifest,
  partsOf,
  sumsName,
  type TableEntry,
} from './manifest.js';
import { blockBytes, endOfTar, padding, parseTarHeader } from './tar.js';
import { countRows, longestRow, unpack } from './unpack.js';

/** A row that cannot be compressed becomes a little longer. */
const longestMember = longestRow + 2 ** 20;

const pieceBytes = 2 ** 20;

interface ArchiveEntry {
  readonly at: number;
  readonly size: number;
}

export class ArchiveReader {
  private readonly places = new Map<string, ArchiveEntry>();
  manifest!: Manifest;

  private constructor(private readonly file: FileHandle) {}

  /** Every byte was read and found right once this gives a reader. */
  static async open(path: string): Promise<ArchiveReader> {
    const entry = await stat(path).catch(fileRefused(path, 'read'));
    if (!entry.isFile())
      throw new ArchiveError(
        `${path} is a ${entry.isDirectory() ? 'directory' : 'device'}, not an archive. Nothing was restored.`,
      );
    const reader = new ArchiveReader(await open(path, 'r').catch(fileRefused(path, 'read')));
    try {
      await reader.check(entry.size);
      return reader;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** The rows of a table as `COPY` spells them. */
  async *rows(table: TableEntry): AsyncGenerator<Buffer> {
    for (const name of partsOf(table)) yield* unpack(name, this.pieces(this.places.get(name)!));
  }

  /** The bytes of an attached file. */
  async *bytes(file: FileEntry): AsyncGenerator<Buffer> {
    for (const name of filePartsOf(file)) yield* this.pieces(this.places.get(name)!);
  }

  private async check(fileBytes: number): Promise<void> {
    const end = await this.checkMembers();
    if (!(await this.read(end, endOfTar.length)).equals(endOfTar) || fileBytes !== end + endOfTar.length)
      throw damaged('something follows its end');
    const place = this.places.get(manifestName);
    if (!place) throw otherFile();
    if (place.size > longestManifest) throw damaged('its manifest is too long');
    this.manifest = parseManifest((await this.read(place.at, place.size)).toString());
    this.checkNames();
    for (const table of this.manifest.tables) await this.checkRows(table);
  }

  /** All up to the checksums, which come last. Gives where these end. */
  private async checkMembers(): Promise<number> {
    let sums = '';
    for (let at = 0; ; ) {
      const member = parseTarHeader(await this.read(at, blockBytes));
      if (!member && at === 0) throw otherFile();
      if (!member || !(member.size <= longestMember)) throw damaged('an entry has a wrong header');
      if (this.places.has(member.name)) throw damaged(`it holds ${member.name} twice`);
      const place = { at: at + blockBytes, size: member.size };
      at = place.at + member.size + padding(member.size).length;
      if (member.name === sumsName) {
        await this.compareSums(place, sums);
        return at;
      }
      this.places.set(member.name, place);
      sums += `${await this.digest(place)}  ${member.name}\n`;
    }
  }

  private async compareSums({ at, size }: ArchiveEntry, sums: string): Promise<void> {
    if (size !== sums.length || (await this.read(at, size)).toString('latin1') !== sums)
      throw damaged('its checksums do not match');
  }

  private async digest(place: ArchiveEntry): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of this.pieces(place)) hash.update(piece);
    return hash.digest('hex');
  }

  /** The checksums say nothing of what is missing, or was put in. */
  private checkNames(): void {
    const named = new Set([manifestName]);
    const { tables, files = [] } = this.manifest;
    const parts = [...tables.map((table) => partsOf(table)), ...files.map((file) => filePartsOf(file))];
    for (const name of parts.flatMap((names) => this.thoseThere(names))) {
      if (named.has(name)) throw damaged(`its manifest names ${name} twice`);
      named.add(name);
    }
    const other = [...this.places.keys()].find((name) => !named.has(name));
    if (other) throw damaged(`its manifest does not name ${other}`);
  }

  private thoseThere(parts: Iterable<string>): string[] {
    const names: string[] = [];
    for (const name of parts) {
      if (!this.places.has(name)) throw damaged(`${name} is missing`);
      names.push(name);
    }
    return names;
  }

  private async checkRows(table: TableEntry): Promise<void> {
    let rows = 0;
    for (const name of partsOf(table)) rows += await countRows(name, unpack(name, this.pieces(this.places.get(name)!)));
    if (rows !== table.rows) throw damaged(`${table.name} has ${rows} rows instead of ${table.rows}`);
  }

  private async *pieces({ at, size }: ArchiveEntry): AsyncGenerator<Buffer> {
    for (let read = 0; read < size; read += pieceBytes)
      yield await this.read(at + read, Math.min(pieceBytes, size - read));
  }

  private async read(at: number, size: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.file.read(Buffer.allocUnsafe(size), 0, size, at);
    if (bytesRead < size) throw at === 0 ? otherFile() : damaged('it is cut off');
    return buffer;
  }
}
