/** Each address that is there refuses other methods with 405, and names its own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { routesOf } from '../support/routes.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

/** Routes that refuse, which take whatever comes below `/api`. */
const isForAll = (methods: readonly string[]): boolean => methods.includes('TRACE');

/** Those of a collection depend on what may be done with its entities. */
const isOfCollection = (path: string): boolean =>
  model.collectionNames.some((name) => path.startsWith(`/api/v1/${name.toLowerCase()}`));

function methodsByPath(): [path: string, methods: string[]][] {
  const byPath = new Map<string, string[]>();
  for (const route of routesOf(app)) {
    const [method, path] = route.split(' ') as [string, string];
    if (isOfCollection(path)) continue;
    byPath.set(path, [...(byPath.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  }
  return [...byPath].filter(([, methods]) => !isForAll(methods));
}

it('405 names the methods of each route that is no collection', async () => {
  const routes = methodsByPath();
  expect(routes.length).toBeGreaterThan(40);
  for (const [path, methods] of routes) {
    const { status, headers } = await app.ask(path.replace(/:\w+/g, '1').replace('*', '/1'), { method: 'PUT' });
    // Files have routes for the methods that they refuse, too.
    const refused = methods.includes('PUT') ? ['PUT', 'PATCH', 'OPTIONS'] : [];
    const allowed = headers.get('allow')?.split(', ') ?? [];
    const expected = refused.length > 0 ? allowed.filter((one) => methods.includes(one)) : methods;
    expect([path, status, allowed.toSorted()]).toEqual([path, 405, expected.toSorted()]);
    expect(allowed.filter((one) => refused.includes(one))).toEqual([]);
    expect(allowed).not.toEqual([]);
  }
});
