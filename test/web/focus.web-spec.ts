/** Where the focus is when a dialog has closed, a request has ended and buttons are enabled again, in every order. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { Person } from './people.js';

/** What is done to a scene: a form of the page is busy, and has opened a dialog and begun a request meanwhile. */
const steps = {
  dialog: 'scene.dialog.close(); return scene.closed',
  request: 'scene.answer(); return scene.answered',
  buttons: 'scene.enable()',
} as const;
type Step = keyof typeof steps;

interface End {
  /** What becomes of the button that had the focus, with the request and when buttons are enabled. */
  request?: string;
  buttons?: string;
  /** Where the focus belongs then. */
  place: string;
}

const ends: Record<string, End> = {
  'stays as it is': { place: 'act' },
  'is drawn anew': { request: `act.replaceWith(element('button', { id: 'act' }, 'Act'))`, place: 'act' },
  'is gone': { request: 'act.remove()', place: 'first' },
  'stays disabled': { buttons: 'act.disabled = true', place: 'first' },
};

/** The scene is made of the modules of the page itself. */
const build = (folder: string, { request = '', buttons = '' }: Partial<End> = {}): string => `(async () => {
  const [{ openDialog }, { busy }, { holdFocus }, { element }] = await Promise.all(
    ['dialogs', 'forms', 'focus', 'dom'].map((name) => import('${folder}' + name + '.js')));
  document.querySelector('#scene')?.remove();
  const act = element('button', { id: 'act' }, 'Act');
  const form = element('form', {}, element('input', { id: 'first' }), act);
  document.querySelector('#content').append(element('section', { id: 'scene' }, form));
  const scene = {};
  act.focus();
  const ready = busy(form);
  scene.enable = () => { ready(); ${buttons}; };
  const release = holdFocus();
  scene.answered = new Promise((resolve) => { scene.answer = resolve; }).then(() => { ${request}; release(); });
  scene.closed = openDialog({ title: 'Question', content: [] });
  scene.dialog = document.querySelector('dialog');
  globalThis.scene = scene;
})()`;

/** Two frames: the browser has drawn the page, and has taken the focus from what cannot have it. */
const frames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))';

function ordersOf<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((one) => ordersOf(things.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

const orders = ordersOf(Object.keys(steps) as Step[]);
const cases = Object.keys(ends).flatMap((end) =>
  orders.flatMap((order) => [true, false].map((isDrawn) => ({ end, order, isDrawn }))),
);

describe.skipIf(!chromiumPath)(`The focus${withoutChromium}`, () => {
  let app: TestApp;
  let browser: Browser;
  let admin: Person;
  let page: Page;
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
    admin = await Person.loggedIn(browser, app, '/profile');
    page = admin.page;
  });
  afterAll(async () => {
    await admin?.leaves();
    await browser?.close();
    await app?.stop();
  });

  /** The folder they are served from. */
  async function modules(): Promise<string> {
    const address = await page.locator('script[type=module][src*="/assets/"]').first().getAttribute('src');
    return address!.replace(/[^/]*$/, '');
  }

  describe('returns when all is over', () => {
    it.each(cases)('and the button $end; order: $order, drawn in between: $isDrawn', async ({
      end,
      order,
      isDrawn,
    }) => {
      const { place } = ends[end]!;
      await page.evaluate(build(await modules(), ends[end]));
      const done = order.map(
        (step) => `await (async () => { ${steps[step]} })(); ${isDrawn ? `await ${frames};` : ''}`,
      );
      await page.evaluate(`(async () => { ${done.join('\n')} })()`);
      await admin.isAt(place);
      // It stays there.
      await page.evaluate(frames);
      expect(await page.evaluate('document.activeElement.id')).toBe(place);
    });

    it.each(orders)('unless somebody has put it elsewhere: %s, %s, %s', async (...order) => {
      await page.evaluate(build(await modules()));
      for (const step of order) {
        await page.evaluate(`(async () => { ${steps[step]} })()`);
        if (step === 'dialog') await page.evaluate(`document.querySelector('#first').focus()`);
        await page.evaluate(frames);
      }
      expect(await page.evaluate('document.activeElement.id')).toBe('first');
    });
  });

  /** Requests to the API, in the order in which they are made; each waits until it is let through. */
  async function held(): Promise<{ next(): Promise<Route>; end(): Promise<void> }> {
    const waiting: Route[] = [];
    let wake = () => {};
    await page.route('**/api/v1/**', (route) => {
      waiting.push(route);
      wake();
    });
    return {
      async next() {
        while (waiting.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        return waiting.shift()!;
      },
      end: () => page.unroute('**/api/v1/**'),
    };
  }

  const drawn = (): Promise<unknown> => page.evaluate(frames);
  const focused = (): Promise<unknown> =>
    page.evaluate('document.activeElement.id || document.activeElement.textContent');

  it('is at Save when the rights of an administrator are taken away, however long each request takes', async () => {
    await app.rows(`update general_user set is_administrator = true where login = 'sven'`);
    const [{ id }] = await app.rows(`select id from general_user where login = 'sven'`);
    await admin.goes(`/administration/users/${id}`);
    await page.getByLabel('Administrator', { exact: true }).uncheck();
    await admin.presses('Save');
    await admin.answers('Cancel');
    await admin.isAt('Save');
    await admin.presses('Save');
    const requests = await held();
    await admin.answers('Take away');
    const save = await requests.next();
    await drawn();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await save.continue();
    // The dialog has closed, and the form that opened it reads the user again.
    for (let time = 0; time < 2; time++) {
      const read = await requests.next();
      await page.locator('dialog').waitFor({ state: 'detached' });
      await drawn();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      expect(await focused()).not.toBe('FirstName');
      await read.continue();
    }
    await requests.end();
    await admin.isTold('Saved.');
    await admin.isAt('Save');
  });

  it('is in the dialog when that is refused, and at the button below it when it is closed', async () => {
    await admin.goes('/profile');
    await admin.presses('Issue a new one');
    const requests = await held();
    await admin.answers('Issue a new one');
    const asked = await requests.next();
    await drawn();
    await asked.fulfill({ status: 409, contentType: 'application/json', body: '{"Message":"Not now."}' });
    await requests.end();
    await page.getByRole('dialog').getByText('Not now.').waitFor();
    await page.locator('dialog button:focus', { hasText: 'Issue a new one' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#service-token button:focus', { hasText: 'Issue a new one' }).waitFor();
  });
});
