/** A window of a browser in which somebody has logged in. */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { cookieOf, logIn } from '../support/log-in.js';

export async function signedIn(
  app: TestApp,
  browser: Browser,
  options: BrowserContextOptions = {},
  { login, password }: { login: string; password: string } = { login: 'admin', password: 'admin' },
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  const [name, value] = cookieOf(await logIn(app, login, password)).split('=') as [string, string];
  await context.addCookies([{ name, value, url: app.base }]);
  return context;
}
