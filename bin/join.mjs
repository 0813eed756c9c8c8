/** Joins the modules of the service in a few files: opening some five hundred of them takes a fifth of a start. Packages stay outside. */
import { chmodSync, cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = new URL('..', import.meta.url);

const modules = await rolldown({
  cwd: fileURLToPath(new URL('build/', root)),
  input: { main: './main.js', worker: './server/worker.js', 'cli/main': './cli/main.js' },
  platform: 'node',
  // What was compiled is joined as it is.
  tsconfig: false,
  // All but a helper of its own, which it puts in where a template says </script>.
  external: /^(?!@oxc-project\/)[@\w]/,
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

/** Scripts and style sheets of the pages are served as they are. */
const isScript = (file) => !file.endsWith('.map');
const isFolderOrSheet = (file) => !/\.\w+$/.test(file) || file.endsWith('.css');
cpSync(new URL('build/web/client/', root), new URL('dist/client/', root), { recursive: true, filter: isScript });
cpSync(new URL('src/web/client/', root), new URL('dist/client/', root), { recursive: true, filter: isFolderOrSheet });
