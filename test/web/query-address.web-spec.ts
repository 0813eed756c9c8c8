/** The address on the query page in a real browser: what is pasted there runs at the first click, as it was meant. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { type Visit, type Visitor, visitQuery } from './visitor.js';

describe.skipIf(!chromiumPath)(`The address on the query page${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  async function pasted(text: string, act: (visited: Visit) => Promise<void>, visitor: Visitor = {}): Promise<void> {
    const visited = await visitQuery(browser, app, '', visitor);
    await visited.page.getByLabel('Address', { exact: true }).click();
    await visited.page.keyboard.insertText(text);
    await act(visited);
    await visited.page.context().close();
    expect(visited.faults).toEqual([]);
  }

  const address = (page: Page) => page.getByLabel('Address', { exact: true });
  const asked = ({ asked: paths }: Visit) => paths.filter((path) => !path.includes('/meta?'));

  /** With nothing in between that waits until the button stands still. */
  async function press(page: Page, name: string): Promise<void> {
    const box = (await page.getByRole('button', { name, exact: true }).boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.up();
  }

  const long =
    "UserStories?where=(EntityState.IsFinal eq 'false')and(Effort gt 5)and(Project.Name eq 'Web Shop')&include=[Id,Name,Effort,Release[Name]]&format=json&take=5";
  const canonical =
    "UserStories?where=(EntityState.IsFinal+eq+'false')and(Effort+gt+5)and(Project.Name+eq+'Web+Shop')&include=[Id,Name,Effort,Release[Name]]&format=json&take=5";

  it.each([
    { width: 1280, height: 900 },
    { width: 500, height: 900 },
  ])('runs at the first click, in a window $width wide, and is brought to one form then', (viewport) =>
    pasted(
      long,
      async ({ page }) => {
        await press(page, 'Run');
        await page.locator('#status', { hasText: '200 OK' }).waitFor();
        await expect.poll(() => address(page).inputValue()).toBe(`${app.base}/api/v1/${canonical}`);
        await page.goBack();
        await page.locator('#examples').waitFor();
      },
      { viewport },
    ));

  it('runs at the first tap', () =>
    pasted(
      long,
      async ({ page }) => {
        await page.getByRole('button', { name: 'Run' }).tap();
        await page.locator('#status', { hasText: '200 OK' }).waitFor();
      },
      { hasTouch: true },
    ));

  it('is copied in its one form at the first click', () =>
    pasted(
      long,
      async ({ page }) => {
        await press(page, 'Copy address');
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${app.base}/api/v1/${canonical}`);
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    ));

  it('is read by the form once somebody leaves it', () =>
    pasted('Bugs?take=7&format=json', async (visited) => {
      await visited.page.keyboard.press('Tab');
      await expect.poll(() => visited.page.getByLabel('Take').inputValue()).toBe('7');
      expect(asked(visited)).toEqual([]);
    }));

  it.each([
    '/api/v2/UserStory',
    'v2/UserStory',
    '127.0.0.1:3000/track/api/v2/UserStory',
    'http://127.0.0.1:3000/api/v2/UserStory',
  ])('of version 2 is not asked as one of version 1: %s', (path) =>
    pasted(`${path}?select={id,name}&take=2`, async (visited) => {
      const { page } = visited;
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('This page asks version 1').waitFor();
      expect(await page.locator('#status').textContent()).toBe('Not asked.');
      expect(asked(visited)).toEqual([]);
      expect(await page.locator('#curl').textContent()).toBe('');
      await page.keyboard.press('Tab');
      expect(await address(page).inputValue()).toBe(`${path}?select={id,name}&take=2`);
      await page.reload();
      await page.getByRole('alert').getByText('This page asks version 1').waitFor();
      expect(await address(page).inputValue()).toBe(`${path}?select=%7Bid,name%7D&take=2`);

      await address(page).fill('Bugs?take=1&format=json');
      await page.keyboard.press('Enter');
      await page.locator('#status', { hasText: '1 item. 200 OK' }).waitFor();
      expect(await page.getByRole('alert').textContent()).toBe('');
    }));

  it('keeps a # of its query', () =>
    pasted("Bugs?where=Name contains 'C#'&take=2&format=json", async (visited) => {
      await press(visited.page, 'Run');
      await visited.page.locator('#status', { hasText: '200 OK' }).waitFor();
      expect(asked(visited)).toEqual(["/api/v1/Bugs?where=Name+contains+'C#'&format=json&take=2"]);
    }));

  it.each([
    'Search?q=#12&format=json',
    'Context?format=json',
    'Authentication?format=json',
    'Index/meta?format=json',
  ])('may be of what is no collection: %s', (query) =>
    pasted(query, async (visited) => {
      const { page } = visited;
      await page.keyboard.press('Enter');
      await page.locator('#status', { hasText: '200 OK' }).waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => page.getByLabel('Collection', { exact: true }).inputValue()).toBe(query.split('?')[0]);
      expect(await page.locator('#collection-note').textContent()).toBe('');
    }));
});
