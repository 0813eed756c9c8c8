/** The editors of the query page in a real browser: an edit of one part of a query leaves the rest of it as it was. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { visitQuery } from './visitor.js';

describe.skipIf(!chromiumPath)(`The editors of the query page${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  async function at(query: string, act: (page: Page) => Promise<void>): Promise<void> {
    const { page, faults } = await visitQuery(browser, app, query);
    await act(page);
    await page.context().close();
    expect(faults).toEqual([]);
  }

  const queryOf = async (page: Page) =>
    (await page.getByLabel('Address', { exact: true }).inputValue())
      .replace(`${app.base}/api/v1/`, '')
      .replaceAll('+', ' ');

  it.each(["(Tags eq '') and (Name contains 'a')", "Name in ('', 'x')"])('show %s as text', (where) =>
    at(`UserStories?where=${where}&format=json&take=1`, async (page) => {
      expect(await page.getByLabel('where', { exact: true }).inputValue()).toBe(where);
      expect(await page.getByRole('button', { name: 'Edit as rows' }).isDisabled()).toBe(true);
    }));

  it('keep a value with a comma whole', () =>
    at("UserStories?where=Name in ('Doe, John','X')&format=json&take=1", async (page) => {
      const values = page.getByLabel('Values, with commas between');
      await values.focus();
      await page.keyboard.press('End');
      await page.keyboard.type(', Y');
      expect(await values.inputValue()).toBe("'Doe, John', X, Y");
      expect(await queryOf(page)).toBe("UserStories?where=Name in ('Doe, John','X','Y')&format=json&take=1");
    }));

  it('leave what they cannot show to the address', () =>
    at('Features?append=[UserStories-Count,Bugs-Effort-Sum&orderBy=Name&orderByDesc=Id&format=json', async (page) => {
      await page.locator('#append', { hasText: 'not well formed' }).waitFor({ state: 'attached' });
      expect(await page.getByLabel('Count or total').count()).toBe(0);
      expect(await page.getByLabel('By', { exact: true }).isDisabled()).toBe(true);
      expect(await page.locator('#order-gist').textContent()).toBe('Name, Id, descending');
      const address = page.getByLabel('Address', { exact: true });
      await address.fill('Features?include=[Name&orderBy=Name&format=json');
      await page.keyboard.press('Control+Enter');
      await page.locator('#include', { hasText: 'not well formed' }).waitFor({ state: 'attached' });
      await page.getByLabel('Count or total').waitFor({ state: 'attached' });
      expect(await page.getByLabel('By', { exact: true }).inputValue()).toBe('Name');
      expect(await page.getByLabel('By', { exact: true }).isEnabled()).toBe(true);
    }));

  it('keep a query while the name of its collection is wrong, and for when it is chosen again', () =>
    at("UserStories?where=Name contains 'a'&include=[Name]&format=json&take=1", async (page) => {
      const before = await queryOf(page);
      const collection = page.getByLabel('Collection', { exact: true });
      const note = page.locator('#collection-note');
      await collection.focus();
      await page.keyboard.press('End');
      await page.keyboard.type('x');
      await note.filter({ hasText: 'no such collection' }).waitFor();
      expect(await queryOf(page)).toBe(before.replace('UserStories', 'UserStoriesx'));
      await page.keyboard.press('Backspace');
      await note.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
      expect(await queryOf(page)).toBe(before);
      await page.getByLabel('Value', { exact: true }).waitFor();
      await collection.fill('Bugs');
      await expect.poll(() => queryOf(page)).toBe('Bugs?format=json&take=1');
      await collection.fill('UserStories');
      await expect.poll(() => queryOf(page)).toBe(before);
    }));

  it('keep a query whose collection is written wrong in the address', () =>
    at("UserStoris?where=Name contains 'a'&format=json&take=1", async (page) => {
      await page.locator('#collection-note', { hasText: 'no such collection' }).waitFor();
      await page.getByLabel('Collection', { exact: true }).fill('UserStories');
      await expect.poll(() => queryOf(page)).toBe("UserStories?where=Name contains 'a'&format=json&take=1");
    }));

  it('pick nothing by a click on the note that there are more options', () =>
    at('', async (page) => {
      const script = await page.locator('script[type=module][src*="/assets/"]').first().getAttribute('src');
      await page.evaluate(`(async () => {
        const [{ combobox }, { element }] = await Promise.all(
          ['combobox', 'dom'].map((name) => import('${script!.replace(/[^/]*$/, '')}' + name + '.js')));
        const field = element('input', { id: 'many' });
        document.querySelector('#content').prepend(field);
        const options = Array.from({ length: 130 }, (_, at) => ({ text: String(at), label: 'option ' + at, note: '' }));
        combobox(field, { complete: async () => ({ from: 0, to: 0, options }), changed() {} });
      })()`);
      await page.locator('#many').click();
      await page.getByText('30 more: type on').click({ force: true });
      expect(await page.locator('#many').inputValue()).toBe('');
    }));
});
