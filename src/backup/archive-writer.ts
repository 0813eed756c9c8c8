/**
 * Writes an archive: a tar file whose last member holds the checksums of all others. It has its name only once it is
 * complete.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, link, open, readdir, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../database/embedded/failure.js';
import { isAbandoned, partialSuffix } from '../files/partial-name.js';
import { endProcess } from '../server/end-process.js';
import { ArchiveError, fileRefused } from './archive-error.js';
import { sumsName } from './manifest.js';
import { endOfTar, padding, tarHeader } from './tar.js';

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class ArchiveWriter {
  bytes = 0;
  private readonly sums: string[] = [];

  private readonly interrupted = (signal: NodeJS.Signals): void => {
    rmSync(this.partial, { force: true });
    // Without this handler the signal ends the process, except process 1 of a container.
    this.ignoreSignals();
    process.kill(process.pid, signal);
    void endProcess(128 + constants.signals[signal]);
  };

  private constructor(
    private readonly path: string,
    private readonly partial: string,
    private readonly file: FileHandle,
  ) {
    for (const signal of endingSignals) process.on(signal, this.interrupted);
  }

  /** Only its owner may read it. What others that were killed have left beside it goes. */
  static async create(path: string): Promise<ArchiveWriter> {
    const directory = dirname(path);
    const partial = `${path}${partialSuffix}`;
    const left = (await readdir(directory).catch(() => [])).filter(isAbandoned);
    for (const name of [...left, basename(partial)]) await rm(join(directory, name), { force: true }).catch(() => {});
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
    await giveName(this.partial, this.path).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? new ArchiveError(`${this.path} exists already.`) : error;
    });
    await rm(this.partial, { force: true });
    this.ignoreSignals();
  }

  async abandon(): Promise<void> {
    await this.file.close().catch(() => undefined);
    await rm(this.partial, { force: true });
    this.ignoreSignals();
  }

  private ignoreSignals(): void {
    for (const signal of endingSignals) process.off(signal, this.interrupted);
  }

  private async write(...parts: Buffer[]): Promise<void> {
    for (const part of parts) {
      await this.file.writeFile(part).catch(fileRefused(this.path, 'written'));
      this.bytes += part.length;
    }
  }
}

/** Unlike a renaming, it replaces nothing. */
async function giveName(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (conclusive.has(codeOf(error))) throw error;
    renameToFree(from, to);
  }
}

/**
 * Where a renaming is of no help. Many disks that are carried or mounted have no links, and refuse them with codes
 * of any kind.
 */
const conclusive = new Set<unknown>(['EEXIST', 'ENOSPC', 'EDQUOT', 'EROFS', 'ENOENT']);

/** The name is taken first, by an empty file. At once, so that no signal is handled while that has it. */
function renameToFree(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600));
  try {
    renameSync(from, to);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}
