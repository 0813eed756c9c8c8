/**
 * The charset of a body. What its header names counts before what its XML declares (RFC 7303, 3.2), and a byte order
 * mark of UTF-8 before both.
 */
import { undeclaredCharset } from '../errors.js';
import { windows1252Text } from '../texts/windows-1252.js';
import { type BodyBytes, type BodyFormat, slicesOf, utf8Pieces } from './utf8.js';

export type Charset = 'UTF-8' | 'windows-1252';

/** By their names. ASCII is a part of UTF-8. */
const charsets: ReadonlyMap<string, Charset> = new Map([
  ['utf-8', 'UTF-8'],
  ['utf8', 'UTF-8'],
  ['us-ascii', 'UTF-8'],
  ['ascii', 'UTF-8'],
  ...[
    ...['iso-8859-1', 'iso8859-1', 'iso_8859-1', 'iso8859_1', 'latin1', 'latin-1'],
    ...['windows-1252', 'cp1252', 'cp-1252'],
  ].map((name): [string, Charset] => [name, 'windows-1252']),
]);

/** Undefined: bodies are not read in it. */
export const charsetNamed = (name: string): Charset | undefined => charsets.get(name.toLowerCase());

/** Of `<?xml version="1.0" encoding="utf-8"?>` what stands behind its name. */
export const encodingIn = (declaration: string): string | undefined =>
  /\sencoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1];

/** Characters. So none of it stands behind the bytes that are looked at. */
export const longestDeclaration = 256;
const bytesOfDeclaration = 4 * longestDeclaration;

/** That of an XML body whose header names none. */
export function declaredCharset(body: BodyBytes): Charset | undefined {
  const start = startOf(body).toString('latin1', 0, bytesOfDeclaration);
  const declaration = /^<\?xml\s([\s\S]*?)\?>/.exec(start)?.[1];
  return charsetNamed(encodingIn(declaration ?? '') ?? '');
}

/** Piece by piece, when each is asked for. Errors: 400. */
export function textPieces(body: BodyBytes, format: BodyFormat, charset: Charset = 'UTF-8'): Generator<string> {
  const isUtf8 = charset === 'UTF-8' || startOf(body).toString('latin1', 0, 3) === '\xef\xbb\xbf';
  return isUtf8 ? utf8Pieces(body, format, undeclaredCharset) : oneBytePieces(body);
}

function* oneBytePieces(body: BodyBytes): Generator<string> {
  for (const slice of slicesOf(body)) yield windows1252Text(slice);
}

function startOf(body: BodyBytes): Buffer {
  for (const slice of slicesOf(body)) return slice;
  return Buffer.alloc(0);
}
