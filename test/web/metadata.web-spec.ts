/** Descriptions of resources in XML, as a browser shows them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { signedIn } from './signed-in.js';

describe.skipIf(!chromiumPath)(`the style sheet of descriptions${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    app = await TestApp.start();
    browser = await startChromium();
    page = await (await signedIn(app, browser)).newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  /** What is shown before and behind the texts of an element, which has none itself. */
  const shown = (selector: string): Promise<string[]> =>
    page.evaluate(
      `['::before', '::after'].map((part) => getComputedStyle(document.querySelector(${JSON.stringify(selector)}), part).content)`,
    );

  it.each(['Index/meta', 'meta', 'Bugs/meta'])('lets no browser ask for an icon: %s', async (path) => {
    const answer = await page.goto(`${app.base}/api/v1/${path}`);
    expect(answer!.headers()['content-security-policy']).toBe("img-src 'none'");
  });

  it('shows names and descriptions of the index', async () => {
    await page.goto(`${app.base}/api/v1/Index/meta`);
    const [name, more] = await shown('ResourceMetadataDescription[Name="UserStory"]');
    expect(name).toBe('"UserStory"');
    expect(more).toContain('A need of a user');
  });

  it('shows the fields of one', async () => {
    await page.goto(`${app.base}/api/v1/Bugs/meta`);
    expect((await shown(':root'))[0]).toBe('"Bug"');
    expect(await shown('ResourceFieldMetadataDescription[Name="Severity"]')).toEqual([
      expect.stringContaining('Severity'),
      expect.stringContaining('Severity'),
    ]);
    expect((await shown('ResourceFieldMetadataDescription[Name="CreateDate"]'))[1]).toContain('read only');
  });
});
