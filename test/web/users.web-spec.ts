/** Users, as administrators see and change them, in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordRule } from '../../src/passwords/password-policy.js';
import { chosenPassword, TestApp } from '../support/app.js';
import { logIn } from '../support/log-in.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { Person } from './people.js';

describe.skipIf(!chromiumPath)(`Users${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  let admin: Person;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
    admin = await Person.loggedIn(browser, app, '/administration/users');
  });
  afterAll(async () => {
    await admin?.leaves();
    await browser?.close();
    await app?.stop();
  });

  const idOf = async (login: string): Promise<number> =>
    (await app.rows('select id from general_user where login = $1', [login]))[0].id;
  const statusOf = async (login: string, password: string): Promise<number> =>
    (await logIn(app, login, password)).status;
  const names = (): Promise<string[]> => admin.page.locator('#list td:first-child').allTextContents();

  it('are found by any words of name, login and e-mail, and by what they are', async () => {
    await admin.goes('/administration/users');
    const { page } = admin;
    const find = async (text: string, status: string | RegExp) => {
      await page.getByLabel('Name, login or e-mail').fill(text);
      await page.locator('#list-status', { hasText: status }).waitFor();
    };
    await find('brown ALI', '1 of 1.');
    expect(await names()).toEqual(['Alice Brown']);
    expect(new URL(page.url()).search).toBe('?search=brown+ALI');
    await page.getByLabel('Name, login or e-mail').fill('viktor@');
    await page.getByRole('cell', { name: 'viktor', exact: true }).waitFor();
    expect(await page.locator('#list').textContent()).toContain('inactive');
    await find(`it's "100%" _ )`, 'No users.');
    await find('', /^1 to \d+ of \d+\.$/);
    for (const [show, login] of [
      ['inactive', 'viktor'],
      ['administrators', 'grace'],
      ['active', 'alice'],
    ] as const) {
      await page.getByLabel('Show').selectOption(show);
      await page.locator('#list:not([aria-busy])').getByRole('cell', { name: login, exact: true }).waitFor();
      expect((await page.locator('#list').textContent())?.includes('inactive')).toBe(show === 'inactive');
    }
    await page.goBack();
    await page.locator('#list').getByRole('cell', { name: 'grace', exact: true }).waitFor();
    expect(await page.getByLabel('Show').inputValue()).toBe('administrators');
  });

  it('are shown whatever their logins and those that somebody locks are', async () => {
    const { page } = admin;
    const logins = ['corp\\', `it's "\\'`, `${'漢'.repeat(250)}`, 'corp\\bob'];
    const users = logins.map((Login, at) => ({ Login, Email: `odd-${at}@example.com`, LastName: `${at}` }));
    const made = await app.post(
      '/api/v1/Users/bulk',
      users.map((user) => ({ ...user, FirstName: 'Odd', Password: chosenPassword })),
    );
    expect(made.status).toBe(200);
    await app.rows(
      `insert into login_attempt (login, last_date, failures, locked_until)
      select l, now(), '{}', now() + interval '1 minute' from unnest($1::text[]) l`,
      [[...logins, 'x\\', ...Array.from({ length: 30 }, (_, at) => `${at}${'漢'.repeat(240)}`)]],
    );
    await app.rows(`insert into login_attempt (login, last_date, failures, locked_until)
      select 'made-up-' || n, now(), '{}', now() + interval '1 minute' from generate_series(1, 1100) n`);
    const odd = ['Odd 0', 'Odd 1', 'Odd 2', 'Odd 3'];
    for (const path of ['?show=locked', '?search=odd', '?search=%5C&show=locked', '?search=odd&show=locked']) {
      await admin.goes(`/administration/users${path}`);
      expect([...(await names())].sort()).toEqual(path.includes('%5C') ? [odd[0], odd[1], odd[3]] : odd);
      expect(await page.locator('#list .badge', { hasText: 'locked' }).count()).toBe((await names()).length);
    }
    for (const login of logins) {
      await admin.goes(`/administration/users/${await idOf(login)}`);
      await admin.presses('Unlock');
      await page.getByRole('button', { name: 'Unlock', exact: true }).waitFor({ state: 'detached' });
    }
    await app.rows('delete from login_attempt');
    await app.rows("update general_user set delete_date = now() where first_name = 'Odd'");
  });

  it('are created, and can log in', async () => {
    await admin.goes('/administration/users');
    const { page } = admin;
    await page.getByRole('link', { name: 'Create user' }).click();
    await admin.ready();
    await admin.isAt('FirstName');
    await admin.presses('Create user');
    expect(await page.getByText('A value is needed.').count()).toBe(3);
    await admin.isAt('Login');
    await page.getByLabel('First name').fill('Nina');
    await page.getByLabel('Login').fill('alice');
    await page.getByLabel('E-mail').fill('nina@example.com');
    await page.getByText(passwordRule).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('short');
    await admin.presses('Create user');
    await page.getByText('At least 8 characters are needed.').waitFor();
    await admin.isAt('Password');
    await page.getByLabel('Password', { exact: true }).fill('iloveyou');
    await page.getByLabel('Login').fill('nina');
    await admin.presses('Create user');
    await page.getByText('Is one of the most common passwords; choose another one.').waitFor();
    await admin.isAt('Password');
    await page.getByLabel('Password', { exact: true }).fill('given to nina');
    await page.getByLabel('Login').fill('alice');
    await admin.presses('Create user');
    await page.getByText(`'alice' belongs to somebody else`).waitFor();
    await admin.isAt('Login');
    await page.getByLabel('Login').fill('nina');
    await page.getByLabel('Role').selectOption('Designer');
    await page.getByLabel('Observer').check();
    await admin.presses('Generate');
    const password = await page.getByLabel('Password', { exact: true }).inputValue();
    expect(password).toMatch(/^\w{20}$/);
    await admin.presses('Create user');
    await admin.isTold('Nina can log in now.');
    expect(await statusOf('nina', password)).toBe(303);
    const [row] = await app.rows(
      `select u.is_observer, u.is_administrator, u.last_name, r.name as role from general_user u join role r on r.id = u.role_id where login = 'nina'`,
    );
    expect(row).toEqual({ is_observer: true, is_administrator: false, last_name: null, role: 'Designer' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Nina' }).waitFor();
  });

  it('are changed: only what was changed is sent, and what is refused is said where it belongs', async () => {
    await admin.goes(`/administration/users/${await idOf('ines')}`);
    const { page } = admin;
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postDataJSON());
    });
    await page.getByLabel('E-mail').fill('no address');
    await admin.presses('Save');
    await page.getByText('An address such as name@example.com is needed.').waitFor();
    await page.getByLabel('E-mail').fill('ines@new.example.com');
    await page.getByLabel('Last name').fill('<i>Lopes');
    await page.getByLabel('Role').selectOption('Scrum Master');
    await admin.presses('Save');
    await admin.isTold('Saved.');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Ines <i>Lopes');
    const role = Number(await page.getByLabel('Role').inputValue());
    expect(sent).toEqual([{ LastName: '<i>Lopes', Email: 'ines@new.example.com', Role: { Id: role } }]);
    await admin.presses('Save');
    await admin.isTold('Nothing was changed.');
    expect(sent).toHaveLength(1);
  });

  it('become administrators, and lose that only when it is confirmed', async () => {
    const isAdministrator = async () =>
      (await app.rows(`select is_administrator as is from general_user where login = 'sven'`))[0].is;
    await admin.goes(`/administration/users/${await idOf('sven')}`);
    const { page } = admin;
    await page.getByLabel('Administrator', { exact: true }).check();
    await admin.presses('Save');
    await admin.isTold('Saved.');
    expect(await isAdministrator()).toBe(true);
    await page.getByLabel('Administrator', { exact: true }).uncheck();
    await admin.presses('Save');
    await admin.answers('Cancel');
    expect(await isAdministrator()).toBe(true);
    await page.locator('button:focus', { hasText: 'Save' }).waitFor();
    await admin.presses('Save');
    await admin.answers('Take away');
    await admin.isTold('Saved.');
    expect(await isAdministrator()).toBe(false);
    await page.locator('button:focus', { hasText: 'Save' }).waitFor();
  });

  it('are deactivated and activated', async () => {
    await admin.goes(`/administration/users/${await idOf('chloe')}`);
    const { page } = admin;
    await admin.presses('Deactivate');
    await page.getByRole('dialog').getByText('Chloé Dubois (chloe)').waitFor();
    await admin.answers('Deactivate');
    await admin.isTold('Chloé Dubois is deactivated.');
    await admin.isAt('act-activity');
    expect(await statusOf('chloe', 'demo')).toBe(401);
    await admin.presses('Activate');
    await admin.isTold('Chloé Dubois is active.');
    await admin.isAt('act-activity');
    expect(await statusOf('chloe', 'demo')).toBe(303);
  });

  it('get a new password: typed twice, or generated and shown once', async () => {
    await admin.goes(`/administration/users/${await idOf('farid')}`);
    const { page } = admin;
    await admin.presses('Reset password');
    await page.getByRole('dialog').getByText('Farid Haddad (farid)').waitFor();
    await page.getByLabel('New password', { exact: true }).fill('one');
    await page.getByLabel('New password once more').fill('one');
    await admin.answers('Reset password');
    await page.getByText('At least 8 characters are needed.').first().waitFor();
    await page.getByRole('dialog').getByText(passwordRule).waitFor();
    await page.getByLabel('New password', { exact: true }).fill('the first one');
    await page.getByLabel('New password once more').fill('the second one');
    await admin.answers('Reset password');
    await page.getByText('This is not the same as the new password.').waitFor();
    await page.getByLabel('New password once more').fill('the first one');
    await admin.answers('Reset password');
    await admin.isTold('The password of Farid Haddad is reset.');
    expect([await statusOf('farid', 'demo'), await statusOf('farid', 'the first one')]).toEqual([401, 303]);
    await admin.presses('Reset password');
    await admin.answers('Generate');
    await admin.answers('Reset password');
    const shown = page.getByRole('dialog', { name: 'The new password' }).getByRole('textbox');
    const password = await shown.inputValue();
    await admin.answers('Close');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(password);
    expect(await statusOf('farid', password)).toBe(303);
  });

  it('are unlocked', async () => {
    for (let time = 0; time < 10; time++) await logIn(app, 'rosa', `wrong ${time}`);
    expect(await statusOf('rosa', 'demo')).toBe(429);
    await admin.goes('/administration/users?show=locked');
    const { page } = admin;
    expect(await names()).toEqual(['Rosa Jiménez']);
    await page.getByRole('link', { name: 'Rosa Jiménez' }).click();
    await admin.ready();
    await page.getByText(/locked until \d\d:\d\d \(in \d+ minutes\)/).waitFor();
    await admin.presses('Unlock');
    await admin.isTold('Rosa Jiménez is unlocked.');
    expect(await page.getByRole('button', { name: 'Unlock' }).count()).toBe(0);
    expect(await statusOf('rosa', 'demo')).toBe(303);
    await admin.goes('/administration/users?show=locked');
    expect(await names()).toEqual([]);
  });

  it('lose access tokens and the service token, which nobody sees', async () => {
    const made = await app.post('/api/v1/AccessTokens?format=json', { Name: 'Robot' }, { as: 'elena' });
    const { Token } = await app.json('/api/v1/Authentication', { as: 'elena' });
    const me = '/api/v1/Users/LoggedUser';
    const statuses = async () => [
      (await app.raw(me, { headers: { authorization: `Bearer ${made.json.Token}` } })).status,
      (await app.raw(`${me}?token=${encodeURIComponent(Token)}`)).status,
    ];
    await admin.goes(`/administration/users/${await idOf('elena')}`);
    const { page } = admin;
    expect(await page.getByRole('table', { name: 'Access Tokens' }).getByRole('row').count()).toBe(2);
    expect(await statuses()).toEqual([200, 200]);
    await admin.presses('Delete Robot');
    await admin.answers('Delete');
    await admin.isTold('The access token Robot is deleted.');
    expect(await statuses()).toEqual([401, 200]);
    await admin.presses('Revoke service token');
    await admin.answers('Revoke');
    await admin.isTold('The service token of Elena García is revoked.');
    expect(await statuses()).toEqual([401, 401]);
    const { Token: fresh } = await app.json('/api/v1/Authentication', { as: 'elena' });
    expect(await page.content()).not.toContain(fresh);
  });

  it('are deleted and restored', async () => {
    const id = await idOf('mei');
    await admin.goes(`/administration/users/${id}`);
    const { page } = admin;
    await admin.presses('Delete user');
    await page.getByRole('dialog').getByText('Mei Chen (mei)').waitFor();
    await admin.answers('Delete');
    await admin.isTold('Mei Chen is deleted.');
    expect(await statusOf('mei', 'demo')).toBe(401);
    await page.getByRole('link', { name: 'deleted users', exact: true }).click();
    await admin.ready();
    await page.getByLabel('Name, login, e-mail or id').fill('mei');
    await page.locator('#list-status', { hasText: '1 of 1.' }).waitFor();
    await admin.presses('Restore Mei Chen');
    await page.getByRole('dialog').getByText('Mei Chen').waitFor();
    await admin.answers('Cancel');
    expect(await statusOf('mei', 'demo')).toBe(401);
    await admin.presses('Restore Mei Chen');
    await admin.answers('Restore');
    await admin.isTold('Mei Chen is restored.');
    expect(await page.locator(':focus').getAttribute('href')).toBe(`/administration/users/${id}`);
    expect(await names()).toEqual([]);
    expect(await statusOf('mei', 'demo')).toBe(303);
  });
});
