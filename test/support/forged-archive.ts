/** Archives that no backup writes: members are changed, and the checksums are made anew. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Manifest, manifestName, partName, sumsName } from '../../src/backup/manifest.js';
import { blockBytes, endOfTar, padding, parseTarHeader, tarHeader } from '../../src/backup/tar.js';

export class ForgedArchive {
  private readonly members = new Map<string, Buffer>();

  constructor(original: string) {
    const bytes = readFileSync(original);
    for (let at = 0; ; ) {
      const { name, size } = parseTarHeader(bytes.subarray(at, at + blockBytes))!;
      if (name === sumsName) return;
      this.members.set(name, bytes.subarray(at + blockBytes, at + blockBytes + size));
      at += blockBytes + size + padding(size).length;
    }
  }

  set(name: string, data: Buffer | string): this {
    this.members.set(name, Buffer.from(data));
    return this;
  }

  without(name: string): this {
    this.members.delete(name);
    return this;
  }

  /** Changes the manifest in place. */
  manifest(change: (manifest: Mutable<Manifest>) => void): this {
    const manifest = JSON.parse(this.members.get(manifestName)!.toString()) as Mutable<Manifest>;
    change(manifest);
    return this.set(manifestName, JSON.stringify(manifest));
  }

  /** The rows of a table, which has one part. */
  rows(table: string, change: (rows: string[]) => string[]): this {
    const name = partName(table, 1);
    const rows = gunzipSync(this.members.get(name)!).toString().trimEnd().split('\n');
    const changed = change(rows);
    this.manifest(({ tables }) => {
      tables.find((each) => each.name === table)!.rows = changed.length;
    });
    return this.set(name, gzipSync(changed.map((row) => `${row}\n`).join('')));
  }

  write(path: string, behind = Buffer.alloc(0)): string {
    const sums = [...this.members].map(
      ([name, data]) => `${createHash('sha256').update(data).digest('hex')}  ${name}\n`,
    );
    const all: [string, Buffer][] = [...this.members, [sumsName, Buffer.from(sums.join(''))]];
    const blocks = all.map(([name, data]) => [tarHeader({ name, size: data.length }), data, padding(data.length)]);
    writeFileSync(path, Buffer.concat([...blocks.flat(), endOfTar, behind]));
    return path;
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] extends object ? Mutable<T[Name]> : T[Name] };
