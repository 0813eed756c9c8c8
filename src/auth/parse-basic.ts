/** Reads an `Authorization: Basic` header: what is before the first colon is the login, all the rest the password. */
import { base64Text } from './base64.js';

export interface LoginAndPassword {
  readonly login: string;
  readonly password: string;
}

/** Undefined: the header is not well formed. Whether it is Basic at all is the answer of `isBasic`. */
export function parseBasic(header: string): LoginAndPassword | undefined {
  const encoded = header.slice('Basic'.length).replace(/^ +/, '');
  if (encoded.length > longest) return undefined;
  const text = base64Text(encoded);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The scheme in any letter case, as a whole word: `NotBasic` and `Basically` are other schemes. */
export const isBasic = (header: string | undefined): header is string =>
  header !== undefined && /^basic(?:\s|$)/i.test(header);

/** Characters of base64; room for a password of the greatest length and any login. */
const longest = 4096;
