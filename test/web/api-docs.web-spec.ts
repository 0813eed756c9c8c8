/** The pages of the API: for whoever may call, under the content-security policy, and a GET can be tried. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { visit } from './visitor.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

it('lead strangers to the log-in', async () => {
  const answer = await app.ask('/api/docs', { as: 'nobody', headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?next=%2Fapi%2Fdocs']);
});

it('list what there is, without scripts', async () => {
  const { text, headers } = await app.ask('/api/docs', { as: 'alice' });
  expect(text).toContain('<a href="/api/docs/UserStories">UserStories</a>');
  expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
});

it('show the operations, fields and parameters of one', async () => {
  const { text, headers } = await app.ask('/api/docs/userstories', { as: 'alice' });
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style|\sstyle=|\son\w+=|https?:\/\//i);
  for (const id of ['listUserStories', 'createUserStory', 'listTasksOfUserStory', 'UserStory', 'query-where'])
    expect(text).toContain(`id="${id}"`);
});

it('have no link that leads nowhere', async () => {
  const document = await app.json('/api/openapi.json');
  const pages = new Map<string, string>();
  for (const { name } of document.tags)
    pages.set(`/api/docs/${name}`, (await app.ask(`/api/docs/${name}`, { as: 'alice' })).text);
  const dangling = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/href="(\/api\/docs\/\w+)?#(\w[^"]*)"/g)]
      .filter(([, other, id]) => !pages.get(other ?? path)?.includes(` id="${id}"`))
      .map(([link]) => `${path}: ${link}`),
  );
  expect(dangling).toEqual([]);
  expect(pages.get('/api/docs/Bugs')).toContain('<a href="/api/docs/Comments#CommentInput">');
});

it('say that there is nothing of a name', async () => {
  const { status, text } = await app.ask('/api/docs/nothing');
  expect([status, text.includes('<h1>Not found</h1>')]).toEqual([404, true]);
});

describe.skipIf(!chromiumPath)(`in a browser${withoutChromium}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('try a GET', async () => {
    const { page, faults } = await visit(browser, app, '/api/docs/Priorities#listPriorities');
    const operation = page.locator('#listPriorities');
    await operation.getByLabel('include').fill('[Name]');
    await operation.getByLabel('take', { exact: true }).fill('1');
    await operation.getByRole('button', { name: 'Try it' }).click();
    await operation.getByText('"ResourceType": "Priority"').waitFor();
    expect(await operation.locator('.answer p').textContent()).toBe(
      'GET /api/v1/Priorities?take=1&include=%5BName%5D 200',
    );
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
