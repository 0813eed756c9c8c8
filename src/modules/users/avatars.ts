/** Pictures of users: reduced to a small square when they come. `AvatarUri` tells the key that the bytes lie below. */
import { Inject, Injectable } from '@nestjs/common';
import { apply } from '../../command/apply.js';
import { commandFor, type Work } from '../../command/change.js';
import type { DatabasePool } from '../../database/pool.js';
import { PRIMARY_POOL } from '../../database/pools.js';
import { badRequest, notFound } from '../../errors.js';
import { avatarKey, avatarUri } from '../../files/avatar-uri.js';
import { FileRemovals } from '../../files/file-removals.js';
import { bytesOf, type FileStore, gathered } from '../../files/file-store.js';
import { FILE_STORE } from '../../files/file-store.token.js';
import { isShownInPlace, typeOfContent } from '../../files/file-type.js';
import { Forms } from '../../files/forms.js';
import { NewFiles } from '../../files/new-files.js';
import { PictureError } from '../../files/picture-error.js';
import { type Picture, Pictures, pictureLimits } from '../../files/pictures.js';
import type { SentFile } from '../../files/read-form.js';
import { nowhere, type StoredFile, storeFile } from '../../files/store-file.js';
import { briefItem, type Item } from '../../http/answer.js';
import { type Ask, Reads } from '../../http/reads.js';
import type { ApiRequest } from '../../http/request.js';
import { Writes } from '../../http/writes.js';
import type { Model, ResourceType } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';

const square = { width: 256, height: 256, fit: 'cover' } as const;

const uriOf = 'select avatar_uri as uri from general_user where id = $1::bigint';

@Injectable()
export class Avatars {
  private readonly user: ResourceType;

  constructor(
    @Inject(MODEL) model: Model,
    @Inject(PRIMARY_POOL) private readonly pool: DatabasePool,
    @Inject(FILE_STORE) private readonly files: FileStore,
    private readonly forms: Forms,
    private readonly newFiles: NewFiles,
    private readonly removals: FileRemovals,
    private readonly pictures: Pictures,
    private readonly reads: Reads,
    private readonly writes: Writes,
  ) {
    this.user = model.resource('GeneralUser');
  }

  /** Undefined: there is none. */
  async keyOf(userId: number, { actor }: ApiRequest): Promise<string | undefined> {
    const [row] = await this.pool.rowsFor<{ uri: string | null }>(actor.userId, uriOf, [userId]);
    return avatarKey(row?.uri ?? null);
  }

  async read(userId: number, key: string): Promise<{ type: string; bytes: Buffer }> {
    const bytes = await this.whole(key, AbortSignal.timeout(this.pictures.readingMs));
    if (!bytes) throw notFound('Avatar of user', userId);
    return { type: await typeOfContent(bytes), bytes };
  }

  /** Takes the picture of a form; `askNow` is called once it has come. Errors: 400, 413, 429, 503. */
  async replace(userId: number, request: ApiRequest, askNow: () => Promise<Ask>): Promise<Item> {
    if (await this.writes.isKeyKept(request)) {
      await this.sent(request, (file) => storeFile(nowhere, file));
      return (await this.writes.kept(request)).answer as Item;
    }
    const { bytes } = await this.received(request);
    const ask = await askNow();
    return this.newFiles.during(async (keys) => {
      const key = keys.take();
      await this.files.write(key, [bytes], () => bytes.length);
      return this.store(userId, key, request, ask, (work) => keys.useIn(work));
    });
  }

  remove(userId: number, request: ApiRequest, ask: Ask): Promise<Item> {
    return this.store(userId, undefined, request, ask);
  }

  /** The bytes of the picture before it go with it. */
  private async store(
    userId: number,
    key: string | undefined,
    request: ApiRequest,
    ask: Ask,
    within?: (work: Work) => void,
  ): Promise<Item> {
    const values = { AvatarUri: key === undefined ? null : avatarUri(userId, key) };
    const saved = await this.writes.answered(request, ask, async (work) => {
      within?.(work);
      const [row] = await work.rows<{ uri: string | null }>(`${uriOf} for update`, [userId]);
      const before = avatarKey(row?.uri ?? null);
      if (before !== undefined) work.afterCommit(() => this.removals.remove([before]));
      await apply([commandFor(this.user, '', values, userId)], work);
      return {
        created: false,
        keepsSight: true,
        read: (inside) => this.reads.one(this.user, userId, inside),
        brief: () => briefItem({ type: this.user.name, id: userId }, ask.format),
      };
    });
    return saved.answer as Item;
  }

  /** Its bytes lie in the store until it is their turn: many wait, and each may be large. */
  private async received(request: ApiRequest): Promise<Picture> {
    return this.newFiles.during(async (keys) => {
      const sent = await this.sent(request, (file) => storeFile(this.files, file, keys.take()));
      if (!isShownInPlace(sent.type)) throw noPicture();
      return this.made(sent.key, request);
    });
  }

  private async sent(request: ApiRequest, store: (file: SentFile) => Promise<StoredFile>): Promise<StoredFile> {
    const storing: Promise<StoredFile>[] = [];
    const file = async (sent: SentFile): Promise<void> => {
      const stored = store(sent);
      storing.push(stored);
      await stored;
    };
    const fileBytes = Math.min(pictureLimits.bytes, this.forms.limits.fileBytes);
    await this.forms.read(request, { file }, { files: 1, fileBytes });
    const [stored] = await Promise.all(storing);
    if (!stored || stored.size === 0) throw badRequest('The form holds no picture.', 'InvalidBody');
    // It tells one request from another with the same Idempotency-Key.
    request.body = Buffer.from(stored.sha256, 'hex');
    return stored;
  }

  private made(key: string, { actor, raw }: ApiRequest): Promise<Picture> {
    const read = async (signal: AbortSignal): Promise<Buffer> => (await this.whole(key, signal)) ?? Buffer.alloc(0);
    return this.pictures.make(actor.userId, square, read, raw.socket).catch((error: unknown) => {
      throw error instanceof PictureError ? noPicture() : error;
    });
  }

  private async whole(key: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const stored = await this.files.read(key, undefined, signal);
    return stored && gathered(bytesOf(stored));
  }
}

const noPicture = () =>
  badRequest(
    `image: a picture in PNG, JPEG, GIF or WebP of at most ${pictureLimits.pixels / 1e6} megapixels, ${pictureLimits.side} on a side, is needed.`,
    'InvalidBody',
  );
