/** The routes of the running service, as its router tells them: whatever is added later is among them. */
import type { TestApp } from './app.js';
import { model } from './builder.js';

/**
 * `GET /api/v1/bugs/:id`, one a method and, where a route is of several resources, one a resource; HEAD goes with GET.
 */
export const routesOf = (app: TestApp): string[] => drawn(app).flatMap(eachResource);

/** The router tells the families' routes apart by the first segment, and draws them as one. */
function eachResource(route: string): string[] {
  const match = /^([A-Z-]+ .*)\/:resource\|:collection(.*)$/.exec(route);
  if (!match) return [route];
  return model.collectionNames.map((name) => `${match[1]}/${name.toLowerCase()}${match[2]}`);
}

function drawn(app: TestApp): string[] {
  const text = app.nest.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
  const above: string[] = [];
  return text.split('\n').flatMap((line) => {
    const match = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, -]+)\))?(?: \{.*\})?$/.exec(line);
    if (!match) return [];
    const [, indent, piece, methods = ''] = match;
    const depth = indent!.length / 4;
    const path = `${above[depth - 1] ?? ''}${piece}`;
    above.splice(depth, above.length, path);
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => `${method} ${path}`);
  });
}
