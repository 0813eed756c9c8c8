/** Specs load what the compiler makes of `src`, as the service does, rather than have each worker make it anew. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vitest/config';

const root = join(import.meta.dirname, '../..');

/** Compiles what has changed, and leads every import from `src` to what came of it. */
export function builtModules(): Plugin {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
  // Style sheets are served from beside the modules; with their times, since edited ones are read anew.
  const [from, to] = ['src', 'build'].map((one) => join(root, one, 'web/client')) as [string, string];
  cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: (file) => file === from || /\.css$/.test(file),
  });
  return {
    name: 'built-modules',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !/^\.{1,2}\/.*\.js$/.test(source)) return undefined;
      const path = relative(join(root, 'src'), resolve(dirname(importer), source));
      const built = join(root, 'build', path);
      return !path.startsWith('..') && existsSync(built) ? built : undefined;
    },
  };
}
