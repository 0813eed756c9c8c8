/** Spells a request as a line for a shell that takes quotes as POSIX has them. */

/** Nothing but a single quote means anything between single quotes. @param {string} word */
export const shellQuote = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/**
 * `-g`, since curl would take brackets as a pattern of addresses.
 * @param {string} address
 * @param {{ login: string } | { token: string }} caller
 */
export function curlLine(address, caller) {
  const who =
    'login' in caller ? ['-u', shellQuote(caller.login)] : ['--header', `"Authorization: Bearer ${caller.token}"`];
  return ['curl', '-g', ...who, shellQuote(inAscii(address))].join(' ');
}

/** Browsers encode letters of all scripts by themselves, programs do not. @param {string} address */
export const inAscii = (address) => address.replace(/[^\x20-\x7e]+/gu, encodeURIComponent);
