/** Reads a multipart form as it comes: fields are kept, files are handed on as streams, one behind the other. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ApiError, badRequest, bodyTooLarge } from '../errors.js';

/** What a form may hold. */
export interface FormLimits {
  readonly files: number;
  readonly fileBytes: number;
}

const fieldLimits = { fields: 20, fieldSize: 64 * 1024, headerPairs: 20, headerSize: 16 * 1024 };

/** Room for the fields and for what stands between the parts. */
const frameBytes = 2 * 1024 * 1024;

export const formBytes = ({ files, fileBytes }: FormLimits): number => files * fileBytes + frameBytes;

export interface SentFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Takes a file to its end. It fails with what the bytes fail with. */
export type TakeFile = (file: SentFile) => Promise<void>;

export interface FormReading {
  /** The fields by their names in small letters, once all files are taken. Errors: 400, 413, and what `take` fails with. */
  readonly fields: Promise<ReadonlyMap<string, string>>;
  /** Refuses the rest of it. */
  fail(error: unknown): void;
}

export function readForm(request: IncomingMessage, limits: FormLimits, take: TakeFile): FormReading {
  const form = new Form(request, limits, take);
  return { fields: form.fields, fail: (error) => form.fail(error) };
}

class Form {
  readonly fields: Promise<ReadonlyMap<string, string>>;
  private readonly values = new Map<string, string>();
  private readonly taking: Promise<void>[] = [];
  private readonly open = new Set<Readable>();
  private readonly parser;
  private settle!: { resolve(values: ReadonlyMap<string, string>): void; reject(error: unknown): void };
  private isOver = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: FormLimits,
    private readonly take: TakeFile,
  ) {
    this.fields = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.parser = parserOf(request, limits);
    if (Number(request.headers['content-length'] ?? 0) > formBytes(limits)) this.fail(bodyTooLarge(formBytes(limits)));
    else this.listen();
  }

  /** Nothing that was handed on is left open when this is told. */
  fail(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.request.unpipe(this.parser);
    for (const stream of this.open) stream.destroy(error instanceof Error ? error : undefined);
    // What still comes is dropped.
    this.request.resume();
    void Promise.allSettled(this.taking).then(() => this.settle.reject(error));
  }

  private listen(): void {
    const { parser, request } = this;
    parser.on('field', (name, value, _isNameCut, isCut) => this.keep(name, value, isCut));
    parser.on('file', (_field, bytes, name) => this.handOn(nameAsSent(name), bytes));
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      parser.on(limit, () => this.fail(tooManyParts(this.limits.files)));
    parser.on('error', (error) => this.fail(malformedForm(error)));
    parser.on('finish', () => this.finish());
    request.on('error', () => this.fail(malformedForm()));
    request.on('close', () => request.complete || this.fail(malformedForm()));
    request.pipe(parser);
  }

  private keep(name: string | undefined, value: string, isCut: boolean): void {
    if (isCut) this.fail(badRequest(`A field of the form is longer than ${fieldLimits.fieldSize} bytes.`));
    else if (name !== undefined) this.values.set(name.toLowerCase(), value);
  }

  private handOn(name: string, bytes: Readable): void {
    bytes.on('limit', () => this.fail(fileTooLarge(this.limits.fileBytes)));
    bytes.on('error', (error) => this.fail(error instanceof ApiError ? error : malformedForm()));
    bytes.once('close', () => this.open.delete(bytes));
    if (this.isOver) return void bytes.resume();
    this.open.add(bytes);
    // Who cannot take it to its end says why before it is destroyed.
    const taken = this.take({ name, bytes: bytes.iterator({ destroyOnReturn: false }) });
    this.taking.push(taken);
    taken.catch((error: unknown) => this.fail(error));
  }

  private finish(): void {
    Promise.all(this.taking).then(
      () => {
        if (this.isOver) return;
        this.isOver = true;
        this.settle.resolve(this.values);
      },
      // What failed first has been told.
      () => undefined,
    );
  }
}

function parserOf({ headers }: IncomingMessage, { files, fileBytes }: FormLimits) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { ...fieldLimits, files, fileSize: fileBytes, parts: files + fieldLimits.fields },
    });
  } catch {
    throw badRequest('The Content-Type of the form names no boundary.');
  }
}

/** Browsers write quotes and line breaks of a name as %22, %0D and %0A, and no other character. */
const nameAsSent = (name = ''): string => name.replace(/%22/g, '"').replace(/%0[DA]/g, ' ');

const malformedForm = (cause?: unknown): ApiError =>
  badRequest(
    cause instanceof Error && /unexpected end/i.test(cause.message)
      ? 'The form ends before its last boundary.'
      : 'The form is not well-formed multipart/form-data.',
  );

const tooManyParts = (files: number): ApiError =>
  new ApiError(
    'PayloadTooLarge',
    `The form has too many parts: at most ${files} files and ${fieldLimits.fields} fields are allowed.`,
  );

const fileTooLarge = (bytes: number): ApiError =>
  new ApiError('PayloadTooLarge', `A file is larger than ${bytes} bytes.`);
