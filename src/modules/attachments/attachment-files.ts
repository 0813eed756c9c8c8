/** The file of an attachment, found for whoever may see what it is attached to. */
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { DatabasePool } from '../../database/pool.js';
import { PRIMARY_POOL } from '../../database/pools.js';
import { missingParameter, notFound } from '../../errors.js';
import { addressValue } from '../../files/address-value.js';
import { type ByteRange, bytesOf, type FileStore, gathered, isKey } from '../../files/file-store.js';
import { FILE_STORE } from '../../files/file-store.token.js';
import type { ApiRequest } from '../../http/request.js';
import { idOf } from '../../http/resource.service.js';
import type { Model } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { AttachmentsService } from './attachments.service.js';

export interface AttachedFile {
  readonly id: number;
  readonly name: string;
  readonly type: string | null;
  readonly size: number;
  readonly key: string | null;
  /** The content of an attachment of the demonstration data. */
  readonly content: Buffer | null;
}

const fileById = `select id, name, mime_type as type, size, unique_file_name as key, content from attachment where id = $1`;

@Injectable()
export class AttachmentFiles {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly attachments: AttachmentsService,
  ) {}

  /** That of the parameter `AttachmentID`. Errors: 400, 404. */
  async of(request: ApiRequest): Promise<AttachedFile> {
    const sent = addressValue(request, 'AttachmentID');
    if (sent === '') throw missingParameter('AttachmentID');
    const id = idOf(sent, (text) => notFound('Attachment', text));
    await this.attachments.mustExist(this.model.resource('Attachment'), id, request);
    const [row] = await this.pool.rowsFor<AttachedFile>(request.actor.userId, fileById, [id]);
    if (!row || (row.content === null && !isKey(row.key))) throw notFound('Attachment', id);
    return { ...row, size: row.content?.length ?? Number(row.size) };
  }

  /**
   * Errors: 404 where the bytes are lost, 503. Where some of them are missing, the stream fails instead of ending
   * early.
   */
  async read({ id, key, content, size }: AttachedFile, range?: ByteRange, signal?: AbortSignal): Promise<Readable> {
    if (content) return Readable.from([range ? content.subarray(range.first, range.last + 1) : content]);
    const bytes = await this.store.read(key!, range, signal);
    if (!bytes) throw notFound('Attachment', id);
    const length = range ? range.last - range.first + 1 : size;
    const whole = Readable.from(exactly(length, bytes, `attachment ${id}`), { objectMode: false });
    // What is closed before anybody reads has not begun, and ends nothing itself.
    return whole.once('close', () => bytes.destroy());
  }

  /** Errors: 404 where the bytes are lost, 503. */
  async mustBeThere(file: AttachedFile): Promise<void> {
    (await this.read(file, file.size > 0 ? { first: 0, last: 0 } : undefined)).destroy();
  }

  /** For files of a bounded size. */
  async whole(file: AttachedFile, signal: AbortSignal): Promise<Buffer> {
    return gathered(await this.read(file, undefined, signal));
  }
}

/** Whoever was promised so many bytes would wait for those that never come, and take others for another answer. */
async function* exactly(length: number, bytes: Readable, what: string): AsyncGenerator<Buffer> {
  let missing = length;
  for await (const chunk of bytesOf(bytes)) {
    missing -= chunk.length;
    if (missing < 0) break;
    yield chunk;
    // The answer ends with its last byte: clients may leave right behind it.
    if (missing === 0) return;
  }
  if (missing < 0) throw new Error(`${what}: there are more than ${length} bytes`);
  if (missing !== 0) throw new Error(`${what}: ${missing} of ${length} bytes are missing`);
}
