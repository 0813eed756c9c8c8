/** The cookie of a session: read from a request, and spelled for an answer. Of several of its name the first counts. */

const cookieName = 'worktrack_session';

/** 32 random bytes in base64url. */
const isSecret = (value: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(value);

/** Undefined: there is none. An empty text is a cookie that cannot be a session's. */
export function sessionCookie(header: string | undefined, name: string = cookieName): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  for (const piece of header.split(';')) {
    const equals = piece.indexOf('=');
    if (equals < 0 || piece.slice(0, equals).trim() !== name) continue;
    const value = piece.slice(equals + 1).trim();
    return isSecret(value) ? value : '';
  }
  return undefined;
}

/** Ends with the browser; how long it may be used at most is for the service to say. */
export const setCookie = (secret: string, attributes: string): string => `${cookieName}=${secret}; ${attributes}`;

export const clearedCookie = (attributes: string): string => `${cookieName}=; Max-Age=0; ${attributes}`;
