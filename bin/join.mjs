/**
 * Joins the modules of the service in a few files: opening some five hundred of them takes a fifth of a start, and so
 * does opening those of the large packages. Other packages stay outside.
 */
import { chmodSync, cpSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = new URL('..', import.meta.url);

/** Packages of many small modules that every start needs, and what they bring along. */
const large = [
  ...['@nestjs/common', '@nestjs/core', '@nestjs/passport', '@nestjs/platform-fastify', 'iterare', 'rxjs'],
  ...['typeorm', '@sqltools/formatter', 'fastify', 'avvio', 'find-my-way', 'semver'],
  // A helper that is put in where a template says </script>.
  '@oxc-project/runtime',
];
const isPackage = (name) => /^[@\w]/.test(name);
const isLarge = (name) => large.some((one) => name === one || name.startsWith(`${one}/`));

const modules = await rolldown({
  cwd: fileURLToPath(new URL('build/', root)),
  input: { main: './main.js', worker: './server/worker.js', 'cli/main': './cli/main.js' },
  platform: 'node',
  // What was compiled is joined as it is.
  tsconfig: false,
  external: (name) => isPackage(name) && !isLarge(name),
});
await modules.write({
  dir: '../dist',
  format: 'esm',
  // Nest and the model know classes by their names.
  keepNames: true,
  chunkFileNames: 'parts/[name]-[hash].js',
  cleanDir: true,
});
await modules.close();

// It is linked as `worktrack`: package managers make it executable only when they link it.
chmodSync(new URL('dist/cli/main.js', root), 0o755);

/** Scripts and style sheets of the pages are served as they are, and migrations run the SQL files. */
const isScript = (file) => !file.endsWith('.map');
const isFolderOr = (type) => (file) => statSync(file).isDirectory() || file.endsWith(type);
const copy = (from, to, filter) => cpSync(new URL(from, root), new URL(to, root), { recursive: true, filter });
copy('build/web/client/', 'dist/client/', isScript);
copy('src/web/client/', 'dist/client/', isFolderOr('.css'));
copy('src/database/migrations/', 'dist/migrations/', isFolderOr('.sql'));
