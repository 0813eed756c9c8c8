/**
 * The folder of the package, whether the service runs from its sources, from its modules, or from the few files these
 * are joined to.
 */
import { existsSync } from 'node:fs';

function packageFolder(from: URL): URL {
  if (existsSync(new URL('package.json', from))) return from;
  const above = new URL('..', from);
  if (above.href === from.href) throw new Error('the package.json of the service is not there');
  return packageFolder(above);
}

export const installation = packageFolder(new URL('../server', import.meta.url));

/** A file or folder that lies beside a module, or in `dist` where the module was joined with others. */
export function beside(module: string, name: string): URL {
  const file = new URL(name, module);
  return existsSync(file) ? file : new URL(`dist/${name}`, installation);
}
