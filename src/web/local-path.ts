/** Where to go after log-in: a path of this service, whatever the address says; anything else is the start page. */
export function localPath(address: string | null | undefined): string {
  if (!address || address.length > longest || !/^\/[\x21-\x7e]*$/.test(address)) return '/';
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(address)!;
  // Browsers read a backslash in a path as a slash, and leave it as it is behind a question mark.
  if (path.startsWith('//') || path.includes('\\')) return '/';
  const local = path + rest.replaceAll('\\', '%5C');
  const here = 'http://here.invalid';
  return URL.canParse(local, here) && new URL(local, here).origin === here ? local : '/';
}

/** Twice as much as a query may have: some of it may be encoded that was not. */
const longest = 32 * 1024;
