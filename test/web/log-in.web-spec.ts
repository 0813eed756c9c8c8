/** Log-in and log-out in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { Person } from './people.js';

describe.skipIf(!chromiumPath)(`Log-in${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  it.each([
    ['with scripts', true],
    ['without', false],
  ])('fails, says why, and works: %s', async (_, javaScriptEnabled) => {
    const person = await Person.comes(browser, app, { javaScriptEnabled });
    const { page } = person;
    await page.goto(`${app.base}/administration/users?search=a&skip=0`);
    expect(new URL(page.url()).pathname).toBe('/login');
    await person.logIn('admin', 'wrong');
    await page.getByRole('alert').filter({ hasText: 'The login or the password is wrong.' }).waitFor();
    expect(await page.getByLabel('Login').inputValue()).toBe('admin');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    expect(await page.locator(':focus').getAttribute('name')).toBe('password');
    await page.keyboard.type('admin');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.base}/administration/users?search=a&skip=0`);
    await person.leaves();
  });

  it('is done with the keyboard alone, and undone', async () => {
    const person = await Person.comes(browser, app);
    const { page } = person;
    await page.goto(`${app.base}/login?next=/profile`);
    await page.locator('#login:focus').waitFor();
    await page.keyboard.type('alice');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Log in');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.base}/profile`);
    await person.ready();
    const out = page.getByRole('button', { name: 'Log out' });
    await out.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.base}/login`);
    await page.goBack();
    await page.waitForURL(`${app.base}/login?next=%2Fprofile`);
    await person.leaves();
  });

  it('is asked for again when the session has ended under an open page', async () => {
    const person = await Person.loggedIn(browser, app, '/administration/users?search=alice');
    await app.rows('delete from session');
    const asked = `fetch('/api/v1/Users/LoggedUser', { headers: { 'X-Requested-With': 'x' } }).then(({ status }) => status)`;
    await eventually(async () => expect(await person.page.evaluate(asked)).toBe(401));
    await person.page.getByRole('link', { name: 'Alice Brown' }).waitFor();
    await person.presses('Search');
    await person.page.waitForURL(`${app.base}/login?next=${encodeURIComponent('/administration/users?search=alice')}`);
    await person.logIn('admin', 'admin');
    await person.page.getByRole('link', { name: 'Alice Brown' }).waitFor();
    await person.leaves();
  });
});
