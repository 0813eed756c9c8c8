/**
 * The documentation that comes with the service, as pages: what is served, where its links lead, and how it is read on
 * a phone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../../src/web/documents.js';
import { type Answer, TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { visit } from './visitor.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const names = documents.map(({ name }) => name);
const show = (name: string, as = 'nobody'): Promise<Answer> => app.ask(`/documentation/${name}`, { as });
const linksIn = (text: string): string[] => [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href!);
const namesIn = (text: string): string[] => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
const inRepository = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const fileOf = (name: string): string => documents.find((one) => one.name === name)!.file;
const textOf = (name: string): string => readFileSync(inRepository(fileOf(name)), 'utf8');
const bodyOf = async (name: string): Promise<string> => (await show(name)).text.split('class="rich document"')[1]!;

/** What a text links to in the repository, or shows as a picture, as paths from its root. */
const pathsIn = (name: string, mark: '[' | '!['): string[] => {
  const prose = textOf(name).replace(/^```.*?^```/gms, '');
  const written = [...prose.matchAll(/(!?\[)(?:`[^`]*`|[^\]`])*\]\(([^)#:]+)(?:#[^)]*)?\)/g)];
  return written.flatMap(([, opened, path]) =>
    opened === mark ? [new URL(path!, `http://r/${fileOf(name)}`).pathname.slice(1)] : [],
  );
};
const isServed = (path: string): boolean => path === 'README.md' || /^docs\/[^/]+\.md$/.test(path);

describe('the list of texts', () => {
  const inDocs = readdirSync(inRepository('docs')).filter((name) => name.endsWith('.md'));

  it('is that of the README and the folder of documents', async () => {
    const { text } = await app.ask('/documentation', { as: 'nobody' });
    const listed = linksIn(text).filter((href) => href.startsWith('/documentation/'));
    const wanted = ['readme', ...inDocs.map((name) => name.replace('.md', ''))];
    expect(listed.map((href) => href.slice('/documentation/'.length)).sort()).toEqual(wanted.sort());
  });

  it('has every document that README.md names, and none that no text leads to', async () => {
    const named = pathsIn('readme', '[').filter(isServed);
    expect(named.length).toBeGreaterThan(9);
    expect(named.filter((path) => !documents.some(({ file }) => file === path))).toEqual([]);
    const anywhere = new Set(names.flatMap((name) => pathsIn(name, '[')));
    expect(documents.filter(({ file }) => !anywhere.has(file))).toEqual([]);
  });

  it.each(names)('links of %s to other texts are links on its page', async (name) => {
    const wanted = pathsIn(name, '[').filter(isServed).sort();
    const linked = linksIn(await bodyOf(name)).flatMap((href) => /\/documentation\/([^#]+)/.exec(href)?.[1] ?? []);
    expect(linked.map(fileOf).sort()).toEqual(wanted);
  });
});

describe('pictures', () => {
  const inFolder = readdirSync(inRepository('docs/pictures')).sort();
  const ask = (name: string, method = 'GET') => app.raw(`/documentation/pictures/${name}`, { method });

  it('of the texts are all shown, with words for those who do not see them', async () => {
    const shown: string[] = [];
    for (const name of names) {
      const body = await bodyOf(name);
      const tags = body.match(/<img [^>]*>/g) ?? [];
      expect(tags).toHaveLength(pathsIn(name, '![').length);
      for (const tag of tags) {
        expect(tag).toMatch(/ alt="[^"]{20,}"/);
        shown.push(/ src="\/documentation\/pictures\/([^"]+)"/.exec(tag)![1]!);
      }
    }
    expect(shown.sort()).toEqual(inFolder);
  });

  it.each(inFolder)('%s is there for anybody, as it is', async (name) => {
    const answer = await fetch(`${app.base}/documentation/pictures/${name}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(readFileSync(inRepository(`docs/pictures/${name}`)))).toBe(true);
    expect((await ask(name, 'HEAD')).status).toBe(200);
    expect((await ask(name, 'POST')).status).toBe(405);
  });

  it.each([
    'nothing.png',
    '__proto__',
    'QUERY.png',
    '..%2fcontract.md',
    '..%2f..%2fpackage.json',
    'query.png%00',
    'query.png/x',
    '',
  ])('%j is none', async (name) => expect((await ask(name)).status).toBe(404));
});

describe('each text', () => {
  it.each(names)('%s is a page for anybody, without scripts and kept by nobody', async (name) => {
    const page = await show(name);
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, no-store, must-revalidate, private',
    });
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    expect(page.text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|href="javascript:/i);
    expect(page.text.match(/<h1/g)).toHaveLength(1);
  });

  it.each(names)('%s is there from its first heading to its last', async (name) => {
    const { text } = await show(name);
    const prose = textOf(name).replace(/^```.*?^```/gms, '');
    const headings = [...prose.matchAll(/^#+ (.*)$/gm)];
    expect(headings.length).toBeGreaterThan(0);
    expect(text.match(/<h[1-6] id=/g)).toHaveLength(headings.length);
    const tables = [...prose.matchAll(/^\|[-:| ]+\|$/gm)];
    expect(text.match(/<table>/g) ?? []).toHaveLength(tables.length);
  });

  it.each(names)('%s names no place twice', async (name) => {
    const ids = namesIn((await show(name)).text);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('greets whoever is logged in, every time', async () => {
    expect((await show('contract', 'alice')).text).toContain('<bdi class="name">Alice');
    expect((await show('contract')).text).not.toContain('class="name"');
  });

  it('is found in any letter case, with a slash behind it, and by HEAD', async () => {
    for (const path of ['/documentation/Contract', '/Documentation/contract/', '/documentation/', '/documentation'])
      expect([path, (await app.ask(path, { as: 'nobody' })).status]).toEqual([path, 200]);
    expect((await app.ask('/documentation/contract', { as: 'nobody', method: 'HEAD' })).status).toBe(200);
  });
});

describe('links', () => {
  it('lead to pages that are there, and to places that are in them', async () => {
    const pages = new Map<string, string>();
    for (const name of names) pages.set(`/documentation/${name}`, (await show(name)).text);
    const broken: string[] = [];
    for (const [path, text] of pages) {
      for (const href of linksIn(text)) {
        const { pathname, hash, origin } = new URL(href, app.base + path);
        if (origin !== app.base) continue;
        const target = pages.get(pathname);
        const isThere = target !== undefined || (await app.ask(pathname, { as: 'nobody' })).status !== 404;
        const isNamed = hash === '' || namesIn(target ?? '').includes(decodeURIComponent(hash.slice(1)));
        if (!isThere || !isNamed) broken.push(`${path} -> ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it.each([
    ['contract', '/documentation/query-v2'],
    ['operations', '/documentation/readme#configuration'],
    ['readme', '/documentation/operations#several-processes'],
    ['readme', '/documentation/contract'],
    ['performance', '/documentation/operations#several-processes'],
  ])('of %s lead to %s', async (name, address) => {
    const [, body] = (await show(name)).text.split('class="rich document"');
    expect(linksIn(body!)).toContain(address);
  });

  it('to what is not served are words', async () => {
    const { text } = await show('readme');
    expect(textOf('readme')).toContain('[Contributing](CONTRIBUTING.md)');
    expect(text).toMatch(/<li>Contributing, /);
    for (const name of names) expect((await show(name)).text).not.toMatch(/href="[^"]*(?:\.md|bench)/);
  });
});

describe('what is not served', () => {
  it.each([
    'nothing',
    'contributing',
    'contract.md',
    '__proto__',
    'constructor',
    '..%2fpackage.json',
    '..%2f..%2fetc%2fpasswd',
    '%2fetc%2fpasswd',
    'docs%2fcontract',
    'contract%00',
    'contract/x',
  ])('%s is not found', async (name) => {
    const answer = await show(name);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('<script');
  });

  it('is said in the frame of the pages', async () => {
    const { headers, text } = await show('nothing');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('<h1>Not found</h1>');
  });
});

/** The image holds what its recipe copies, and its recipe sees what is not ignored. */
it('is copied into the image', () => {
  const [recipe, seen] = ['Dockerfile', '.dockerignore'].map((name) =>
    readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'),
  );
  const image = recipe!.slice(recipe!.lastIndexOf('FROM '));
  for (const place of new Set(documents.map(({ file }) => file.split('/')[0]!))) {
    expect(image).toMatch(new RegExp(`^COPY ${place} \\./(${place})?$`, 'm'));
    expect(seen).toMatch(new RegExp(`^!${place}$`, 'm'));
  }
});

describe.skipIf(!chromiumPath)(`in a browser${withoutChromium}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('scrolls a long table in its own box, by the keyboard', async () => {
    const { page, faults } = await visit(browser, app, '/documentation/readme', {
      as: '',
      viewport: { width: 360, height: 800 },
    });
    const table = page.getByRole('group', { name: 'Table: Configuration' });
    await table.focus();
    await page.keyboard.press('ArrowRight');
    // Asked from outside each time: within the page, the policy of the page forbids to evaluate a text.
    await expect
      .poll(() => page.evaluate("document.activeElement.matches('.scrolled') && document.activeElement.scrollLeft > 0"))
      .toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('leads from the landing page to a place in a text', async () => {
    const { page, faults } = await visit(browser, app, '/', { as: '' });
    await page.getByRole('link', { name: 'Running it' }).click();
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Several processes' })
      .click();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/documentation/operations#several-processes');
    expect(await page.locator('h2:target').textContent()).toBe('Several processes');
    await page.getByRole('link', { name: 'README' }).click();
    expect(await page.locator('h2:target').textContent()).toBe('Configuration');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
