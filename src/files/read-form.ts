/** Reads a multipart form as it comes: fields are kept, files are handed on as streams, one behind the other. */
import { isUtf8 } from 'node:buffer';
import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import { ApiError, badMember, badRequest, bodyTooLarge, unwritableText } from '../errors.js';
import { isXmlText } from '../texts/characters.js';
import type { AtMost } from './file-store.js';

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
  /** By the Content-Length of the form. Undefined: the form has none. */
  readonly atMost?: AtMost;
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

export function readForm(request: FastifyRequest, limits: FormLimits, take: TakeForm): FormReading {
  const form = new Form(request, limits, take);
  return { fields: form.read(), fail: (error) => form.fail(error) };
}

class Form {
  private readonly values = new Map<string, string>();
  private readonly taking: Promise<void>[] = [];
  private readonly open = new Set<Readable>();
  private readonly files: MultipartFile['file'][] = [];
  private parser: FormParser | undefined;
  private failure: unknown;
  private received = 0;

  constructor(
    private readonly request: FastifyRequest,
    private readonly limits: FormLimits,
    private readonly take: TakeForm,
  ) {}

  /** Nothing that was handed on is left open when this settles. */
  async read(): Promise<ReadonlyMap<string, string>> {
    const { raw } = this.request;
    const most = formBytes(this.limits);
    try {
      if (Number(raw.headers['content-length'] ?? 0) > most) throw bodyTooLarge(most);
      for await (const part of this.parts()) this.takePart(part);
      // The library takes a body without bytes for a form without parts.
      if (this.received === 0) throw endsEarly();
    } catch (error) {
      this.fail(this.refusalOf(error));
    }
    raw.resume();
    await Promise.allSettled(this.taking);
    if (this.failure !== undefined) throw this.failure;
    return this.values;
  }

