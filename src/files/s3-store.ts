/**
 * Files in a bucket of a service that speaks S3. What is longer than a part goes as several, of which one is in memory
 * at a time; the object is there once all of them are. Each part carries its checksum, which the service compares.
 */
import type { Readable } from 'node:stream';
import type { CompletedPart, S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '../config/config.js';
import { FileStoreError } from '../errors.js';
import { type ByteRange, type Bytes, isKey, type PlacedStore, type StoredObject } from './file-store.js';
import { inParts, type Part } from './in-parts.js';

/** S3 takes 10,000 parts of an object. */
const partBytes = 16 * 2 ** 20;

/** A file whose bytes stop coming is given up then; the slowest reader there may be takes some every few minutes. */
const stillMs = 600_000;

/** Of one question, where the bucket cannot be reached or does not answer. */
const tries = 3;

/** Transfers of files are bounded already: one that is let in waits for no other. */
const agent = { maxSockets: Number.POSITIVE_INFINITY };

/** The empty object that marks a place whose files are lost: a folder, for those who show a bucket as folders. */
const mark = '00/';

type Sdk = typeof import('@aws-sdk/client-s3');

/** Of one question. A file that is read has that of each try and its reader's, which cuts off its bytes, too. */
interface Bound {
  readonly requestTimeout: number;
  readonly abortSignal: AbortSignal;
}

export async function openS3Store(config: S3Config): Promise<PlacedStore> {
  // Else it warns, at each start and command on Node 20, of versions of itself that this package does not take.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await import('@aws-sdk/client-s3');
  return new S3Store(sdk, clientOf(sdk, config), config);
}

function clientOf({ S3Client }: Sdk, { endpoint, region, accessKeyId, secretAccessKey, answerMs }: S3Config): S3Client {
  return new S3Client({
    region,
    endpoint,
    // Services of one's own have no name for each bucket.
    forcePathStyle: endpoint !== undefined,
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: tries,
    requestHandler: {
      connectionTimeout: 4000,
      requestTimeout: Math.ceil(answerMs / tries),
      throwOnRequestTimeout: true,
      socketTimeout: stillMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

/** Of several parts; without an id as long as it is none. */
interface Upload {
  readonly key: string;
  id?: string | undefined;
  readonly sent: CompletedPart[];
}

class S3Store implements PlacedStore {
  readonly ofAnother: string;

  constructor(
    private readonly sdk: Sdk,
    private readonly client: S3Client,
    private readonly config: S3Config,
  ) {
    this.ofAnother = `The bucket ${config.bucket} has none of the files of this database: until S3_BUCKET names theirs, or is left out where they lie in DATA_DIR, uploads, downloads and backups are refused. If they are lost for good, store an empty object 00/ there.`;
  }

  has(key: string): Promise<boolean> {
    return this.holds(this.at(key));
  }

  isMarked(): Promise<boolean> {
    return this.holds({ Bucket: this.config.bucket, Key: mark });
  }

  async markPlace(): Promise<void> {
    const put = new this.sdk.PutObjectCommand({ Bucket: this.config.bucket, Key: mark, Body: '' });
    await this.ask((bound) => this.client.send(put, bound));
  }

  async write(key: string, bytes: Bytes): Promise<void> {
    const parts = inParts(bytes, partBytes);
    const upload: Upload = { key, sent: [] };
    try {
      while (await this.putNext(parts, upload));
    } catch (error) {
      await parts.return(undefined).catch(() => undefined);
      if (upload.id !== undefined) await this.abort(key, upload.id).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, range?: ByteRange, abortSignal?: AbortSignal): Promise<Readable | undefined> {
    const Range = range && `bytes=${range.first}-${range.last}`;
    const command = new this.sdk.GetObjectCommand({ ...this.at(key), Range });
    try {
      const { Body } = await this.client.send(command, { abortSignal });
      return Body as Readable | undefined;
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw new FileStoreError(error);
    }
  }

  async remove(key: string): Promise<void> {
    await this.ask((bound) => this.client.send(new this.sdk.DeleteObjectCommand(this.at(key)), bound));
    await this.removePartial(key);
  }

  async removePartial(key: string): Promise<void> {
    for await (const { Key, UploadId } of this.uploads(key)) if (Key === key) await this.abort(key, UploadId);
  }

  async *list(): AsyncGenerator<StoredObject> {
    let ContinuationToken: string | undefined;
    do {
      const command = new this.sdk.ListObjectsV2Command({ Bucket: this.config.bucket, ContinuationToken });
      const page = await this.ask((bound) => this.client.send(command, bound));
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
        if (isKey(Key)) yield { key: Key, bytes: Size, writtenAt: LastModified, isPartial: false };
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    for await (const { Key = '', Initiated = new Date(0) } of this.uploads())
      if (isKey(Key)) yield { key: Key, bytes: 0, writtenAt: Initiated, isPartial: true };
  }

  /**
   * Whether there are more. A function of its own: whoever waits in a loop keeps the part before in memory until the
   * next one is there.
   */
  private async putNext(parts: AsyncGenerator<Part>, upload: Upload): Promise<boolean> {
    const { bytes, isLast } = (await parts.next()).value as Part;
    if (isLast && upload.id === undefined) {
      const put = new this.sdk.PutObjectCommand({ ...this.at(upload.key), Body: bytes });
      await this.ask((bound) => this.client.send(put, bound));
      return false;
    }
    upload.id ??= await this.begin(upload.key);
    await this.putPart(bytes, upload);
    if (isLast) await this.complete(upload);
    return !isLast;
  }

  private async begin(key: string): Promise<string | undefined> {
    const begin = new this.sdk.CreateMultipartUploadCommand({ ...this.at(key), ChecksumAlgorithm: 'CRC32' });
    return (await this.ask((bound) => this.client.send(begin, bound))).UploadId;
  }

  private async putPart(Body: Buffer, { key, id: UploadId, sent }: Upload): Promise<void> {
    const PartNumber = sent.length + 1;
    const part = { ...this.at(key), UploadId, PartNumber, Body, ChecksumAlgorithm: 'CRC32' } as const;
    const command = new this.sdk.UploadPartCommand(part);
    const { ETag, ChecksumCRC32 } = await this.ask((bound) => this.client.send(command, bound));
    sent.push({ PartNumber, ETag, ChecksumCRC32 });
  }

  private async complete({ key, id: UploadId, sent: Parts }: Upload): Promise<void> {
    const end = { ...this.at(key), UploadId, MultipartUpload: { Parts } };
    const command = new this.sdk.CompleteMultipartUploadCommand(end);
    await this.ask((bound) => this.client.send(command, bound));
  }

  private async abort(key: string, UploadId: string | undefined): Promise<void> {
    const command = new this.sdk.AbortMultipartUploadCommand({ ...this.at(key), UploadId });
    await this.ask((bound) => this.client.send(command, bound));
  }

  /** Uploads in parts that did not come to their end. */
  private async *uploads(Prefix?: string) {
    let KeyMarker: string | undefined;
    let UploadIdMarker: string | undefined;
    do {
      const command = new this.sdk.ListMultipartUploadsCommand({
        Bucket: this.config.bucket,
        Prefix,
        KeyMarker,
        UploadIdMarker,
      });
      const page = await this.ask((bound) => this.client.send(command, bound));
      yield* page.Uploads ?? [];
      [KeyMarker, UploadIdMarker] = page.IsTruncated ? [page.NextKeyMarker, page.NextUploadIdMarker] : [];
    } while (KeyMarker !== undefined);
  }

  private holds(object: { Bucket: string; Key: string }): Promise<boolean> {
    const head = new this.sdk.HeadObjectCommand(object);
    return this.ask((bound) => this.client.send(head, bound).then(() => true, unlessMissing));
  }

  private at(Key: string): { Bucket: string; Key: string } {
    if (!isKey(Key)) throw new Error('not a key of a file');
    return { Bucket: this.config.bucket, Key };
  }

  /** Together, all tries take no longer than the bucket may; one takes as long where it sends 16 MiB. */
  private async ask<T>(act: (bound: Bound) => Promise<T>): Promise<T> {
    const { answerMs } = this.config;
    try {
      return await act({ requestTimeout: answerMs, abortSignal: AbortSignal.timeout(answerMs) });
    } catch (error) {
      throw new FileStoreError(error);
    }
  }
}

/** An answer to HEAD has no body that would name the error. */
function unlessMissing(error: unknown): false {
  if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404) return false;
  throw error;
}
