/**
 * What pages ask the service for, in a real browser behind a proxy that takes a path off: with the credential of the
 * page, below that path, and with words for answers that break off.
 */
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { Person } from './people.js';

describe.skipIf(!chromiumPath)(`Pages below a path${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  let proxy: Server;
  let site: string;
  /** Answers to such requests break off after one character, or are something else. */
  let spoiled: { method: string; path: string; with?: string } | undefined;
  beforeAll(async () => {
    proxy = createServer((request, response) => {
      const { method, headers } = request;
      const path = request.url!.replace(/^\/tracker/, '');
      const isMeant = method === spoiled?.method && path.startsWith(String(spoiled?.path));
      const spoiling = isMeant ? spoiled : undefined;
      const forwarded = forward(app.base + path, { method, headers }, (answer) => {
        if (!spoiling) {
          answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
          return;
        }
        answer.resume();
        if (spoiling.with !== undefined) response.end(spoiling.with);
        else response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
      });
      request.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/tracker`;
    [app, browser] = await Promise.all([TestApp.start({ BASE_URL: site }), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    proxy?.closeAllConnections();
    proxy?.close();
    await app?.stop();
  });

  async function visit(path: string, login?: string): Promise<Person> {
    const person = await Person.comes(browser, app);
    await person.page.goto(site + path);
    if (login !== undefined) await person.logIn(login, login === 'admin' ? 'admin' : 'demo');
    return person;
  }

  it('lead to the log-in and back when the session has ended', async () => {
    const person = await visit('/administration/users?search=alice', 'admin');
    const alice = person.page.getByRole('link', { name: 'Alice Brown' });
    await alice.waitFor();
    await app.rows('delete from session');
    for (let isOver = false; !isOver; ) {
      await person.page.locator('#list:not([aria-busy])').or(person.page.locator('#login')).waitFor();
      isOver = (await person.page.locator('#login').count()) > 0;
      if (!isOver) await person.presses('Search');
    }
    await person.logIn('admin', 'admin');
    await alice.waitFor();
    expect(person.page.url()).toBe(`${site}/administration/users?search=alice`);
    await person.leaves();
  });

  it('go on with the token of their address', async () => {
    const { Token } = await app.json('/api/v1/Authentication', { as: 'alice' });
    const { Token: accessToken } = (
      await app.post('/api/v1/AccessTokens?format=json', { Name: 'pages' }, { as: 'alice' })
    ).json;
    for (const credential of [
      `token=${encodeURIComponent(Token)}`,
      `access_token=${encodeURIComponent(accessToken)}`,
    ]) {
      const person = await visit(`/query?${credential}&q=Users/LoggedUser%3Fformat%3Djson%26include%3D%5BLogin%5D`);
      await person.page.locator('#answer').getByText('alice').waitFor();
      await person.page.getByRole('button', { name: 'Run' }).click();
      await person.page.locator('#status', { hasText: '200 OK' }).waitFor();
      await person.page.goto(`${site}/api/docs/UserStories?${credential}`);
      const operation = person.page.locator('#listUserStories');
      await operation.locator('summary').first().click();
      await operation.getByRole('button', { name: 'Try it' }).click();
      await operation.locator('.answer p', { hasText: ' 200' }).waitFor();
      await person.leaves();
    }
  });

  it('ask for nobody who has logged in since', async () => {
    const person = await visit('/query?q=Users/LoggedUser%3Fformat%3Djson%26include%3D%5BLogin%5D', 'alice');
    await person.page.locator('#answer').getByText('alice').waitFor();
    const other = await person.page.context().newPage();
    await other.goto(`${site}/login`);
    await other.getByRole('button', { name: 'Log out' }).click();
    await other.getByLabel('Login').fill('admin');
    await other.getByLabel('Password').fill('admin');
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.waitForURL(`${site}/`);
    await person.page.getByRole('button', { name: 'Run' }).click();
    await person.page.locator('#status', { hasText: 'Status 401' }).waitFor();
    await person.page.context().close();
  });

  it.each([
    ['breaks off', undefined],
    ['is something else', '<html>Sign in to the network</html>'],
  ])('say so where an answer %s', async (_, text) => {
    const person = await visit('/administration/users/3', 'admin');
    await person.ready();
    spoiled = { method: 'POST', path: '/api/v1/Users/3', with: text };
    await person.page.getByLabel('First name').fill(text === undefined ? 'Alicia' : 'Alix');
    await person.presses('Save');
    await person.page.getByRole('alert').getByText('The answer did not come whole.').waitFor();
    expect(await person.page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
    spoiled = { method: 'GET', path: '/api/v1/UserStories', with: text };
    await person.page.goto(`${site}/api/docs/UserStories`);
    const operation = person.page.locator('#listUserStories');
    await operation.locator('summary').first().click();
    await operation.getByRole('button', { name: 'Try it' }).click();
    await operation.locator('.answer pre', { hasText: text ?? 'The answer did not come whole.' }).waitFor();
    await person.page.context().close();
  });
});
