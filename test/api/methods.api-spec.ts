/** Each address that is there refuses other methods with 405, and names its own. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CollectionField, ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { routesOf } from '../support/routes.js';

vi.setConfig({ testTimeout: 60_000 });

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

/** Of documents and their pictures only those that there are. */
const addressOf = (path: string): string =>
  path
    .replace('documentation/:name', 'documentation/contract')
    .replace('pictures/:name', 'pictures/api.png')
    .replace(/:\w+/g, '1')
    .replace('*', '/1');

it('405 names the methods of each route that is no collection', async () => {
  const routes = methodsByPath();
  expect(routes.length).toBeGreaterThan(40);
  for (const [path, methods] of routes) {
    const { status, headers } = await app.ask(addressOf(path), { method: 'PUT' });
    // Files have routes for the methods that they refuse, too.
    const refused = methods.includes('PUT') ? ['PUT', 'PATCH', 'OPTIONS'] : [];
    const allowed = headers.get('allow')?.split(', ') ?? [];
    const expected = refused.length > 0 ? allowed.filter((one) => methods.includes(one)) : methods;
    expect([path, status, allowed.toSorted()]).toEqual([path, 405, expected.toSorted()]);
    expect(allowed.filter((one) => refused.includes(one))).toEqual([]);
    expect(allowed).not.toEqual([]);
  }
});

describe('an address refuses all methods but those that it names, and none of these', () => {
  const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'PUT'];
  /** Of nothing that is there, so that nothing is written. */
  const id = 999_999_999;
  const words = ['meta', 'bulk', 'index', 'context'];

  /** What the address takes, if it takes anything: an entity, or one that is there, or a list. */
  const bodyOf = (path: string, { settings }: ResourceType): string =>
    JSON.stringify(path.endsWith('/bulk') ? [{ Id: id }] : settings.operations.create ? {} : { Id: id });

  interface Refused {
    status: number;
    code?: string;
    allow?: string[];
  }

  async function asked(path: string, method: string, body: string): Promise<Refused> {
    const isSent = method === 'POST' || (method === 'DELETE' && path.endsWith('/bulk'));
    const sent = isSent ? { headers: { 'content-type': 'application/json' }, body } : {};
    const query = `format=json${method === 'DELETE' ? `&childrenIds=${id}` : ''}`;
    const { status, text, headers } = await app.ask(`${path}?${query}`, { method, ...sent });
    const code = text.startsWith('{') ? JSON.parse(text).Code : undefined;
    return { status, code, allow: headers.get('allow')?.split(', ') };
  }

  async function wrongAt(path: string, body: string): Promise<unknown[]> {
    const answers = new Map<string, Refused>();
    for (const method of methods) answers.set(method, await asked(path, method, body));
    const { status: read } = answers.get('GET')!;
    const allowed = [...answers.values()].find(({ status }) => status === 405)?.allow;
    if (!allowed) return read === 200 ? [[path, 'refuses nothing']] : [];
    const wrong = [...answers].filter(([method, { status, code, allow }]) =>
      allowed.includes(method)
        ? status === 405 || code === 'UnknownAddress' || code === 'UnknownResource'
        : status !== 405 || String(allow) !== String(allowed),
    );
    return wrong.map(([method, answer]) => [path, method, answer]);
  }

  it.each(model.resources.map((kind) => [kind.collection, kind] as const))('%s', async (collection, kind) => {
    const collections = kind.fields.filter(
      (field) => field.kind === 'collection' && kind.base?.field(field.name) === undefined,
    ) as CollectionField[];
    const path = `/api/v1/${collection}`;
    const wrong: unknown[] = [];
    for (const end of ['', `/${id}`, '/abc', ...words.map((word) => `/${word}`)])
      wrong.push(...(await wrongAt(path + end, bodyOf(end, kind))));
    for (const { name, target } of collections) {
      for (const end of [`/${id}/${name}`, `/${id}/${name}/${id}`])
        wrong.push(...(await wrongAt(path + end, bodyOf(end, target))));
    }
    for (const word of words.filter(() => collections.length > 0)) {
      const { name, target } = collections[0]!;
      for (const end of [`/${word}/${name}`, `/${word}/${name}/${id}`, `/${id}/${name}/${word}`])
        wrong.push(...(await wrongAt(path + end, bodyOf(end, target))));
    }
    expect(wrong).toEqual([]);
  });

  it('beside the collections', async () => {
    const names = ['Index', 'Context', 'Search', 'Authentication', 'Undelete', 'Nothing'];
    const described = ['Culture', 'ProjectInfo', 'SimpleContext', 'String', 'TestCaseRunStatus', 'Message'];
    const paths = names.flatMap((name) => [name, ...words.map((word) => `${name}/${word}`)]).concat('Users/LoggedUser');
    const wrong: unknown[] = [];
    for (const path of [...paths, ...described.map((name) => `${name}/meta`)])
      wrong.push(...(await wrongAt(`/api/v1/${path}`, '{}')));
    expect(wrong).toEqual([]);
  });
});
