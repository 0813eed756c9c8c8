/**
 * Writes an archive: a tar file whose last member holds the checksums of all others. It has its name only once it is
 * complete.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { codeOf } from '../database/embedded/failure.js';
import { ArchiveError, fileRefused } from './archive-error.js';
import { sumsName } from './manifest.js';
import { endOfTar, padding, tarHeader } from './tar.js';

export class ArchiveWriter {
  bytes = 0;
  private readonly sums: string[] = [];

  private constructor(
    private readonly path: string,
    private readonly partial: string,
    private readonly file: FileHandle,
  ) {}

  /** Only its owner may read it. */
  static async create(path: string): Promise<ArchiveWriter> {
    const partial = `${path}.${process.pid}.part`;
    return new ArchiveWriter(path, partial, await open(partial, 'wx', 0o600).catch(fileRefused(path, 'written')));
  }

  async add(name: string, data: Buffer): Promise<void> {
    this.sums.push(`${createHash('sha256').update(data).digest('hex')}  ${name}\n`);
    await this.write(tarHeader({ name, size: data.length }), data, padding(data.length));
  }

  async finish(): Promise<void> {
    await this.add(sumsName, Buffer.from(this.sums.join('')));
    await this.write(endOfTar);
    await this.complete().catch(fileRefused(this.path, 'written'));
  }

  private async complete(): Promise<void> {
    await this.file.sync();
    await this.file.close();
    // Unlike a renaming, it replaces nothing.
    await link(this.partial, this.path).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? new ArchiveError(`${this.path} exists already.`) : error;
    });
    await rm(this.partial);
  }

  async abandon(): Promise<void> {
    await this.file.close().catch(() => undefined);
    await rm(this.partial, { force: true });
  }

  private async write(...parts: Buffer[]): Promise<void> {
    for (const part of parts) {
      await this.file.writeFile(part).catch(fileRefused(this.path, 'written'));
      this.bytes += part.length;
    }
  }
}
