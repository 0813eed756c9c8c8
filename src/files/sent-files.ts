/**
 * Files that bodies hold in base64, as `Content` of new attachments. Their bytes are stored ahead of the transaction
 * that stores their rows: it waits for nothing but the database.
 */
import { Inject, Injectable } from '@nestjs/common';
import { unknownReference } from '../command/assign-values.js';
import { commandFor } from '../command/change.js';
import type { Command } from '../command/command.js';
import { permitKind } from '../command/permit.js';
import { everyCommand } from '../command/traverse.js';
import { badMember } from '../errors.js';
import { type Ask, Reads } from '../http/reads.js';
import type { NextCommands, SentFiles as SentFilesOfBodies } from '../http/sent-files.token.js';
import type { Model, ReferenceField, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { turnIfDue } from '../turns/slices.js';
import type { FileStore } from './file-store.js';
import { FILE_STORE } from './file-store.token.js';
import { NewFiles, type NewKeys } from './new-files.js';
import { type StoredFile, storeFile } from './store-file.js';

/** How many files of one request are stored at a time. */
const mostAtOnce = 4;

@Injectable()
export class SentFiles implements SentFilesOfBodies {
  private readonly attachment: ResourceType;

  constructor(
    @Inject(MODEL) model: Model,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly newFiles: NewFiles,
    private readonly reads: Reads,
  ) {
    this.attachment = model.resource('Attachment');
  }

  areIn(commands: readonly Command[]): boolean {
    return this.holding(commands).length > 0;
  }

  async during<T>(
    commands: Command[],
    again: () => Promise<Command[]>,
    ask: Ask,
    write: (next: NextCommands) => Promise<T>,
  ): Promise<T> {
    const attempts = [commands];
    const next = async (): Promise<Command[]> => attempts.pop() ?? (await again());
    const holding = this.holding(commands);
    if (holding.length === 0) return write(next);
    permitKind(ask.actor, this.attachment);
    const contents = await decodedOf(holding);
    await this.refuseMissing(holding, ask);
    return this.newFiles.during(async (keys) => {
      const files = await this.storedOf(contents, keys);
      return write(async (work) => {
        keys.useIn(work);
        const all = await next();
        this.holding(all).forEach((command, at) => void this.replace(command, files[at]!));
        return all;
      });
    });
  }

  /** In their order. The bytes of a file that is there do not change. */
  private holding(commands: readonly Command[]): Command[] {
    return [...everyCommand(commands)].filter(
      (command) => command.resource === this.attachment && command.id === undefined && contentOf(command) !== undefined,
    );
  }

  /** Nothing is stored for what is not there. */
  private async refuseMissing(commands: readonly Command[], ask: Ask): Promise<void> {
    for (const field of this.attachment.fields) {
      if (field.kind !== 'reference' || !field.isRequired) continue;
      const ids = commands.map((command) => idBehind(command, field));
      const wanted = new Set(ids.filter((id) => id !== undefined));
      const there = await this.reads.existing(field.target, [...wanted], ask);
      const missing = ids.findIndex((id) => id !== undefined && !there.has(id));
      if (missing >= 0) throw unknownReference(commands[missing]!, field, ids[missing]!);
    }
  }

  private async storedOf(contents: readonly Buffer[], keys: NewKeys): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for (let at = 0; at < contents.length; at += mostAtOnce) {
      const storing = contents
        .slice(at, at + mostAtOnce)
        .map((bytes) => storeFile(this.store, { name: '', bytes: [bytes], atMost: () => bytes.length }, keys.take()));
      // None is being written any more when they are removed.
      await Promise.allSettled(storing);
      files.push(...(await Promise.all(storing)));
    }
    return files;
  }

  private replace(command: Command, { key, type, size, sha256 }: StoredFile): void {
    const values = { UniqueFileName: key, MimeType: type, Size: String(size), Sha256: sha256 };
    const others = command.scalars.filter(({ field }) => field.property !== content);
    command.scalars = [...others, ...commandFor(this.attachment, '', values).scalars];
  }
}

function idBehind({ references }: Command, field: ReferenceField): number | undefined {
  const to = references.find((sent) => sent.field === field)?.to;
  return to?.kind === 'id' ? to.id : undefined;
}

const content = 'base64';

function contentOf({ scalars }: Command): string | undefined {
  const value = scalars.find(({ field }) => field.property === content)?.value;
  return typeof value === 'string' ? value : undefined;
}

async function decodedOf(commands: readonly Command[]): Promise<Buffer[]> {
  const contents: Buffer[] = [];
  for (const command of commands) {
    contents.push(decoded(contentOf(command)!, command));
    await turnIfDue();
  }
  return contents;
}

function decoded(base64: string, { path }: Command): Buffer {
  const text = base64.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw badMember(`${path}Content`, 'this is no base64.');
  return Buffer.from(text, 'base64');
}
