/** Reads an `Authorization: Basic` header: what is before the first colon is the login, all the rest the password. */
import { isUtf8 } from 'node:buffer';
import { windows1252Text } from '../texts/windows-1252.js';
import { base64Bytes } from './base64.js';

export interface LoginAndPassword {
  readonly login: string;
  readonly password: string;
}

/** Undefined: the header is not well formed. Whether it is Basic at all is the answer of `isBasic`. */
export function parseBasic(header: string): LoginAndPassword | undefined {
  const encoded = header.slice('Basic'.length).replace(/^ +/, '');
  if (encoded.length > longest) return undefined;
  const bytes = base64Bytes(encoded);
  const text = bytes && textOf(bytes);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Some clients write a byte for each character, whatever the challenge asks for. What is valid UTF-8 is UTF-8, so a
 * header has one meaning, and one password is checked.
 */
const textOf = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString('utf8') : windows1252Text(bytes));

/** The scheme in any letter case, as a whole word: `NotBasic` and `Basically` are other schemes. */
export const isBasic = (header: string | undefined): header is string =>
  header !== undefined && /^basic(?:\s|$)/i.test(header);

/** Characters of base64; room for a password of the greatest length and any login. */
const longest = 4096;
