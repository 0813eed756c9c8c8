/** Which standbys every commit waits for, and what a standby is called there. */

/**
 * The names in `synchronous_standby_names` that every commit waits for, in small letters: all of them where it waits
 * for as many as are named, else none. `*` is nobody's name.
 */
export function waitedFor(setting: string): string[] {
  const [, count = '1', inner = setting] = /^\s*(?:(?:first|any)\s+)?(\d+)\s*\((.*)\)\s*$/is.exec(setting) ?? [];
  const names = [...inner.matchAll(/"((?:[^"]|"")*)"|([^\s,"]+)/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain!).toLowerCase(),
  );
  return Number(count) >= names.length && !names.includes('*') ? names : [];
}

/** What a replica calls itself, from how it is connected to its primary. */
export function standbyName(connection: string): string | undefined {
  for (const word of ['application_name', 'fallback_application_name']) {
    const pattern = new RegExp(`(?:^|\\s)${word}\\s*=\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|(\\S+))`);
    const [, quoted, plain] = pattern.exec(connection) ?? [];
    const name = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (name) return name.toLowerCase();
  }
  return undefined;
}
