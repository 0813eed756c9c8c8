/** Work at the pages that is interrupted: by an answer that is lost, a dialog that is left, a session that ends. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { Person } from './people.js';

describe.skipIf(!chromiumPath)(`Interrupted work at the pages${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const idOf = async (login: string): Promise<number> =>
    (await app.rows('select id from general_user where login = $1', [login]))[0].id;
  const rowOf = async (login: string) => (await app.rows('select * from general_user where login = $1', [login]))[0];
  const tokens = async (name: string): Promise<number> =>
    (await app.rows('select 1 from access_token where name = $1', [name])).length;

  /** Requests of a method to a path reach the service; their answers wait until the returned function is called. */
  async function held(page: Page, method: string, path: string): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== method) return route.continue();
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    });
    return release;
  }

  it('says that a write may be done whose answer is lost', async () => {
    const person = await Person.loggedIn(browser, app, '/profile', 'alice');
    const { page } = person;
    await page.route('**/api/v1/AccessTokens', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await person.presses('Create access token');
    await page.getByLabel('Name').fill('Lost');
    await person.answers('Create');
    await page.getByRole('alert').getByText('No answer came. What was asked for may be done').waitFor();
    expect(await tokens('Lost')).toBe(1);
    await page.context().close();
  });

  it('keeps a dialog that is under way, however often Escape is pressed', async () => {
    const person = await Person.loggedIn(browser, app, '/profile', 'elena');
    const { page } = person;
    const release = await held(page, 'POST', '/api/v1/AccessTokens');
    await person.presses('Create access token');
    await page.getByLabel('Name').fill('Kept');
    await person.answers('Create');
    await page.locator('dialog form[aria-busy]').waitFor();
    for (let count = 0; count < 3; count++) {
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor();
    }
    release();
    await page.getByRole('dialog', { name: 'Your new access token' }).getByLabel('Kept').waitFor();
    await page.keyboard.press('Escape');
    await person.isTold('The access token Kept is created.');
    await person.leaves();
  });

  it('shows a problem of the page itself, and days that no token may last to', async () => {
    const person = await Person.loggedIn(browser, app, '/profile', 'elena');
    const { page } = person;
    await person.presses('Create access token');
    await page.getByLabel('Name').fill('Late');
    await page.getByLabel('Expires').selectOption('on a day');
    const last = page.getByLabel('Last day of use');
    await last.evaluate((field) => Object.assign(field, { value: '12027-01-01' }));
    await person.answers('Create');
    await page.getByText('A day up to 9999-12-30 is needed.').waitFor();
    await last.evaluate((field) => field.removeAttribute('max'));
    await person.answers('Create');
    await page.getByRole('alert').getByText('This page has failed.').waitFor();
    await expect.poll(() => person.faults.join()).toContain('RangeError');
    await page.context().close();
  });

  it('leaves what is typed in the form of a user when the buttons beside it are pressed', async () => {
    const person = await Person.loggedIn(browser, app, `/administration/users/${await idOf('chloe')}`);
    const { page } = person;
    await page.getByLabel('First name').fill('Caroline');
    await person.presses('Deactivate');
    await person.answers('Deactivate');
    await person.isTold('is deactivated.');
    expect(await page.locator('#status bdi').count()).toBe(1);
    expect(await page.getByLabel('First name').inputValue()).toBe('Caroline');
    await person.presses('Save');
    await person.isTold('Saved.');
    const { first_name, is_active } = await rowOf('chloe');
    expect([first_name, is_active]).toEqual(['Caroline', false]);
    await person.leaves();
  });

  it('says what is done where the page cannot be read anew', async () => {
    const person = await Person.loggedIn(browser, app, `/administration/users/${await idOf('farid')}`);
    const { page } = person;
    await page.route('**/api/v1/LoginAttempts*', (route) =>
      route.fulfill({ status: 403, json: { Status: 'Forbidden', Message: 'Not now.' } }),
    );
    await page.getByLabel('First name').fill('David');
    await person.presses('Save');
    await person.isTold('Saved. What is shown here is older: Not now.');
    expect((await rowOf('farid')).first_name).toBe('David');
    await person.presses('Save');
    await person.isTold('Nothing was changed.');
    await person.presses('Deactivate');
    await person.answers('Deactivate');
    await person.isTold(/is deactivated\. What is shown here is older: Not now\./);
    await person.leaves();
  });

  it('keeps a form while somebody logs in again', async () => {
    const person = await Person.loggedIn(browser, app, '/administration/users/new');
    const { page } = person;
    await page.getByLabel('First name').fill('Olga');
    await page.getByLabel('Login').fill('olga');
    await page.getByLabel('E-mail').fill('olga@example.com');
    await page.getByLabel('Password', { exact: true }).fill(chosenPassword);
    const other = await page.context().newPage();
    await other.goto(`${app.base}/documentation`);
    await other.getByRole('button', { name: 'Log out' }).click();
    await other.getByLabel('Login').waitFor();
    await person.presses('Create user');
    await page.getByRole('alert').getByText('You are not logged in any more.').waitFor();
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('alert').getByRole('link', { name: 'Log in' }).click(),
    ]);
    await opened.getByLabel('Login').fill('admin');
    await opened.getByLabel('Password').fill('admin');
    await opened.getByRole('button', { name: 'Log in' }).click();
    await opened.waitForURL(`${app.base}/`);
    await person.presses('Create user');
    await person.isTold('Olga can log in now.');
    await person.leaves();
  });

  it('shows the way to the log-in beside an answer of the API', async () => {
    const person = await Person.comes(browser, app);
    const { page } = person;
    await page.goto(`${app.base}/api/docs/Priorities`);
    await person.logIn('alice', 'demo');
    const operation = page.locator('#listPriorities');
    await operation.locator('summary').click();
    await page.context().clearCookies();
    await operation.getByRole('button', { name: 'Try it' }).click();
    const link = operation.getByRole('link', { name: 'Log in' });
    expect(await link.getAttribute('href')).toBe('/login?next=%2Fapi%2Fdocs%2FPriorities');
    await person.leaves();
  });

  it('begins a list anew that has no such page any more', async () => {
    const person = await Person.loggedIn(browser, app, '/administration/deleted-users?skip=50');
    const { page } = person;
    await page.locator('#list-status', { hasText: /^1/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await person.leaves();
  });

  it('shows answers that are lines of JSON', async () => {
    const person = await Person.comes(browser, app);
    const { page } = person;
    await page.goto(`${app.base}/login?next=${encodeURIComponent('/query?q=UserStories?format=ndjson%26take=2')}`);
    await person.logIn('alice', 'demo');
    await page.locator('#status', { hasText: '200 OK' }).waitFor();
    await page.locator('#answer', { hasText: 'UserStory' }).waitFor();
    await person.leaves();
  });
});
