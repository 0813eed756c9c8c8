/** The pages over HTTP: their frame, the landing page, the query page, and the files they are dressed and moved by. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/runtime/version.js';
import { type Answer, TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const linksIn = ({ text }: Pick<Answer, 'text'>): string[] =>
  [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href!);
const assetsIn = ({ text }: Answer): string[] =>
  [...text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]*)"/g)].map(([, address]) => address!);
const policyOf = ({ headers }: Answer): string[] => headers.get('content-security-policy')!.split('; ').sort();

const scripted = [
  "base-uri 'none'",
  "connect-src 'self'",
  "default-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self'",
];

describe('the frame', () => {
  it.each([
    ['nobody', ['/query', '/documentation', '/login'], undefined],
    ['alice', ['/query', '/api/docs', '/documentation', '/profile'], 'Alice'],
    ['admin', ['/query', '/api/docs', '/documentation', '/profile', '/administration'], 'Ada Administrator'],
    ['admin:wrong', ['/query', '/documentation', '/login'], undefined],
    ['viktor', ['/query', '/documentation', '/login'], undefined],
  ])('leads %s on', async (as, paths, name) => {
    const page = await app.ask('/', { as });
    expect(page.status).toBe(200);
    const navigation = /<nav aria-label="Pages">.*?<\/nav>/s.exec(page.text)![0];
    expect(linksIn({ text: navigation })).toEqual(paths);
    expect(/<bdi class="name">(.*?)<\/bdi>/.exec(page.text)?.[1]).toEqual(name && expect.stringContaining(name));
    expect(/<form method="post" action="\/logout\?user=\d+">/.test(page.text)).toBe(name !== undefined);
  });

  it('names the product and its version, and says which page this is', async () => {
    const { text } = await app.ask('/query');
    expect(text).toContain('<a class="home" href="/">Worktrack</a>');
    expect(text).toContain(`<footer class="site"><p>Worktrack ${version}</p></footer>`);
    expect(text.match(/aria-current="page"/g)).toHaveLength(1);
    expect(text).toContain('<a href="/query" aria-current="page">');
    expect(text).toContain('<main id="content" tabindex="-1">');
  });

  it('spells a name as text', async () => {
    const name = '<script>alert(1)</script>"&';
    const [{ first_name }] = await app.rows("select first_name from general_user where login = 'alice'");
    const rename = (to: string) => app.rows("update general_user set first_name = $1 where login = 'alice'", [to]);
    await rename(name);
    try {
      const { text } = await app.ask('/', { as: 'alice' });
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;');
    } finally {
      await rename(first_name);
    }
  });

  it('is below the address that the service is reached at', async () => {
    const below = await TestApp.start({ BASE_URL: 'https://example.com/tracker/' });
    try {
      for (const path of [
        '/',
        '/query',
        '/documentation',
        '/documentation/operations',
        '/profile',
        '/administration/users',
        '/administration/users/new',
      ]) {
        const page = await below.ask(path);
        for (const address of [...linksIn(page).filter((href) => !href.startsWith('#')), ...assetsIn(page)]) {
          expect(address).toMatch(/^\/tracker\//);
        }
        expect(page.text).toContain('action="/tracker/logout?user=');
      }
      expect((await below.ask('/login')).headers.get('location')).toBe('/tracker/');
      expect((await below.ask('/login', { as: 'nobody' })).text).toContain('action="/tracker/login"');
      expect((await below.ask('/query')).text).toContain(
        'data-root="/tracker" data-base="https://example.com/tracker"',
      );
      expect((await below.ask('/')).text).toContain('https://example.com/tracker/api/v1/UserStories?');
    } finally {
      await below.stop();
    }
  });
});

describe('the landing page', () => {
  it.each([
    'nobody',
    'alice',
    'admin:wrong',
  ])('is there for %s, runs our modules alone and is kept by nobody', async (as) => {
    const page = await app.ask('/', { as });
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, no-store, must-revalidate, private',
      'x-content-type-options': 'nosniff',
    });
    expect(policyOf(page)).toEqual(scripted);
    expect(page.headers.has('www-authenticate')).toBe(false);
  });

  it('tells the version, how to call the service, and where to go on', async () => {
    const page = await app.ask('/', { as: 'nobody' });
    expect(page.text).toContain(`<dt>Version</dt><dd>${version}</dd>`);
    expect(page.text).toContain(`curl -g -u login '${app.base}/api/v1/UserStories?`);
    expect(linksIn(page)).toEqual(
      expect.arrayContaining([
        '/query',
        '/api/v1/Index/meta?format=json',
        '/login',
        '/health/ready',
        '/documentation/contract',
        '/documentation/query-v2',
        '/documentation/operations',
      ]),
    );
    const [, call] = /curl -g -u login '[^']*?(\/api[^']*)'/.exec(page.text)!;
    expect((await app.items(call!.replaceAll('&amp;', '&'))).length).toBe(5);
  });

  it('is read only, and nothing else became public with it', async () => {
    expect((await app.ask('/', { as: 'nobody', method: 'HEAD' })).status).toBe(200);
    for (const path of ['/api', '/api/v1', '/query', '/entity/1']) {
      expect([path, (await app.ask(path, { as: 'nobody' })).status]).toEqual([path, 401]);
    }
    for (const path of ['/index.html', '/assets', '/assets/']) {
      expect([path, (await app.ask(path, { as: 'nobody' })).status]).toEqual([path, 404]);
    }
    expect((await app.ask('/', { method: 'POST', body: '' })).status).toBe(405);
  });
});

describe('the query page', () => {
  it('is a page to whoever is logged in, and runs our modules alone', async () => {
    const page = await app.ask("/query?q=Bugs?where=Name+equals+'x'%26take=x", { as: 'alice' });
    expect(page.status).toBe(200);
    expect(policyOf(page)).toEqual(scripted);
    expect(page.text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style|\sstyle=|\son\w+=|javascript:/i);
  });

  it('knows the names of every type of choices, from the model', async () => {
    const { text } = await app.ask('/query');
    const model = /data-model="([^"]*)"/.exec(text)![1]!.replaceAll('&quot;', '"');
    const { choices, generals } = JSON.parse(model);
    expect(choices.UserEntityKind).toContain('User');
    expect(generals).toEqual(expect.arrayContaining(['UserStory', 'Project', 'General']));
    expect(generals).not.toContain('User');
    const types = new Set<string>();
    for (const { ResourceMetadataPropertiesDescription: groups } of await app.items('/api/v1/meta')) {
      for (const { Type } of groups.ResourceMetadataPropertiesResourceValuesDescription.Items) types.add(Type);
    }
    for (const type of types) if (type.endsWith('Enum')) expect(choices[type], type).not.toHaveLength(0);
  });

  it('asks the service what a filter says, and what could stand in it', async () => {
    const of = async (parameters: Record<string, string>) => {
      const { status, text } = await app.ask(`/query/conditions?${new URLSearchParams(parameters)}`, { as: 'alice' });
      expect(status).toBe(200);
      return JSON.parse(text);
    };
    expect(await of({ where: "Project.Name eq 'a''b' and (Id in (1,2))" })).toEqual({
      rows: [
        { path: 'Project.Name', operator: 'eq', values: ["a'b"] },
        { path: 'Id', operator: 'in', values: ['1', '2'] },
      ],
    });
    const place = { wanted: 'operator', path: ['Name'], from: 5, to: 9, typed: 'co' };
    expect(await of({ where: "Name cont 'x'", caret: '7' })).toEqual({ place });
    expect(await of({ where: 'Id eq 1 or Id eq 2', caret: 'x' })).toEqual({});
    expect(await of({})).toEqual({ rows: [] });
    expect((await app.ask('/query/conditions?where=Id+eq+1', { as: 'nobody' })).status).toBe(401);
  });
});

describe('files of the pages', () => {
  it('may be had and kept by anybody, under the name that this version of them has', async () => {
    const addresses = new Set([...assetsIn(await app.ask('/')), ...assetsIn(await app.ask('/query'))]);
    expect(addresses.size).toBeGreaterThan(20);
    for (const address of addresses) {
      const file = await app.ask(address, { as: 'nobody' });
      expect([address, file.status]).toEqual([address, 200]);
      const type = address.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect(Object.fromEntries(file.headers)).toMatchObject({
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(file.headers.get('vary')).toBe('Accept-Encoding');
      expect(file.text).not.toMatch(/sourceMappingURL|url\(|@import/);
    }
  });

  it('are sent compressed to whoever takes that', async () => {
    const address = assetsIn(await app.ask('/query')).at(-1)!;
    const ask = (encoding: string) => app.ask(address, { as: 'nobody', headers: { 'accept-encoding': encoding } });
    const [zipped, plain] = [await ask('br, gzip;q=0.8'), await ask('identity')];
    expect([zipped.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(zipped.text).toBe(plain.text);
    expect((await ask('gzip;q=0')).headers.get('content-encoding')).toBeNull();
  });

  it('are all there are, and all that one of them imports is named in the page', async () => {
    const modules = readdirSync(new URL('../../src/web/client/', import.meta.url)).filter((name) =>
      name.endsWith('.js'),
    );
    const paths = [
      '/',
      '/query',
      '/documentation',
      '/api/docs/Users',
      '/profile',
      ...['users', 'users/new', 'users/1', 'deleted-users', 'settings'].map((part) => `/administration/${part}`),
    ];
    const named = (await Promise.all(paths.map(async (path) => assetsIn(await app.ask(path)))))
      .flat()
      .map((address) => address.split('/').at(-1));
    const styles = ['page.css', 'fields.css', 'query.css', 'forms.css', 'documentation.css', 'api-docs.css'];
    expect(new Set(named)).toEqual(new Set([...modules, ...styles]));
  });

  it('are answered under the name of another version, but not to be kept', async () => {
    const { status, headers } = await app.ask('/assets/another/query.js', { as: 'nobody' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it.each([
    '/assets/x/nothing.js',
    '/assets/x/query.spec.ts',
    '/assets/x/query-text.spec.ts',
    '/assets/x/..%2fassets.ts',
    '/assets/x/..%2f..%2f..%2fpackage.json',
    '/assets/x/%2fetc%2fpasswd',
    '/assets/x/__proto__',
    '/assets/x/constructor',
    '/assets/..%2f..%2fpackage.json',
    '/assets/x/query.js%00',
    '/assets/x/query.js/..',
  ])('are nothing but these: %s', async (path) => {
    expect((await app.ask(path, { as: 'nobody' })).status).toBe(404);
  });
});
