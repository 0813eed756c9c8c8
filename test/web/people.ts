/** People at their browsers, who log in by the form as people do, and a note of what their pages complain of. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.js';

export class Person {
  private constructor(
    readonly page: Page,
    private readonly app: TestApp,
    /** Errors in modules of the pages, and breaches of their policy. */
    readonly faults: string[],
  ) {}

  /** A browser of one's own, at no page yet. */
  static async comes(browser: Browser, app: TestApp, options: BrowserContextOptions = {}): Promise<Person> {
    const context = await browser.newContext({
      viewport: { width: 1180, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
      ...options,
    });
    // Shorter than a test may take, so that it tells which step it was.
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      // That the service refuses is shown by the page; the browser notes it too.
      const isRefusal = /^Failed to load resource: the server responded with a status of 4/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isRefusal) faults.push(message.text());
    });
    return new Person(page, app, faults);
  }

  /** Logged in, at the page that was wanted. */
  static async loggedIn(
    browser: Browser,
    app: TestApp,
    path: string,
    login = 'admin',
    password = login === 'admin' ? 'admin' : 'demo',
    options: BrowserContextOptions = {},
  ): Promise<Person> {
    const person = await Person.comes(browser, app, options);
    await person.page.goto(app.base + path);
    await person.logIn(login, password);
    await person.ready();
    expect(new URL(person.page.url()).pathname).toBe(path.split('?', 1)[0]);
    return person;
  }

  async logIn(login: string, password: string): Promise<void> {
    await this.page.getByLabel('Login').fill(login);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Log in' }).click();
  }

  async goes(path: string): Promise<void> {
    await this.page.goto(this.app.base + path);
    await this.ready();
  }

  /** The modules of the page have done what they do at first. */
  async ready(): Promise<void> {
    await this.page.waitForSelector('#page[data-ready]');
  }

  async presses(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** In the dialog that is open. */
  async answers(name: string): Promise<void> {
    await this.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  }

  /** What the page says came of it. */
  async isTold(words: string | RegExp): Promise<void> {
    await this.page.locator('#status', { hasText: words }).waitFor();
  }

  /** The focus is, or comes to be, at what has this id, name or text. */
  async isAt(what: string): Promise<void> {
    await this.page.locator(`:focus[id="${what}"], :focus[name="${what}"], :focus:text-is("${what}")`).waitFor();
  }

  async leaves(): Promise<void> {
    await this.page.context().close();
    expect(this.faults).toEqual([]);
  }
}
