/**
 * The page of an entity in a real browser: nothing in it runs, nothing breaks out of its place, and it fits and is
 * reachable.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { hostileTexts } from './hostile-texts.js';
import { signedIn } from './signed-in.js';

describe.skipIf(!chromiumPath)(`In a browser${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  let story: number;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
    const [project] = await app.rows('select id from general where entity_type_id = 1 and delete_date is null limit 1');
    story = await create('UserStories', {
      Name: '<script>alert(1)</script><img src=x onerror=alert(1)>',
      Project: { Id: project.id },
      Description: `<h2>Plan</h2><p>${'word '.repeat(80)}${'long'.repeat(100)}</p><pre>${'wide '.repeat(100)}</pre>
        <table><tr>${'<td>cell</td>'.repeat(40)}</tr></table><img width="4000" height="10" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">${hostileTexts[0]}`,
      Tags: 'a, b',
    });
    for (const text of hostileTexts) {
      // Control characters cannot be stored at all.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that cannot
      const storable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
      for (const text of [storable, `<!--markdown-->a ${storable}`]) await comment(text);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  async function create(collection: string, body: object): Promise<number> {
    const answer = await app.post(`/api/v1/${collection}?format=json`, body);
    if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.json.Id;
  }

  const comment = (text: string): Promise<number> => create('Comments', { General: { Id: story }, Description: text });

  interface Seen {
    page: Page;
    /** Dialogs, and addresses asked for, other than pictures from elsewhere. */
    dialogs: string[];
    requests: string[];
  }

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Seen> {
    const context = await signedIn(app, browser, {
      viewport: { width: 390, height: 800 },
      ...options,
    });
    const [dialogs, requests]: [string[], string[]] = [[], []];
    // Nothing of what the texts name is ever asked for.
    await context.route(/.*/, (route) =>
      route.request().url().startsWith(app.base) ? route.continue() : route.abort(),
    );
    const page = await context.newPage();
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (request.resourceType() !== 'image') requests.push(request.url().replace(app.base, ''));
    });
    await page.goto(app.base + path, { waitUntil: 'load' });
    return { page, dialogs, requests };
  }

  const pages = [0, 100].map((skip) => `?skip=${skip}`);

  // Without the policy only the sanitiser stands between the texts and the browser.
  it.each([
    ['with', false],
    ['even without', true],
  ])('runs nothing of what hostile texts hold, %s the content security policy', async (_, bypassCSP) => {
    for (const query of pages) {
      const { page, dialogs, requests } = await open(`/entity/${story}${query}`, { bypassCSP });
      for (const link of await page.locator('.rich *').all()) await link.dispatchEvent('mouseover');
      await page.locator('.rich').first().click();
      const active =
        'script, iframe, object, embed, input, style, svg, math, [style], main form, main [id]:not(h2, article)';
      expect(await page.locator(active).count()).toBe(0);
      // The frame's own, to log out.
      expect(await page.locator('form').evaluateAll((all) => all.map((one) => one.getAttribute('action')))).toEqual([
        '/logout?user=1',
      ]);
      expect(dialogs).toEqual([]);
      expect(requests).toEqual([`/entity/${story}${query}`, expect.stringMatching(/^\/assets\/[\w-]+\/page\.css$/)]);
      await page.context().close();
    }
  });

  it('would notice: shown as they are, the same texts do run something', async () => {
    const { page, dialogs } = await open('/entity/0', { bypassCSP: true });
    for (const text of hostileTexts) await page.setContent(text);
    expect(dialogs.length).toBeGreaterThan(10);
    await page.context().close();
  });

  it('keeps every text in its place', async () => {
    for (const [at, query] of pages.entries()) {
      const { page } = await open(`/entity/${story}${query}`);
      const count = Math.min(100, 2 * hostileTexts.length - 100 * at);
      expect(await page.locator('body > main > section > article').count()).toBe(count);
      expect(await page.locator('article').count()).toBe(count);
      expect(await page.locator('article > section.rich').count()).toBe(count);
      expect(await page.locator('article > *:not(header, section)').count()).toBe(0);
      expect(await page.locator('main > *').evaluateAll((all) => all.map((one) => one.localName).join(' '))).toBe(
        'header dl section section footer',
      );
      expect(await page.locator('body > *').evaluateAll((all) => all.map((one) => one.localName).join(' '))).toBe(
        'a header main footer',
      );
      await page.context().close();
    }
  });

  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('fits %i pixels and is legible in %s', async (width, colorScheme) => {
    const { page } = await open(`/entity/${story}`, { viewport: { width, height: 800 }, colorScheme });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.evaluate(contrasts)).toEqual([]);
    await page.context().close();
  });

  it('names its parts, and is walked through with the keyboard alone', async () => {
    const { page } = await open(`/entity/${story}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('<script>');
    for (const name of ['Description', 'Comments', 'More comments']) {
      const role = name === 'More comments' ? 'navigation' : 'region';
      expect(await page.getByRole(role, { name: new RegExp(`^${name}`) }).count()).toBe(1);
    }
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('href')).toMatch(/^\/entity\/\d+$/);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    const next = page.getByRole('link', { name: 'Later comments' });
    await next.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/skip=100#comments$/);
    await page.context().close();
  });

  it('shows the same page to whoever may not see it, with the style', async () => {
    const { page } = await open('/entity/0');
    expect(await page.title()).toBe('Not found');
    expect(await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth")).toBe('800px');
    await page.context().close();
  });
});

/** In the browser: texts whose contrast with what is behind them is below 4.5 to 1. */
const contrasts = `(() => {
  const channel = (value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = (color) => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(channel); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (one) => { const color = getComputedStyle(one).backgroundColor; return /, 0\\)$/.test(color) && one.parentElement ? behind(one.parentElement) : color; };
  return [...document.querySelectorAll('main *')].filter((one) => {
    const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x);
    return one.innerText?.trim() && (a + 0.05) / (b + 0.05) < 4.5;
  }).map((one) => one.outerHTML.slice(0, 80));
})()`;
