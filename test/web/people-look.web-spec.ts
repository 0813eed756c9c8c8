/**
 * The pages for people as they are looked at: by the rules of WCAG 2.2 AA, in light and dark, on a phone and a desk;
 * and long lists.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { isWellSeen } from './looks.js';
import { Person } from './people.js';

describe.skipIf(!chromiumPath)(`Pages for people${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
    const tokens = ['Export', `x${'y'.repeat(200)}`].map((Name) => ({ Name, ExpireDate: '2099-01-01' }));
    for (const token of tokens) await app.post('/api/v1/AccessTokens', token, { as: 'admin' });
    await app.rows(`update general_user set email = $1 where login = 'alice'`, [`${'long'.repeat(20)}@example.com`]);
    for (let time = 0; time < 10; time++) await app.ask('/api/v1/Bugs', { as: `viktor:${time}` });
    await app.post('/api/v1/GlobalSettings', { CompanyName: 'Acme' });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  // The rules are run as a script of the page, which its policy would not let in.
  const options = { bypassCSP: true };
  const open = (path: string): Promise<Person> => Person.loggedIn(browser, app, path, 'admin', 'admin', options);

  const dialog = async (path: string, button: string | RegExp): Promise<Person> => {
    const person = await open(path);
    await person.page.getByRole('button', { name: button }).first().click();
    await person.page.getByRole('dialog').waitFor();
    return person;
  };

  /** Each as somebody leaves it who looks at it. */
  const pages: Record<string, () => Promise<Person>> = {
    'log-in': async () => {
      const person = await Person.comes(browser, app, options);
      await person.page.goto(`${app.base}/login`);
      return person;
    },
    'log-in refused': async () => {
      const person = await Person.comes(browser, app, options);
      await person.page.goto(`${app.base}/login`);
      await person.logIn('alice', 'wrong');
      await person.page.getByRole('alert').waitFor();
      return person;
    },
    profile: async () => {
      const person = await open('/profile');
      await person.presses('Show');
      await person.page.getByRole('textbox', { name: 'Service token' }).waitFor();
      await person.presses('Change password');
      return person;
    },
    'creating a token': () => dialog('/profile', 'Create access token'),
    'a new token': async () => {
      const person = await dialog('/profile', 'Create access token');
      await person.page.getByLabel('Name').fill('One more');
      await person.answers('Create');
      await person.page.getByRole('dialog', { name: 'Your new access token' }).waitFor();
      return person;
    },
    'deleting a token': () => dialog('/profile', /^Delete/),
    users: () => open('/administration/users'),
    'users that are not there': () => open('/administration/users?search=nobody-at-all'),
    'a user': async () => {
      const person = await open('/administration/users/3');
      await person.presses('Save');
      await person.isTold('Nothing');
      return person;
    },
    'a locked and inactive user': () => open('/administration/users/24'),
    'resetting a password': () => dialog('/administration/users/3', 'Reset password'),
    'deactivating a user': () => dialog('/administration/users/3', 'Deactivate'),
    'creating a user': async () => {
      const person = await open('/administration/users/new');
      await person.presses('Create user');
      return person;
    },
    'deleted projects': () => open('/administration/deleted-projects'),
    'deleted users': () => dialog('/administration/deleted-users', /^Restore/),
    settings: async () => {
      const person = await open('/administration/settings');
      await person.page.getByLabel('A session ends in any case').fill('0');
      await person.presses('Save settings');
      return person;
    },
  };

  it.each(Object.keys(pages))('%s', { timeout: 60_000 }, async (name) => {
    const person = await pages[name]!();
    await isWellSeen(person.page);
    await person.leaves();
  });

  it('keeps to the policy of every page', async () => {
    const person = await Person.loggedIn(browser, app, '/administration/users');
    for (const path of [
      '/profile',
      '/administration/users/3',
      '/administration/users/new',
      '/administration/deleted-users',
      '/administration/deleted-projects',
      '/administration/settings',
    ]) {
      await person.goes(path);
    }
    expect(person.faults).toEqual([]);
    await person.page.evaluate(
      `document.body.append(Object.assign(document.createElement('style'), { textContent: 'a {}' }))`,
    );
    expect(person.faults.join()).toContain('style-src');
    await person.page.context().close();
  });

  describe('ten thousand of each', () => {
    beforeAll(async () => {
      await app.rows(`
        insert into general_user (kind, first_name, last_name, login, email, is_active, create_date, modify_date, delete_date)
        select 'User', 'Many', 'Person ' || n, 'many' || n || suffix, 'many' || n || '@example.com', true, now(), now(), gone
        from generate_series(1, 10000) n, (values ('', null::timestamptz), ('gone', now())) as v(suffix, gone)`);
      await app.rows(`
        insert into general (entity_type_id, name, create_date, modify_date, delete_date, process_id, last_editor_id)
        select 1, 'Old project ' || n, now(), now(), now() - n * interval '1 minute', 3, 1 from generate_series(1, 10000) n`);
    });

    it.each([
      ['/administration/users', 'Many Person 9999', 'Person 9999'],
      ['/administration/deleted-users', 'Many Person 9999', 'Person 9999'],
      ['/administration/deleted-projects', 'Old project 9999', 'project 9999'],
    ])('%s is walked through and searched', async (path, name, search) => {
      const person = await Person.loggedIn(browser, app, path);
      const { page } = person;
      const status = (words: string) => page.locator('#list-status', { hasText: words }).waitFor();
      const first = async () => page.locator('#list td:first-child').first().textContent();
      await status('1 to 50; more follow.');
      expect(await page.locator('#list tbody tr').count()).toBe(50);
      const begin = await first();
      await person.presses('Next');
      await status('51 to 100; more follow.');
      expect(await first()).not.toBe(begin);
      await person.isAt('next');
      await person.presses('Previous');
      await status('1 to 50; more follow.');
      expect(await first()).toBe(begin);
      // At the beginning there is no way back, and the focus is where it goes on.
      await person.isAt('next');
      await person.goes(`${path}?skip=9950`);
      expect(await page.getByRole('button', { name: 'Previous' }).isEnabled()).toBe(true);
      await page.getByRole('searchbox').fill(search);
      await status('1 of 1.');
      expect(await first()).toBe(name);
      await person.leaves();
    });
  });
});
