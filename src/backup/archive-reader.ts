/** Reads an archive: all of it once to check it, then members by name. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { damaged, otherFile } from './archive-error.js';
import { type Manifest, manifestName, parseManifest, partName, sumsName } from './manifest.js';
import { blockBytes, endOfTar, type Member, padding, parseTarHeader } from './tar.js';

/** No member is longer: a part of a table is 4 MiB, or one row. */
const longestMember = 2 ** 30;

export class ArchiveReader {
  private readonly places = new Map<string, { at: number; size: number }>();
  manifest!: Manifest;

  private constructor(private readonly file: FileHandle) {}

  /** Every byte was read and found right once this gives a reader. */
  static async open(path: string): Promise<ArchiveReader> {
    const reader = new ArchiveReader(await open(path, 'r'));
    try {
      await reader.check();
      return reader;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async member(name: string): Promise<Buffer> {
    const place = this.places.get(name);
    if (!place) throw damaged(`${name} is missing`);
    return this.read(place.at, place.size);
  }

  private async check(): Promise<void> {
    let sums = '';
    let at = 0;
    for (let last: Member | undefined; last?.name !== sumsName; ) {
      const member = parseTarHeader(await this.read(at, blockBytes));
      if (!member && at === 0) throw otherFile();
      if (!member || !(member.size <= longestMember)) throw damaged(`after ${last?.name} something else follows`);
      const data = await this.read(at + blockBytes, member.size);
      this.places.set(member.name, { at: at + blockBytes, size: member.size });
      if (member.name !== sumsName) sums += `${createHash('sha256').update(data).digest('hex')}  ${member.name}\n`;
      else if (data.toString() !== sums) throw damaged('its checksums do not match');
      at += blockBytes + member.size + padding(member.size).length;
      last = member;
    }
    await this.read(at, endOfTar.length);
    if (!this.places.has(manifestName)) throw otherFile();
    this.manifest = parseManifest((await this.member(manifestName)).toString());
    for (const { name, parts } of this.manifest.tables)
      if (parts > 0 && !this.places.has(partName(name, parts))) throw damaged(`rows of ${name} are missing`);
  }

  private async read(at: number, size: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.file.read(Buffer.allocUnsafe(size), 0, size, at);
    if (bytesRead < size) throw at === 0 ? otherFile() : damaged('it is cut off');
    return buffer;
  }
}
