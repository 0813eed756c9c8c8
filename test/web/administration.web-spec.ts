/** Administration in a real browser: what is deleted, and settings. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { Person } from './people.js';

describe.skipIf(!chromiumPath)(`Administration${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  let admin: Person;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
    admin = await Person.loggedIn(browser, app, '/administration/settings');
  });
  afterAll(async () => {
    await admin?.leaves();
    await browser?.close();
    await app?.stop();
  });

  it('lets no administrator shut himself out, nor the last one go', async () => {
    await admin.goes('/administration/users/1');
    for (const name of ['Deactivate', 'Delete user']) {
      expect(await admin.page.getByRole('button', { name }).isDisabled()).toBe(true);
    }
    await admin.page.getByLabel('Administrator', { exact: true }).uncheck();
    await app.rows(`update general_user set is_administrator = false where login = 'grace'`);
    try {
      await admin.presses('Save');
      await admin.page.getByRole('dialog').getByText('that is you').waitFor();
      await admin.answers('Take away');
      await admin.page
        .getByRole('alert')
        .filter({ hasText: 'the last active administrator must remain one' })
        .waitFor();
      await admin.answers('Cancel');
    } finally {
      await app.rows(`update general_user set is_administrator = true where login = 'grace'`);
    }
  });

  describe('deleted projects', () => {
    it('come back, with a link to where they are', async () => {
      const [{ id, name }] = await app.rows(
        'select id, name from general where entity_type_id = 1 and delete_date is not null order by id limit 1',
      );
      await admin.goes(`/administration/deleted-projects?search=${id}`);
      const { page } = admin;
      const cells = page.getByRole('row').nth(1).getByRole('cell');
      expect(await cells.nth(0).textContent()).toBe(name);
      expect(await cells.nth(2).locator('time').getAttribute('title')).toMatch(/\d{4}/);
      expect(await cells.nth(3).textContent()).toBe('Ada Administrator');
      await admin.presses(`Restore ${name}`);
      await admin.answers('Restore');
      await admin.isTold(`${name} is restored.`);
      expect((await app.ask(`/api/v1/Projects/${id}`)).status).toBe(200);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${app.base}/entity/${id}`);
    });

    it('that are back already are told of', async () => {
      const made = await app.post('/api/v1/Projects?format=json', { Name: 'Twice' });
      await app.ask(`/api/v1/Projects/${made.json.Id}`, { method: 'DELETE' });
      await admin.goes('/administration/deleted-projects?search=Twice');
      await admin.presses('Restore Twice');
      expect((await app.ask(`/api/DeletedItems/v1/Projects/${made.json.Id}/Restore`, { method: 'POST' })).status).toBe(
        200,
      );
      await admin.answers('Restore');
      await admin.page.getByRole('dialog').getByRole('alert').filter({ hasText: /\w/ }).waitFor();
      await admin.answers('Cancel');
    });
  });

  describe('settings', () => {
    it('are saved, with what is wrong said at its field', async () => {
      await admin.goes('/administration/settings');
      const { page } = admin;
      const hours = page.getByLabel('A session ends in any case after so many hours');
      await hours.fill('0');
      await admin.presses('Save settings');
      await page.getByText('A whole number from 1 to 8760 is needed.').waitFor();
      await admin.isAt('SessionHours');
      await hours.fill('100');
      await page.getByLabel('Company name').fill(`x${'y'.repeat(300)}`);
      expect((await page.getByLabel('Company name').inputValue()).length).toBe(255);
      await page.getByLabel('Company name').fill('Acme');
      await page.getByLabel('Rich text').selectOption('Markdown');
      await admin.presses('Save settings');
      await admin.isTold('The settings are saved.');
      const [settings] = await app.items('/api/v1/GlobalSettings');
      expect(settings).toMatchObject({ CompanyName: 'Acme', DefaultRichEditor: 'Markdown', SessionHours: 100 });
      await page.getByLabel('Company name').fill('');
      await page.getByLabel('Rich text').selectOption('');
      await admin.presses('Save settings');
      await admin.isTold('The settings are saved.');
      expect((await app.items('/api/v1/GlobalSettings'))[0]).toMatchObject({
        CompanyName: null,
        DefaultRichEditor: null,
      });
    });

    it('of the service itself are told where it refuses them', async () => {
      await admin.goes('/administration/settings');
      const { page } = admin;
      // As by a service whose limits have changed since the page was made.
      await page.evaluate(`document.getElementById('AccessTokenLimit').removeAttribute('max')`);
      await page.getByLabel('Access tokens of one user').fill('10001');
      await admin.presses('Save settings');
      await page.getByText('A whole number from 0 to 10000 is needed.').waitFor();
      await admin.isAt('AccessTokenLimit');
    });

    it('keep the form of the log-in where there is nothing else', async () => {
      await admin.goes('/administration/settings');
      expect(await admin.page.getByLabel('People may log in by password').isDisabled()).toBe(true);
      await admin.page.getByText('single sign-on is not set up').waitFor();
      const sso = await app.replica({ OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'worktrack' });
      const other = await Person.loggedIn(browser, sso, '/administration/settings');
      await other.page.getByLabel('People may log in by password').uncheck();
      await other.presses('Save settings');
      await other.isTold('The settings are saved.');
      expect((await sso.raw('/login')).text).not.toContain('type="password"');
      await other.page.getByLabel('People may log in by password').check();
      await other.presses('Save settings');
      await other.isTold('The settings are saved.');
      expect((await sso.raw('/login')).text).toContain('type="password"');
      await other.leaves();
      await sso.stop();
    });

    it('give the System user a password and take it away', async () => {
      const { Token } = await app.json('/api/v1/Authentication?login=System');
      await admin.goes('/administration/settings');
      const { page } = admin;
      await page.getByLabel('New password', { exact: true }).fill('open sesame');
      await page.getByLabel('New password once more').fill('open sesame');
      await admin.presses('Set password');
      await admin.isTold('The System user has a new password.');
      const statusNow = async () =>
        (
          await app.raw(
            `/api/v1/Users/LoggedUser?token=${encodeURIComponent((await app.json('/api/v1/Authentication?login=System')).Token)}`,
          )
        ).status;
      expect(await statusNow()).toBe(200);
      expect((await app.json('/api/v1/Authentication?login=System')).Token).not.toBe(Token);
      await admin.presses('Remove password');
      await admin.answers('Remove');
      await admin.isTold('The System user has no password');
      expect(await statusNow()).toBe(401);
    });
  });
});
