/**
 * The style sheets and browser modules of the pages: plain files, which the source serves from beside this very file
 * and the build as they were when it was made; an edited one is seen a second later.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { beside } from '../runtime/installation.js';

export interface Asset {
  type: 'text/css' | 'text/javascript';
  text: string;
  gzipped: Buffer;
}

export interface Assets {
  /** Of all of them together: a page names it in their addresses, so that what a browser kept is never out of date. */
  hash: string;
  byName: ReadonlyMap<string, Asset>;
  /**
   * All that a module imports, and what that imports: named in the page, they are fetched at once and not one after
   * another.
   */
  importsOf(name: string): string[];
}

/** Those of the service. */
export const assets = assetsIn(beside(import.meta.url, 'client/'));

/**
 * Read once, and again when a file has changed, which is looked at once a second: it takes longer than a page. What
 * could not be read is tried again.
 */
export function assetsIn(folder: URL): () => Promise<Assets> {
  let kept: { made: Assets; changed: string } | undefined;
  let looked: { current: Promise<Assets>; at: number } | undefined;

  async function current(): Promise<Assets> {
    const names = (await readdir(folder)).filter((name) => /^[a-z-]+\.(?:js|css)$/.test(name)).sort();
    const times = await Promise.all(names.map(async (name) => (await stat(new URL(name, folder))).mtimeMs));
    const changed = `${names} ${times}`;
    if (kept?.changed !== changed) kept = { changed, made: await read(names, folder) };
    return kept.made;
  }

  return () => {
    const now = performance.now();
    if (looked && now - looked.at < 1000) return looked.current;
    const look = { current: current(), at: now };
    looked = look;
    look.current.catch(() => {
      if (looked === look) looked = undefined;
    });
    return look.current;
  };
}

async function read(names: readonly string[], folder: URL): Promise<Assets> {
  const all = await Promise.all(
    names.map(async (name): Promise<[string, Asset]> => {
      const text = await readFile(new URL(name, folder), 'utf8');
      if (name.endsWith('.css')) return [name, asset('text/css', text)];
      // The build leaves a pointer to a map that is not served.
      return [name, asset('text/javascript', text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))];
    }),
  );
  const hash = createHash('sha256')
    .update(JSON.stringify(all.map(([name, { text }]) => [name, text])))
    .digest('base64url')
    .slice(0, 12);
  const byName = new Map(all);
  return { hash, byName, importsOf: (name) => [...reached(name, byName)].slice(1) };
}

const asset = (type: Asset['type'], text: string): Asset => ({ type, text, gzipped: gzipSync(text) });

function reached(name: string, byName: ReadonlyMap<string, Asset>, names = new Set<string>()): Set<string> {
  if (names.has(name)) return names;
  names.add(name);
  for (const [, next] of byName.get(name)?.text.matchAll(/^(?:import|export) [^;]*?from '\.\/([^']+)'/gm) ?? []) {
    reached(next!, byName, names);
  }
  return names;
}
