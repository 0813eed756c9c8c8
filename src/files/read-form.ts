/** Reads a multipart form as it comes: fields are kept, files are handed on as streams, one behind the other. */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ApiError, badMember, badRequest, bodyTooLarge } from '../errors.js';

/** What a form may hold. */
export interface FormLimits {
  readonly files: number;
  readonly fileBytes: number;
}

const fieldLimits = { fields: 20, fieldSize: 64 * 1024 };
const headerLimits = { headerPairs: 20, headerSize: 16 * 1024 };

/** Room for the fields and for what stands between the parts. */
const frameBytes = 2 * 1024 * 1024;

export const formBytes = ({ files, fileBytes }: FormLimits): number => files * fileBytes + frameBytes;

export interface SentFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  /** It has no more bytes, as far as the form tells its own. */
  readonly atMost?: number;
}

/** What becomes of a form. */
export interface TakeForm {
  /** Takes a file to its end. It fails with what the bytes fail with. */
  file(file: SentFile): Promise<void>;
  /** Looks at a field as soon as it has come. What it fails with, the form is refused with. */
  field?(name: string, value: string): Promise<void>;
}

export interface FormReading {
  /**
   * The fields by their names in small letters, once all files are taken. Errors: 400, 413, and what `take` fails with.
   */
  readonly fields: Promise<ReadonlyMap<string, string>>;
  /** Refuses the rest of it. */
  fail(error: unknown): void;
}

export function readForm(request: IncomingMessage, limits: FormLimits, take: TakeForm): FormReading {
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
  private received = 0;

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: FormLimits,
    private readonly take: TakeForm,
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
    parser.on('field', (name, value, _isNameCut, isCut, encoding) => {
      this.mustBePlain(encoding);
      this.keep(name, value, isCut);
    });
    parser.on('file', (_field, bytes, name, encoding) => {
      this.mustBePlain(encoding);
      this.handOn(nameAsSent(name), bytes);
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      parser.on(limit, () => this.fail(tooManyParts(this.limits.files)));
    watchHeaders(parser, (pairs, bytes) => {
      if (pairs > headerLimits.headerPairs || bytes > headerLimits.headerSize) this.fail(tooLongHeaders());
    });
    parser.on('error', (error) => this.fail(malformedForm(error)));
    parser.on('finish', () => this.finish());
    // Who tells no length may bring as much as who tells it.
    request.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      if (this.received > formBytes(this.limits)) this.fail(bodyTooLarge(formBytes(this.limits)));
    });
    request.on('error', () => this.fail(malformedForm()));
    request.on('close', () => request.complete || this.fail(malformedForm()));
    request.pipe(parser);
  }

  /** Its bytes would be stored as they are, and not as they are meant. */
  private mustBePlain(encoding: string): void {
    if (!['7bit', '8bit', 'binary'].includes(encoding)) this.fail(encodedPart());
  }

  private keep(name: string | undefined, value: string, isCut: boolean): void {
    if (this.isOver) return;
    if (isCut)
      this.fail(badRequest(`A field of the form is longer than ${fieldLimits.fieldSize} bytes.`, 'InvalidBody'));
    else if (name !== undefined) this.note(name, value);
  }

  private note(name: string, value: string): void {
    const key = name.toLowerCase();
    const before = this.values.get(key);
    if (before === undefined) this.values.set(key, value);
    else if (before !== value) this.fail(badMember(name, 'is given twice.'));
    if (value.includes('\ufffd')) this.fail(badMember(name, 'this is not valid UTF-8.'));
    if (this.isOver) return;
    if (before === undefined && this.take.field) this.await(this.take.field(key, value));
  }

  private await(taken: Promise<void>): void {
    this.taking.push(taken);
    taken.catch((error: unknown) => this.fail(error));
  }

  private handOn(name: string, bytes: Readable): void {
    bytes.on('limit', () => this.fail(fileTooLarge(this.limits.fileBytes)));
    bytes.on('error', (error) => this.fail(error instanceof ApiError ? error : malformedForm()));
    bytes.once('close', () => this.open.delete(bytes));
    if (this.isOver) return void bytes.resume();
    this.open.add(bytes);
    // Who cannot take it to its end says why before it is destroyed.
    const sent: AsyncIterable<Buffer> = bytes.iterator({ destroyOnReturn: false });
    const atMost = this.left();
    this.await(name === '' ? this.takeNameless(sent, atMost) : this.take.file({ name, bytes: sent, atMost }));
  }

  private left(): number | undefined {
    const { 'content-length': length } = this.request.headers;
    return length === undefined ? undefined : Math.min(Number(length), this.limits.fileBytes);
  }

  /** A browser sends a file without a name and without bytes for a field in which no file was chosen. */
  private async takeNameless(bytes: AsyncIterable<Buffer>, atMost: number | undefined): Promise<void> {
    const rest = bytes[Symbol.asyncIterator]();
    const first = await rest.next();
    if (!first.done) await this.take.file({ name: '', bytes: joined(first.value, rest), atMost });
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

async function* joined(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function parserOf({ headers }: IncomingMessage, { files, fileBytes }: FormLimits) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      // Of longer headers enough is kept to see that they are.
      limits: {
        ...fieldLimits,
        headerPairs: headerLimits.headerPairs + 1,
        headerSize: 2 * headerLimits.headerSize,
        files,
        fileSize: fileBytes,
        parts: files + fieldLimits.fields,
      },
    });
  } catch {
    throw badRequest('The Content-Type of the form names no boundary.', 'InvalidBody');
  }
}

/** The parser cuts headers off silently, and tells them to nobody but its own parts. */
function watchHeaders(parser: object, look: (pairs: number, bytes: number) => void): void {
  const { parser: dicer } = (parser as { _parser: { parser: EventEmitter } })._parser;
  dicer.on('part', (part: EventEmitter) => {
    part.on('header', (headers: Record<string, string[]>) => {
      const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}`));
      const bytes = lines.reduce((sum, line) => sum + line.length, 0);
      look(lines.length, bytes);
    });
  });
}

/** Browsers write quotes and line breaks of a name as %22, %0D and %0A, and no other character. */
const nameAsSent = (name = ''): string => name.replace(/%22/g, '"').replace(/%0[DA]/g, ' ');

const malformedForm = (cause?: unknown): ApiError =>
  badRequest(
    cause instanceof Error && /unexpected end/i.test(cause.message)
      ? 'The form ends before its last boundary.'
      : 'The form is not well-formed multipart/form-data.',
    'InvalidBody',
  );

const encodedPart = (): ApiError =>
  badRequest('A part of the form has a Content-Transfer-Encoding. Send its bytes as they are.', 'InvalidBody');

const tooManyParts = (files: number): ApiError =>
  new ApiError(
    'PayloadTooLarge',
    `The form has too many parts: at most ${files} files and ${fieldLimits.fields} fields are allowed.`,
  );

const tooLongHeaders = (): ApiError =>
  new ApiError(
    'PayloadTooLarge',
    `A part of the form has more than ${headerLimits.headerPairs} headers, or more than ${headerLimits.headerSize} bytes of them.`,
  );

const fileTooLarge = (bytes: number): ApiError =>
  new ApiError('PayloadTooLarge', `A file is larger than ${bytes} bytes.`);