  fail(error: unknown): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    const cause = error instanceof Error ? error : undefined;
    if (this.parser) this.request.raw.unpipe(this.parser);
    this.parser?.destroy(cause);
    for (const stream of this.open) stream.destroy(cause);
    // What still comes is dropped.
    this.request.raw.resume();
  }

  private parts(): AsyncIterable<Multipart> {
    const { raw } = this.request;
    const { files, fileBytes } = this.limits;
    // The same limit holds with and without a Content-Length.
    raw.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      if (this.received > formBytes(this.limits)) this.fail(bodyTooLarge(formBytes(this.limits)));
    });
    // The library makes its parser when it begins to read, and pipes the request into it.
    const { pipe } = raw;
    raw.pipe = (parser) => {
      raw.pipe = pipe;
      this.watch(parser as never);
      return raw.pipe(parser);
    };
    // Without `fileHwm`, a file holds one chunk at a time: 128 KiB of them double the CPU time of a long file.
    return this.request.parts({
      // Of longer headers enough is kept to see that they are.
      limits: {
        ...fieldLimits,
        headerPairs: headerLimits.headerPairs + 1,
        headerSize: 2 * headerLimits.headerSize,
        files,
        fileSize: fileBytes,
        parts: this.mostParts,
      },
    });
  }

  private get mostParts(): number {
    return this.limits.files + fieldLimits.fields;
  }

  private watch(parser: FormParser): void {
    this.parser = parser;
    // Another stream stands in for a parser that could not be made.
    if (!parser._parser || emptyBoundary.test(this.request.raw.headers['content-type'] ?? '')) this.fail(noBoundary());
    else {
      keepNamesAndTypes(parser);
      // It goes on with a chunk whose beginning is refused, and a short one may hold thousands of parts.
      parser._parser.parser._bparser.maxMatches = this.mostParts + 2;
      takePadding(parser._parser.parser);
      watchHeaders(parser._parser.parser, (headers) => {
        const refusal = refusalOfHeaders(headers);
        if (refusal) this.fail(refusal);
      });
    }
  }

  private takePart(part: Multipart): void {
    if (this.failure !== undefined) return;
    // Its bytes would be stored as they are, and not as they are meant.
    if (!['7bit', '8bit', 'binary'].includes(part.encoding)) this.fail(encodedPart());
    else if (part.type === 'file') this.handOn(nameAsSent(part.filename), part.file);
    else if (part.valueTruncated) this.fail(tooLongField());
    else if (part.fieldname !== undefined) this.note(part.fieldname.slice(1), part.value as string);
  }

  private note(name: string, value: string): void {
    const key = name.toLowerCase();
    const before = this.values.get(key);
    if (before === undefined) this.values.set(key, value);
    else if (before !== value) this.fail(badMember(name, 'is given twice.'));
    if (value.includes('\ufffd')) this.fail(badMember(name, 'this is not valid UTF-8.'));
    else if (!isXmlText(value)) this.fail(unwritableText(name));
    if (this.failure !== undefined) return;
    if (before === undefined && this.take.field) this.await(this.take.field(key, value));
  }

  private await(taken: Promise<void>): void {
    this.taking.push(taken);
    taken.catch((error: unknown) => this.fail(error));
  }

  private handOn(name: string, bytes: MultipartFile['file']): void {
    const failed = (error: unknown): void => this.fail(this.refusalOf(error));
    const cut = (): void => this.fail(fileTooLarge(this.limits.fileBytes));
    // Both may have come before the part was announced.
    if (bytes.errored) failed(bytes.errored);
    else if (bytes.truncated) cut();
    if (this.failure !== undefined) return;
    bytes.on('limit', cut);
    bytes.on('error', failed);
    bytes.once('close', () => this.open.delete(bytes));
    this.open.add(bytes);
    // Who cannot take it to its end says why before it is destroyed.
    const sent: AsyncIterable<Buffer> = bytes.iterator({ destroyOnReturn: false });
    const atMost = this.atMostOf(bytes);
    this.await(name === '' ? this.takeNameless(sent, atMost) : this.take.file({ name, bytes: sent, atMost }));
  }

  /** What the files before it have left of the form, and no more than it has had once another one has come. */
  private atMostOf(file: MultipartFile['file']): AtMost | undefined {
    const { 'content-length': length } = this.request.headers;
    const before = this.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    this.files.push(file);
    if (length === undefined) return undefined;
    const atFirst = Math.min(Number(length) - before, this.limits.fileBytes);
    return () => (file === this.files.at(-1) ? atFirst : file.bytesRead);
  }

  /** A browser sends a file without a name and without bytes for a field in which no file was chosen. */
  private async takeNameless(bytes: AsyncIterable<Buffer>, atMost: AtMost | undefined): Promise<void> {
    const rest = bytes[Symbol.asyncIterator]();
    const first = await rest.next();
    if (!first.done) await this.take.file({ name: '', bytes: joined(first.value, rest), atMost });
  }

  private refusalOf(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    const { code, message } = error as FastifyError;
    if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) return tooManyParts(this.limits.files);
    return /unexpected end/i.test(message) ? endsEarly() : malformedForm();
  }
}

