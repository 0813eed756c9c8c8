/** Somebody with a browser, logged in, who notes what the page complains of. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';

export interface Visit {
  page: Page;
  /** Faults of the page's own: errors in its modules, and breaches of its content security policy. */
  faults: string[];
  /** What the page asked the API for. */
  asked: string[];
}

export interface Visitor extends BrowserContextOptions {
  /** Login and password; nobody without it. */
  as?: string;
}

export async function visit(
  browser: Browser,
  app: TestApp,
  path: string,
  { as = 'admin:admin', ...options }: Visitor = {},
): Promise<Visit> {
  const authorization = `Basic ${Buffer.from(as).toString('base64')}`;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    ...(as === '' ? {} : { extraHTTPHeaders: { authorization } }),
    ...options,
  });
  // Shorter than a test may take, so that it tells which step it was.
  context.setDefaultTimeout(8_000);
  const page = await context.newPage();
  const [faults, asked]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // That the service refuses or is out of reach is shown by the page; the browser notes it too.
    const isRefusal = /^Failed to load resource: (the server responded with a status of 4|net::ERR_INTERNET_DIS)/.test(
      message.text(),
    );
    if (['error', 'warning'].includes(message.type()) && !isRefusal) faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url().replace(app.base, '');
    if (url.startsWith('/api/')) asked.push(decodeURIComponent(url));
  });
  await page.goto(app.base + path, { waitUntil: 'load' });
  return { page, faults, asked };
}

/** The query page, when its modules have done what they do at first. */
export async function visitQuery(browser: Browser, app: TestApp, query = '', visitor: Visitor = {}): Promise<Visit> {
  const visited = await visit(browser, app, `/query${query === '' ? '' : `?q=${encodeURIComponent(query)}`}`, visitor);
  await visited.page.waitForSelector('#query[data-ready]');
  return visited;
}
