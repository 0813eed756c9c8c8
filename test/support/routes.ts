/** The routes of the running service, as its router tells them: whatever is added later is among them. */
import type { TestApp } from './app.js';

/** `GET /api/v1/bugs/:id`, one a method; HEAD goes with GET. */
export function routesOf(app: TestApp): string[] {
  const drawn = app.nest.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
  const above: string[] = [];
  return drawn.split('\n').flatMap((line) => {
    const found = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!found) return [];
    const [, indent, piece, methods = ''] = found;
    const depth = indent!.length / 4;
    const path = `${above[depth - 1] ?? ''}${piece}`;
    above.splice(depth, above.length, path);
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => `${method} ${path}`);
  });
}
