/**
 * A server that speaks as much S3 as the service asks for, with one bucket, and compares the checksums of what it is
 * sent.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from './crc32.js';

export const bucket = 'files';

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

export class S3Server {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Upload>();
  /** What is asked, such as `PUT part`. */
  readonly asked: string[] = [];
  /** Spoils a body on its way. */
  spoil = false;
  /** The object whose bytes end before they are all sent. */
  cutOff: string | undefined;
  /** The object whose bytes stop coming in the middle. */
  stalled: string | undefined;
  /** The bucket is gone. */
  isLost = false;
  /** It reads what it is asked, and answers nothing. */
  isSilent = false;
  /** It answers once this is so. */
  private opening: Promise<void> | undefined;
  private server!: Server;
  private readonly answering = new Set<ServerResponse>();
  private count = 0;

  static async start(): Promise<S3Server> {
    const s3 = new S3Server();
    await s3.listen(0);
    return s3;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get env(): Record<string, string> {
    const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret of the bucket' };
    return { S3_BUCKET: bucket, S3_ENDPOINT: this.endpoint, ...keys };
  }

  /** Whose answers are not taken yet. */
  get connections(): number {
    return this.answering.size;
  }

  /** It reads what it is asked, and answers once what this gives is called. */
  hold(): () => void {
    let open = (): void => undefined;
    this.opening = new Promise((resolve) => {
      open = resolve;
    });
    return () => {
      this.opening = undefined;
      open();
    };
  }

  async listen(port: number): Promise<void> {
    this.server = createServer((request, response) => {
      this.answering.add(response);
      response.once('close', () => this.answering.delete(response));
      void this.answer(request, response);
    }).listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Gives the port, to listen on once more. */
  async stop(): Promise<number> {
    const { port } = this.server.address() as AddressInfo;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    return port;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://x');
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    if (this.isSilent) return;
    await this.opening;
    const body = Buffer.concat(chunks);
    if (this.spoil && body.length > 0) body.writeUInt8(body.readUInt8(0) ^ 1, 0);
    const refusal = this.refusal(request, pathname, body);
    if (refusal) return fail(response, ...refusal);
    const key = decodeURIComponent(pathname.slice(bucket.length + 2));
    const kind = kindOf(request.method!, key, searchParams);
    this.asked.push(kind);
    this.handlers[kind]!(response, { key, body, parameters: searchParams, range: request.headers.range });
  }

  private refusal({ headers }: IncomingMessage, path: string, body: Buffer): [number, string] | undefined {
    if (!/^AWS4-HMAC-SHA256 Credential=key\//.test(headers.authorization ?? '')) return [403, 'AccessDenied'];
    if (this.isLost || path.split('/')[1] !== bucket) return [404, 'NoSuchBucket'];
    const told = headers['x-amz-checksum-crc32'];
    if (told === undefined) return undefined;
    return told === checksum(body) ? undefined : [400, 'BadDigest'];
  }

  private readonly handlers: Record<string, (response: ServerResponse, asked: Asked) => void> = {
    'PUT object': (response, { key, body }) => {
      this.objects.set(key, body);
      response.setHeader('etag', '"e"').end();
    },
    'PUT part': (response, { body, parameters }) => {
      const upload = this.uploads.get(parameters.get('uploadId')!);
      if (!upload) return fail(response, 404, 'NoSuchUpload');
      const number = Number(parameters.get('partNumber'));
      upload.parts.set(number, body);
      response.setHeader('etag', `"p${number}"`).setHeader('x-amz-checksum-crc32', checksum(body)).end();
    },
    'POST uploads': (response, { key }) => {
      const id = `u${++this.count}`;
      this.uploads.set(id, { key, parts: new Map() });
      xml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    },
    'POST complete': (response, { key, body, parameters }) => {
      const id = parameters.get('uploadId')!;
      const { parts } = this.uploads.get(id)!;
      const told = [...body.toString().matchAll(/<ChecksumCRC32>([^<]+)</g)].map(([, sum]) => sum);
      const inOrder = [...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
      if (told.join() !== inOrder.map(checksum).join()) return fail(response, 400, 'InvalidPart');
      this.objects.set(key, Buffer.concat(inOrder));
      this.uploads.delete(id);
      xml(response, '<CompleteMultipartUploadResult><ETag>"e-1"</ETag></CompleteMultipartUploadResult>');
    },
    'DELETE upload': (response, { parameters }) => {
      this.uploads.delete(parameters.get('uploadId')!);
      response.writeHead(204).end();
    },
    'DELETE object': (response, { key }) => {
      this.objects.delete(key);
      response.writeHead(204).end();
    },
    'HEAD object': (response, { key }) => {
      response.writeHead(this.objects.has(key) ? 200 : 404).end();
    },
    'GET object': (response, { key, range }) => {
      const object = this.objects.get(key);
      if (!object) return fail(response, 404, 'NoSuchKey');
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
      const part = first === undefined ? object : object.subarray(Number(first), Number(last) + 1);
      response.writeHead(first === undefined ? 200 : 206, { 'content-length': part.length });
      const isCutOff = key === this.cutOff;
      if (!isCutOff && key !== this.stalled) return void response.end(part);
      response.write(part.subarray(0, part.length / 2), () => void (isCutOff && response.destroy()));
    },
    /** One on a page, so that there are several. */
    'GET list': (response, { parameters }) => {
      const keys = [...this.objects.keys()].toSorted();
      const at = Number(parameters.get('continuation-token') ?? 0);
      const entries = keys.slice(at, at + 1).map((key) => {
        const size = this.objects.get(key)!.length;
        return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>2020-01-01T00:00:00Z</LastModified></Contents>`;
      });
      const next = at + 1 < keys.length ? `<NextContinuationToken>${at + 1}</NextContinuationToken>` : '';
      xml(
        response,
        `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`,
      );
    },
    'GET uploads': (response, { parameters }) => {
      const entries = [...this.uploads]
        .filter(([, { key }]) => key.startsWith(parameters.get('prefix') ?? ''))
        .map(
          ([id, { key }]) =>
            `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>2020-01-01T00:00:00Z</Initiated></Upload>`,
        );
      xml(
        response,
        `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`,
      );
    },
  };
}

interface Asked {
  readonly key: string;
  readonly body: Buffer;
  readonly parameters: URLSearchParams;
  readonly range: string | undefined;
}

function kindOf(method: string, key: string, parameters: URLSearchParams): string {
  if (key === '') return parameters.has('uploads') ? 'GET uploads' : 'GET list';
  if (parameters.has('uploads')) return 'POST uploads';
  if (!parameters.has('uploadId')) return `${method} object`;
  return `${method} ${{ PUT: 'part', POST: 'complete', DELETE: 'upload' }[method]}`;
}

function checksum(body: Buffer): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return sum.toString('base64');
}

const xml = (response: ServerResponse, text: string): void =>
  void response.setHeader('content-type', 'application/xml').end(`<?xml version="1.0" encoding="UTF-8"?>${text}`);

function fail(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  xml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
