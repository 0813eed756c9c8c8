/** Which standbys every commit waits for, and what a standby is called there. */

/**
 * The names in `synchronous_standby_names` that every commit waits for, in small letters: those of standbys that are
 * there, where it waits for as many as are named, else none. `*` is nobody's name. PostgreSQL takes standbys of one
 * name for one another, and waits for any of them: then it is unknown for whom.
 */
export function waitedFor(setting: string, standbys: readonly string[]): string[] {
  const [, count = '1', inner = setting] = /^\s*(?:(?:first|any)\s+)?(\d+)\s*\((.*)\)\s*$/is.exec(setting) ?? [];
  const names = [...inner.matchAll(/"((?:[^"]|"")*)"|([^\s,"]+)/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain!).toLowerCase(),
  );
  if (Number(count) < names.length || names.includes('*')) return [];
  const times = (name: string): number => standbys.filter((one) => one.toLowerCase() === name).length;
  return names.some((name) => times(name) > 1) ? [] : names.filter((name) => times(name) === 1);
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