async function* joined(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The parser of the library, and what of it is private: the pinned version has it. */
interface FormParser extends Writable {
  readonly _parser?: { readonly parser: Dicer };
}

interface Dicer extends EventEmitter {
  /** It looks for boundaries, up to so many. */
  readonly _bparser: { maxMatches: number };
  readonly _hparser: { buffer: string; _parseHeader(): void };
}

/** The parser takes it for a boundary, of which every line that begins with two dashes is one. */
const emptyBoundary = /;\s*boundary\s*=\s*(?:"\s*"\s*)?(?:;|$)/i;

/** The line of a boundary may end with blanks (RFC 2046, 5.1.1), which the parser takes for the first header. */
function takePadding({ _hparser: headers }: Dicer): void {
  const parse = headers._parseHeader;
  headers._parseHeader = () => {
    headers.buffer = headers.buffer.replace(/^[ \t]+(?=\r\n|$)/, '');
    parse.call(headers);
  };
}

/** The library refuses names that all objects have, and makes something else of a text that calls itself JSON. */
function keepNamesAndTypes(parser: FormParser): void {
  const emit = parser.emit.bind(parser) as (event: string, ...values: unknown[]) => boolean;
  parser.emit = (event: string, ...values: unknown[]): boolean => {
    if (event !== 'field' && event !== 'file') return emit(event, ...values);
    const [name, ...rest] = values;
    return emit(event, name === undefined ? undefined : `=${name}`, ...rest.slice(0, -1), 'text/plain');
  };
}

/** Values of the headers of a part by their names in small letters, with a character for each byte. */
type PartHeaders = Readonly<Record<string, readonly string[]>>;

/** The parser cuts headers off silently, and tells them to nobody but its own parts. */
function watchHeaders(dicer: EventEmitter, look: (headers: PartHeaders) => void): void {
  dicer.on('part', (part: EventEmitter) => part.on('header', look));
  // Before the parser itself reads them.
  dicer.prependListener('part', (part: EventEmitter) => part.prependListener('header', mendDisposition));
}

/**
 * The parser drops a part with an encoded line break in a name without a word, and takes the first of two names of a
 * file: the exact one counts, which .NET sends behind one for old servers (RFC 6266, 4.3).
 */
function mendDisposition(headers: Record<string, string[]>): void {
  const [sent, ...others] = headers['content-disposition'] ?? [];
  if (sent === undefined) return;
  const parameters = sent.replace(encodedParameter, withoutLineBreaks);
  const exact = [...parameters.matchAll(parameter)].some(([all]) => exactName.test(all));
  const mended = exact
    ? parameters.replace(parameter, (all, name) => (/^filename$/i.test(name) ? '' : all))
    : parameters;
  headers['content-disposition'] = [mended.replace(parameter, quoted), ...others];
}

/** The parser drops the blanks of a name that stands without quotes. */
function quoted(sent: string): string {
  const name = sent.slice(sent.indexOf('=') + 1).trim();
  if (!fileName.test(sent) || name === '' || name.startsWith('"')) return sent;
  return `; filename="${name.replaceAll('\\', '\\\\')}"`;
}

const fileName = /^;\s*filename\s*=/i;

/** Of a quoted value that does not end, the rest is a part, as it is to the parser. */
const parameter = /;\s*([^=;\s"]+)\s*=\s*(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^;"]*)/g;

/** With its charset and its language; without them it is no name. */
const exactName = /^;\s*filename\*\s*=\s*"?[\w-]+'[^']*'[^;"\s]/i;

const encodedParameter = /;\s*(?:file)?name\*\s*=[^;]*/gi;

const withoutLineBreaks = (text: string): string => text.replace(/%0[DA]/gi, '%20');

