/**
 * Takes the files of a form: first their bytes are stored, then the rows. Where the rows cannot be, the bytes go, too.
 */
import { Inject, Injectable } from '@nestjs/common';
import { apply } from '../../command/apply.js';
import { commandFor } from '../../command/change.js';
import type { Command } from '../../command/command.js';
import { permitKind } from '../../command/permit.js';
import { badMember, badRequest } from '../../errors.js';
import type { FileStore } from '../../files/file-store.js';
import { FILE_STORE } from '../../files/file-store.token.js';
import { Forms } from '../../files/forms.js';
import { NewFiles, type NewKeys } from '../../files/new-files.js';
import type { SentFile, TakeForm } from '../../files/read-form.js';
import { nowhere, type StoredFile, storeFile } from '../../files/store-file.js';
import type { Saved } from '../../http/answer.js';
import { Batch, briefBatch, briefItem } from '../../http/answer.js';
import { type Ask, Reads } from '../../http/reads.js';
import type { ApiRequest } from '../../http/request.js';
import { Writes } from '../../http/writes.js';
import { parseId } from '../../model/ids.js';
import type { Model, ResourceType } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';

/** A form whose bytes are stored, and nothing else. */
interface Received {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly StoredFile[];
}

@Injectable()
export class Uploads {
  private readonly attachment: ResourceType;
  private readonly general: ResourceType;

  constructor(
    @Inject(MODEL) model: Model,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly forms: Forms,
    private readonly newFiles: NewFiles,
    private readonly reads: Reads,
    private readonly writes: Writes,
  ) {
    this.attachment = model.resource('Attachment');
    this.general = model.general;
  }

  /**
   * `askNow` gives the caller's rights of the moment: an upload takes long. Errors: 400, 401, 403, 408, 413, 429, 503.
   */
  async take(request: ApiRequest, askNow: () => Ask): Promise<Saved> {
    if (await this.writes.isKeyKept(request)) return this.kept(request);
    const ask = askNow();
    permitKind(ask.actor, this.attachment);
    await this.reads.prepare(this.attachment, ask);
    return this.newFiles.during(async (keys) => {
      const store = (file: SentFile) => storeFile(this.store, file, keys.take());
      const field = (name: string, value: string) => this.checkField(name, value, ask);
      return this.attach(await this.receive(request, store, field), keys, request, askNow());
    });
  }

  /** The form is read for its checksums alone: what would be refused by now was stored before. */
  private async kept(request: ApiRequest): Promise<Saved> {
    await this.receive(request, (file) => storeFile(nowhere, file));
    return this.writes.kept(request);
  }

  private async receive(
    request: ApiRequest,
    store: (file: SentFile) => Promise<StoredFile>,
    field?: TakeForm['field'],
  ): Promise<Received> {
    const storing: Promise<StoredFile>[] = [];
    const file = async (sent: SentFile): Promise<void> => {
      const stored = store(sent);
      storing.push(stored);
      await stored;
    };
    const fields = await this.forms.read(request, { file, field });
    const files = await Promise.all(storing);
    // It tells one request from another with the same Idempotency-Key.
    request.body = Buffer.from(JSON.stringify([[...fields], files.map(({ name, sha256 }) => [name, sha256])]));
    return { fields, files };
  }

  /** Nothing more of a form is read that names an entity which is not there. */
  private async checkField(name: string, value: string, ask: Ask): Promise<void> {
    if (name !== 'generalid') return;
    const id = idIn(value);
    if (!(await this.reads.exists(this.general, id, ask)))
      throw badMember('General', `there is no General with Id ${id}, or access to it is forbidden.`);
  }

  private async attach({ fields, files }: Received, keys: NewKeys, request: ApiRequest, ask: Ask): Promise<Saved> {
    if (files.length === 0) throw badRequest('The form holds no file.', 'InvalidBody');
    const commands = () => files.map((file, at) => this.commandOf(file, fields, files.length > 1 ? `[${at}].` : ''));
    return this.writes.answered(request, ask, async (work) => {
      keys.useIn(work);
      const changes = await apply(commands(), work);
      const ids = changes.map(({ id }) => id!);
      const names = ids.map((id) => ({ type: this.attachment.name, id }));
      return {
        created: true,
        keepsSight: false,
        read: (inside) => this.read(ids, inside),
        brief: () =>
          ids.length > 1 ? briefBatch(this.attachment.collection, names, ask.format) : briefItem(names[0]!, ask.format),
      };
    });
  }

  private async read(ids: readonly number[], inside: Ask) {
    if (ids.length === 1) return this.reads.one(this.attachment, ids[0]!, inside);
    return new Batch(this.attachment.collection, await this.reads.many(this.attachment, ids, inside));
  }

  private commandOf(file: StoredFile, fields: Received['fields'], path: string): Command {
    const { key, name, type, size, sha256 } = file;
    const description = fields.get('description') ?? null;
    const values = {
      Name: name,
      UniqueFileName: key,
      MimeType: type,
      Size: String(size),
      Sha256: sha256,
      Description: description,
    };
    const command = commandFor(this.attachment, path, { ...values, General: generalId(fields) });
    return { ...command, isOwn: false };
  }
}

function generalId(fields: Received['fields']): number {
  const text = fields.get('generalid');
  if (text === undefined)
    throw badMember('generalId', 'the Id of the entity that the file belongs to is needed, as a field of the form.');
  return idIn(text);
}

function idIn(text: string): number {
  const id = parseId(text.trim());
  if (id === undefined) throw badMember('generalId', 'a whole number is needed.');
  return id;
}
