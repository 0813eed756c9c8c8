/**
 * Every page, as it is looked at: against the rules of WCAG 2.2 AA, in light and dark, at the width of a phone and of a
 * desk.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from '../../src/web/documents.js';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { type Finding, isWellSeen } from './looks.js';
import { type Visitor, visit, visitQuery } from './visitor.js';

describe.skipIf(!chromiumPath)(`Accessibility${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  let story: number;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
    [{ Id: story }] = await app.items('/api/v1/UserStories?where=Tasks.Id gt 0&take=1');
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const open = async (path: string, visitor: Visitor): Promise<Page> => (await visit(browser, app, path, visitor)).page;
  const openQuery = async (query: string, visitor: Visitor): Promise<Page> =>
    (await visitQuery(browser, app, query, visitor)).page;

  /** Each page as somebody leaves it who looks at it. */
  const pages: Record<string, (visitor: Visitor) => Promise<Page>> = {
    'landing page': (visitor) => open('/', visitor),
    'landing page to a stranger': (visitor) => open('/', { ...visitor, as: '' }),
    'entity page': (visitor) => open(`/entity/${story}`, visitor),
    'refusal page': (visitor) => open('/entity/0', visitor),
    'documentation to a stranger': (visitor) => open('/documentation', { ...visitor, as: '' }),
    ...Object.fromEntries(
      documents.map(({ name }) => [
        `documentation: ${name}`,
        (visitor: Visitor) => open(`/documentation/${name}`, visitor),
      ]),
    ),
    'query page': (visitor) => openQuery('', visitor),
    'query page with a table': async (visitor) => {
      const page = await openQuery(
        "UserStories?where=(Name contains 'a') and (CreateDate gte '2020-01-01') and (Effort gt 0) and (EntityState.IsFinal eq 'false')&include=[Id,Name,Description,Project,Owner,Tasks]&append=[Tasks-Count]&orderBy=Name&format=json&take=10",
        visitor,
      );
      for (const summary of await page.locator('summary:not(:text("Conditions"))').all()) await summary.click();
      await page.getByRole('button', { name: 'Fields of Project, Project' }).click();
      await page.locator('.opened .fields').first().waitFor();
      return page;
    },
    'query page with a table of nothing': (visitor) => openQuery('Bugs?where=Id lt 0&format=json', visitor),
    'query page with JSON': async (visitor) => {
      const page = await openQuery('Bugs?format=json&take=2', visitor);
      await page.getByRole('tab', { name: 'JSON' }).click();
      return page;
    },
    'query page with XML': (visitor) => openQuery('Bugs?format=xml&take=2', visitor),
    'query page with completion': async (visitor) => {
      const page = await openQuery('Bugs?format=json&take=1', visitor);
      await page.getByRole('button', { name: 'Add a condition' }).click();
      await page.locator('[role=option]').first().waitFor();
      await page.keyboard.press('ArrowDown');
      return page;
    },
    'query page with conditions as text': async (visitor) => {
      const page = await openQuery('Bugs?where=Id gt 1 or Id lt 1&format=json&take=1', visitor);
      await page.getByLabel('where').focus();
      await page.keyboard.type(' or ');
      await page.locator('[role=option]').first().waitFor();
      await page.keyboard.press('ArrowDown');
      return page;
    },
    'query page with a refusal': (visitor) => openQuery("Bugs?where=Name equals 'x'&format=json", visitor),
  };

  it.each(Object.keys(pages))('%s', { timeout: 60_000 }, async (name) => {
    const page = await pages[name]!({ reducedMotion: 'reduce', bypassCSP: true });
    await isWellSeen(page, isScrolledByArrows);
    await page.context().close();
  });

  /**
   * The list under a text area is walked through by the arrow keys of the area, as that of a combobox, which the rule
   * knows.
   */
  const isScrolledByArrows = ({ id, html }: Finding): boolean =>
    id === 'scrollable-region-focusable' && /^<ul id="options-\d+" role="listbox"/.test(html);

  it('is reached without breaking the policy of any page', async () => {
    const faults: string[] = [];
    for (const path of [
      '/',
      '/query',
      `/query?q=${encodeURIComponent('Bugs?format=json&take=5')}`,
      `/entity/${story}`,
      '/documentation',
      '/documentation/readme',
      '/documentation/architecture',
    ]) {
      const visited = await visit(browser, app, path);
      if (path.startsWith('/query')) await visited.page.waitForSelector('#query[data-ready]');
      else if (path === '/') await visited.page.locator('.well').waitFor();
      faults.push(...visited.faults);
      await visited.page.context().close();
    }
    expect(faults).toEqual([]);
  });

  it('would notice a breach of the policy', async () => {
    const { page, faults } = await visit(browser, app, '/');
    await page.evaluate(
      "document.head.append(Object.assign(document.createElement('style'), { textContent: 'a { }' }))",
    );
    await page.evaluate("fetch('http://127.0.0.1:1/').catch(() => {})");
    expect(faults.join('\n')).toMatch(/style-src.*connect-src/s);
    await page.context().close();
  });
});
