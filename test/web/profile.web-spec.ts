/** The profile in a real browser: the life of an access token, the service token, and a new password. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordRule } from '../../src/passwords/password-policy.js';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { logIn } from '../support/log-in.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { Person } from './people.js';

describe.skipIf(!chromiumPath)(`Profile${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
  const statusWith = async (token: string): Promise<number> =>
    (await app.raw(me, { headers: { authorization: `Bearer ${token}` } })).status;

  it('makes an access token, shows it once, lists its use, and deletes it', async () => {
    const person = await Person.loggedIn(browser, app, '/profile', 'alice');
    const { page } = person;
    await page.getByText('None yet.').waitFor();
    await person.presses('Create access token');
    await person.isAt('Name');
    await person.answers('Create');
    await page.getByText('A value is needed.').waitFor();
    await person.isAt('Name');
    await page.keyboard.type('Export <b>');
    await page.getByLabel('Expires').selectOption('in 30 days');
    await page.keyboard.press('Enter');
    const value = page.getByRole('dialog', { name: 'Your new access token' }).getByLabel('Export <b>');
    await value.waitFor();
    const token = await value.inputValue();
    await person.answers('Copy');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
    expect(await statusWith(token)).toBe(200);
    await person.answers('Close');
    await person.isTold('The access token Export <b> is created.');
    expect(await page.content()).not.toContain(token);
    expect(await page.locator('dialog').count()).toBe(0);
    await person.isAt('create-token');

    await eventually(async () => {
      const [row] = await app.rows('select last_use_date from access_token where name = $1', ['Export <b>']);
      expect(row.last_use_date).not.toBeNull();
    });
    await person.goes('/profile');
    const cells = page.getByRole('row', { name: /Export/ }).getByRole('cell');
    const [expiry] = await app.rows(
      `select expire_date::date = (now() + interval '30 days')::date as is from access_token`,
    );
    expect(expiry.is).toBe(true);
    expect((await cells.allTextContents()).slice(0, 3)).toEqual(['Export <b>', 'just now', 'just now']);
    expect(await cells.nth(2).locator('time').getAttribute('title')).toMatch(/^\d+ \w+ \d{4},? \d\d:\d\d$/);
    expect(await cells.nth(4).textContent()).toBe('read and write');

    await person.presses('Delete Export <b>');
    await page.getByRole('dialog').getByText('The program that uses Export <b>').waitFor();
    await person.isAt('Cancel');
    await person.answers('Cancel');
    expect(await statusWith(token)).toBe(200);
    await person.isAt('Delete');
    await person.presses('Delete Export <b>');
    await person.answers('Delete');
    await person.isTold('The access token Export <b> is deleted.');
    await person.isAt('create-token');
    await page.getByText('None yet.').waitFor();
    expect(await statusWith(token)).toBe(401);
    await person.leaves();
  });

  it('makes one that only reads, until the end of a day; and says why there can be no more', async () => {
    const person = await Person.loggedIn(browser, app, '/profile', 'elena', 'demo', { timezoneId: 'America/New_York' });
    const { page } = person;
    await person.presses('Create access token');
    await page.getByLabel('Name').fill('Wallboard');
    await page.getByLabel('Expires').selectOption('on a day');
    await page.getByLabel('Last day of use').fill('2000-01-01');
    await person.answers('Create');
    await page.getByText('A day to come is needed.').waitFor();
    await page.getByLabel('Last day of use').fill('2098-12-31');
    await page.getByLabel('Read only').check();
    await person.answers('Create');
    const token = await page.getByRole('dialog', { name: 'Your new' }).getByLabel('Wallboard').inputValue();
    await page.keyboard.press('Escape');
    await person.isTold('created');
    const [row] = await app.rows(`select expire_date, is_read_only from access_token where name = 'Wallboard'`);
    expect([row.expire_date.toISOString(), row.is_read_only]).toEqual(['2099-01-01T05:00:00.000Z', true]);
    const write = await app.post(
      '/api/v1/Bugs',
      { Name: 'x' },
      { as: 'nobody', headers: { authorization: `Bearer ${token}` } },
    );
    expect([await statusWith(token), write.status]).toEqual([200, 403]);
    await app.post('/api/v1/GlobalSettings', { AccessTokenLimit: 1 });
    await person.presses('Create access token');
    await page.getByLabel('Name').fill('One too many');
    await person.answers('Create');
    await page.getByRole('alert').filter({ hasText: 'A user may have 1 access tokens at most' }).waitFor();
    await person.leaves();
  });

  it('shows the service token when asked, and issues a new one', async () => {
    const person = await Person.loggedIn(browser, app, '/profile', 'elena');
    const { page } = person;
    const token = page.getByRole('textbox', { name: 'Service token' });
    const { Token: first } = await app.json('/api/v1/Authentication', { as: 'elena' });
    expect(await page.content()).not.toContain(first);
    await person.presses('Show');
    await token.waitFor();
    expect(await token.inputValue()).toBe(first);
    await person.presses('Issue a new one');
    await person.answers('Issue a new one');
    await person.isTold('You have a new service token.');
    const second = await token.inputValue();
    const statusOf = async (token: string) => (await app.raw(`${me}&token=${encodeURIComponent(token)}`)).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    await person.leaves();
  });

  it('changes the password, and says at the field what is wrong with it', async () => {
    const person = await Person.loggedIn(browser, app, '/profile', 'bruno');
    const { page } = person;
    const fill = async (...values: string[]) => {
      const labels = ['Current password', 'New password', 'New password once more'];
      for (const [at, value] of values.entries()) await page.getByLabel(labels[at]!, { exact: true }).fill(value);
      await person.presses('Change password');
    };
    expect(await page.getByLabel('New password', { exact: true }).getAttribute('minlength')).toBe('8');
    await page.getByText(passwordRule).waitFor();
    await fill('demo', 'short', 'short');
    await page.getByText('At least 8 characters are needed.').waitFor();
    await person.isAt('NewPassword');
    await fill('demo', 'Password1', 'Password1');
    await page.getByText('Is one of the most common passwords; choose another one.').waitFor();
    await person.isAt('NewPassword');
    await fill('demo', 'fresh one', 'frish one');
    await page.getByText('This is not the same as the new password.').waitFor();
    await person.isAt('Repeat');
    await fill('wrong', 'fresh one', 'fresh one');
    const complaint = page.getByText('Is not the password of this user.');
    await complaint.waitFor();
    await person.isAt('CurrentPassword');
    const described = await page.getByLabel('Current password').getAttribute('aria-describedby');
    expect(described).toBe(await complaint.getAttribute('id'));
    // Nine more of these, and for a while no password is looked at any more.
    for (let time = 1; time < 10; time++) await logIn(app, 'bruno', `wrong ${time}`);
    await fill('demo', 'fresh one', 'fresh one');
    const locked = 'Too many failed attempts for this login. Try again in 10 minutes.';
    await page.getByRole('alert').filter({ hasText: locked }).waitFor();
    await app.rows('delete from login_attempt');
    await person.presses('Show passwords');
    expect(await page.getByLabel('Current password').getAttribute('type')).toBe('text');
    await fill('demo', 'fresh one', 'fresh one');
    await person.isTold('Your password is changed.');
    expect(await page.getByLabel('Current password').inputValue()).toBe('');
    expect(await page.getByLabel('Current password').getAttribute('type')).toBe('password');
    // The session went on under another id.
    await person.goes('/profile');
    expect([(await logIn(app, 'bruno', 'demo')).status, (await logIn(app, 'bruno', 'fresh one')).status]).toEqual([
      401, 303,
    ]);
    await person.leaves();
  });

  it('works by Basic and by a token in the address, and for the System user', async () => {
    const authorization = `Basic ${Buffer.from('farid:demo').toString('base64')}`;
    const basic = await Person.comes(browser, app, { extraHTTPHeaders: { authorization } });
    await basic.goes('/profile');
    await basic.page.getByText('None yet.').waitFor();
    await basic.leaves();
    await app.post('/api/v1/GlobalSettings', { SystemPassword: 'open sesame' });
    const { Token } = await app.json('/api/v1/Authentication?login=System');
    const system = await Person.comes(browser, app);
    await system.goes(`/profile?token=${encodeURIComponent(Token)}`);
    await system.presses('Show');
    expect(await system.page.getByRole('textbox', { name: 'Service token' }).inputValue()).toBe(Token);
    await system.leaves();
  });

  it('sends a form once, however often it is pressed', async () => {
    const person = await Person.loggedIn(browser, app, '/profile', 'mei');
    await app.rows('update global_settings set access_token_limit = 100');
    const { page } = person;
    let sent = 0;
    await page.route('**/api/v1/AccessTokens', async (route) => {
      sent += 1;
      await page.evaluate(`document.querySelector('dialog form').requestSubmit()`);
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await route.continue();
    });
    await person.presses('Create access token');
    await page.getByLabel('Name').fill('Once');
    await person.answers('Create');
    await page.getByRole('dialog', { name: 'Your new access token' }).waitFor();
    expect(sent).toBe(1);
    await person.leaves();
  });
});