function refusalOfHeaders(headers: PartHeaders): ApiError | undefined {
  const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}`));
  const bytes = lines.reduce((sum, line) => sum + line.length, 0);
  if (lines.length > headerLimits.headerPairs || bytes > headerLimits.headerSize) return tooLongHeaders();
  const [disposition = ''] = headers['content-disposition'] ?? [];
  // The parser drops such a part without a word. It reads no header from a bare line break on.
  if (!/^\s*form-data\s*(?:;|$)/i.test(disposition)) return withoutDisposition();
  if (isInPieces(disposition)) return nameInPieces();
  if (!hasUtf8Names(disposition)) return otherNames();
  const [type = ''] = headers['content-type'] ?? [];
  const charset = charsetParameter.exec(type)?.[1] ?? 'utf-8';
  const isFile = /filename\*?\s*=/i.test(disposition) || /^\s*application\/octet-stream/i.test(type);
  return isFile || readCharsets.includes(charset.toLowerCase()) ? undefined : otherCharset();
}

/** RFC 2231, 3, which forms do not have: the parser would take the last piece for the name. */
const isInPieces = (disposition: string): boolean =>
  [...disposition.matchAll(parameter)].some(([, name]) => /^(?:file)?name\*\d/i.test(name!));

const charsetParameter = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** The parser reads the text of a field by what its part says; Java clients say ISO-8859-1 unless told otherwise. */
const readCharsets = ['utf-8', 'utf8', 'us-ascii', 'iso-8859-1'];

/** As bytes, and in the form `filename*=UTF-8''%C3%A4.txt` of older clients. */
function hasUtf8Names(disposition: string): boolean {
  if (!isUtf8(Buffer.from(disposition, 'latin1'))) return false;
  return [...disposition.replace(quotedValue, keptIfEncoded).matchAll(encodedName)].every(
    ([, charset = '', text = '']) => /^utf-?8$/i.test(charset.trim()) && isUtf8(percentDecoded(text)),
  );
}

const encodedName = /;\s*(?:file)?name\*\s*=(?:\s*")?([^'";]*)'[^';]*'([^;]*)/gi;

/** What looks like a parameter within a quoted value is a part of that, unless the value is an encoded one. */
const quotedValue = /(\*\s*=\s*)?"(?:[^"\\]|\\.)*(?:"|\\?$)/g;

const keptIfEncoded = (value: string, encoded?: string): string => (encoded ? value : '""');

const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );

/** Browsers write quotes and line breaks of a name as %22, %0D and %0A, and no other character. */
const nameAsSent = (name = ''): string => wordOfMail(name) ?? name.replace(/%22/g, '"').replace(/%0[DA]/g, ' ');

/** What .NET makes of a name beyond ASCII: one encoded word of a mail (RFC 2047, 2), as a whole. */
function wordOfMail(name: string): string | undefined {
  const [, encoding = '', text = ''] = /^=\?utf-8\?([bq])\?([^?]*)\?=$/i.exec(name) ?? [];
  if (encoding === '') return undefined;
  const bytes =
    encoding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : percentDecoded(
          text
            .replace(/_/g, ' ')
            .replace(/%/g, '%25')
            .replace(/=(?=[\da-f]{2})/gi, '%'),
        );
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

const malformedForm = (): ApiError => badRequest('The form is not well-formed multipart/form-data.', 'InvalidBody');

const endsEarly = (): ApiError => badRequest('The form ends before its last boundary.', 'InvalidBody');

const noBoundary = (): ApiError => badRequest('The Content-Type of the form names no boundary.', 'InvalidBody');

const tooLongField = (): ApiError =>
  badRequest(`A field of the form is longer than ${fieldLimits.fieldSize} bytes.`, 'InvalidBody');

const encodedPart = (): ApiError =>
  badRequest('A part of the form has a Content-Transfer-Encoding. Send its bytes as they are.', 'InvalidBody');

const withoutDisposition = (): ApiError =>
  badRequest(
    'A part of the form has no Content-Disposition of form-data that can be read. A header is one line, in which a line break is %0D%0A.',
    'InvalidBody',
  );

const otherNames = (): ApiError => badRequest('A name in the form is not valid UTF-8.', 'InvalidBody');

const nameInPieces = (): ApiError =>
  badRequest('A name in the form is in pieces (filename*0=). Send it as one.', 'InvalidBody');

const otherCharset = (): ApiError =>
  badRequest('A field of the form is in a charset other than UTF-8, US-ASCII and ISO-8859-1.', 'InvalidBody');

const tooManyParts = (files: number): ApiError =>
  new ApiError(
    'PayloadTooLarge',
    `The form has too many parts: at most ${files === 1 ? 'one file' : `${files} files`} and ${fieldLimits.fields} fields are allowed.`,
  );

const tooLongHeaders = (): ApiError =>
  new ApiError(
    'PayloadTooLarge',
    `A part of the form has more than ${headerLimits.headerPairs} headers, or more than ${headerLimits.headerSize} bytes of them.`,
  );

const fileTooLarge = (bytes: number): ApiError =>
  new ApiError('PayloadTooLarge', `A file is larger than ${bytes} bytes.`);
