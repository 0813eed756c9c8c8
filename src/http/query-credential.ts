/**
 * Finds a credential in the raw query text. Everything else there is left to the parse stage: a request without a good
 * credential learns nothing about the rest of it.
 */
import { arrayParameter, repeatedParameter } from '../errors.js';

/** The name is known in any letter case; an empty value is as if the parameter were absent. */
export function queryCredential(rawQuery: string, name: string): string | undefined {
  let credential: string | undefined;
  const initial = name.charCodeAt(0);
  for (let start = 0, end = 0; start < rawQuery.length; start = end + 1) {
    end = rawQuery.indexOf('&', start);
    if (end < 0) end = rawQuery.length;
    const first = rawQuery.charCodeAt(start);
    // A name begins with its first letter, in either case, or with an escape.
    if ((first | 0x20) !== initial && first !== percent) continue;
    const piece = rawQuery.slice(start, end);
    const equals = piece.indexOf('=');
    const decodedName = decoded(equals < 0 ? piece : piece.slice(0, equals)).toLowerCase();
    if (decodedName.startsWith(`${name}[`)) throw arrayParameter(`${name}[]`);
    if (decodedName !== name) continue;
    if (credential !== undefined) throw repeatedParameter(name);
    credential = equals < 0 ? '' : decoded(piece.slice(equals + 1));
  }
  return credential || undefined;
}

const percent = 0x25;

/**
 * A plus stays a plus: credentials are base64, and many clients do not escape it. What cannot be decoded stays as it
 * is.
 */
function decoded(raw: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Quick looks, by parameter; a name may be written in escapes. */
const looks = {
  token: /(?:^|&)(?:token(?:[=&[]|$)|[^=&]*%)/i,
  access_token: /(?:^|&)(?:access_token(?:[=&[]|$)|[^=&]*%)/i,
};

export const mayHoldCredential = (rawQuery: string, name: keyof typeof looks): boolean => looks[name].test(rawQuery);

/**
 * What is left of a query text, for what keeps or compares texts: they are asked by somebody, and not about
 * credentials.
 */
export const withoutCredentials = (rawQuery: string): string =>
  mayHoldCredential(rawQuery, 'token') || mayHoldCredential(rawQuery, 'access_token')
    ? rawQuery
        .split('&')
        .filter((piece) => !/^(?:access_)?token(?:\[|$)/i.test(decoded(piece.split('=', 1)[0]!)))
        .join('&')
    : rawQuery;
