/**
 * The query page in a real browser against the real service: what people do there, with the keyboard alone where they
 * can.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { chromiumPath, startChromium, withoutChromium } from './chromium.js';
import { type Visit, type Visitor, visitQuery } from './visitor.js';

// Keys go where the focus is at the moment they are pressed: on a very busy machine once is not enough to call a page
// broken.
describe.skipIf(!chromiumPath)(`The query page in a browser${withoutChromium}`, { retry: 1 }, () => {
  let app: TestApp;
  let browser: Browser;
  let visits: Visit[] = [];
  beforeAll(async () => {
    [app, browser] = await Promise.all([TestApp.start(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  afterEach(async () => {
    const faults = visits.flatMap((visited) => visited.faults);
    await Promise.all(visits.map(({ page }) => page.context().close()));
    visits = [];
    expect(faults).toEqual([]);
  });

  async function open(query = '', visitor: Visitor = {}): Promise<Visit> {
    const visited = await visitQuery(browser, app, query, visitor);
    visits.push(visited);
    return visited;
  }

  const address = (page: Page) => page.getByLabel('Address', { exact: true }).inputValue();
  const queryOf = async (page: Page) => (await address(page)).replace(`${app.base}/api/v1/`, '');
  const option = (page: Page, name: string) => page.locator('[role=option]', { hasText: name }).first();
  const column = (page: Page, at: number) => page.locator(`#answer tbody td:nth-child(${at})`).allTextContents();
  const isAnswered = (page: Page, words: RegExp | string) => page.locator('#status', { hasText: words }).waitFor();

  it('asks for nothing but what it shows', async () => {
    const { page, asked } = await open();
    expect(asked).toEqual([]);
    expect(await page.locator('[role=option]').count()).toBe(0);
    await page.getByLabel('Collection', { exact: true }).focus();
    await option(page, 'Assignables').waitFor();
    expect(asked).toEqual(['/api/v1/Index/meta?format=json']);
  });

  it('puts a query together and runs it by the keyboard alone', async () => {
    const { page } = await open();
    const { keyboard } = page;
    await page.getByLabel('Collection', { exact: true }).focus();
    await keyboard.type('bug');
    await option(page, 'Bugs').waitFor();
    await keyboard.press('ArrowDown');
    const active = await page.getByLabel('Collection', { exact: true }).getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a condition' }).waitFor();
    expect(await page.getByLabel('Collection', { exact: true }).inputValue()).toBe('Bugs');
    expect(await page.getByLabel('Collection', { exact: true }).getAttribute('aria-expanded')).toBe('false');

    // Fields: opened, and two of them chosen, one in a reference.
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Name', exact: true }).focus();
    await keyboard.press('Space');
    await page.getByRole('button', { name: 'Fields of EntityState, EntityState' }).focus();
    await keyboard.press('Enter');
    const state = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: 'Fields of EntityState,' }) });
    await state.getByRole('checkbox', { name: 'Name', exact: true }).focus();
    await keyboard.press('Space');
    expect(await queryOf(page)).toBe('Bugs?include=[Name,EntityState[Name]]&format=json&take=25');
    expect(await page.getByRole('checkbox', { name: 'EntityState', exact: true }).isChecked()).toBe(true);

    // A condition through a reference, with a value that the service knows.
    await page.getByRole('button', { name: 'Add a condition' }).focus();
    await keyboard.press('Enter');
    await keyboard.type('entitys');
    await option(page, 'EntityState').waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await option(page, 'IsInitial').waitFor();
    await keyboard.type('Na');
    await option(page, 'IsInitial').waitFor({ state: 'detached' });
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type('op');
    await option(page, 'Open').waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    expect(await queryOf(page)).toBe(
      "Bugs?where=EntityState.Name+eq+'Open'&include=[Name,EntityState[Name]]&format=json&take=25",
    );

    await keyboard.press('Control+Enter');
    await isAnswered(page, '200 OK');
    const items = await app.items("/api/v1/Bugs?where=EntityState.Name eq 'Open'&take=25");
    expect(items.length).toBeGreaterThan(0);
    expect(await column(page, 1)).toEqual(items.map(({ Id }) => String(Id)));
    expect(await column(page, 2)).toEqual(items.map(({ Name }) => Name));
    expect(new Set(await column(page, 3))).toEqual(new Set(['Open']));
    expect(await page.locator('#answer td a').first().getAttribute('href')).toBe(`/entity/${items[0].Id}`);
  });

  it('runs what was just typed, before its description has come', async () => {
    const { page } = await open();
    await page.getByLabel('Collection', { exact: true }).focus();
    await page.keyboard.type('Bugs');
    await page.keyboard.press('Control+Enter');
    await isAnswered(page, '25 items. 200 OK');
    expect(await queryOf(page)).toBe('Bugs?format=json&take=25');
  });

  it('offers what fits the type of a field: a date, a number, a choice, yes or no', async () => {
    const { page } = await open('UserStories?format=json');
    const add = async (path: string) => {
      await page.getByRole('button', { name: 'Add a condition' }).click();
      await page.keyboard.type(path);
      const row = page.locator('.condition').last();
      await row.locator('.value > *').waitFor();
      return row;
    };
    const operators = async (row: Awaited<ReturnType<typeof add>>) =>
      row.getByLabel('Operator').locator('option').allTextContents();
    const date = await add('CreateDate');
    await date.locator('input[type=date]').fill('2026-01-05');
    expect(await operators(date)).not.toContain('contains');
    await date.getByLabel('Operator').selectOption('gte');
    const number = await add('Effort');
    await number.locator('input[type=number]').fill('3.5');
    const flag = await add('EntityState.IsFinal');
    await flag.locator('select[aria-label=Value]').selectOption('true');
    expect(await operators(flag)).toEqual(['is', 'is not', 'is empty', 'is not empty']);
    const choice = await add('Owner.Kind');
    await choice.locator('select[aria-label=Value]').selectOption('User');
    const list = await add('Id');
    await list.getByLabel('Operator').selectOption('in');
    await list.getByLabel('Values, with commas between').fill('1, 2');
    const custom = await add('CustomFields.Release Notes');
    await custom.getByLabel('Operator').selectOption('is not null');
    expect((await queryOf(page)).replaceAll('+', ' ')).toBe(
      "UserStories?where=(CreateDate gte '2026-01-05') and (Effort eq 3.5) and (EntityState.IsFinal eq 'true') and (Owner.Kind eq 'User') and (Id in (1,2)) and ('CustomFields.Release Notes' is not null)&format=json",
    );
    await page.getByRole('button', { name: 'Remove the condition on Id' }).click();
    expect(await page.evaluate('document.activeElement.value')).toBe('CustomFields.Release Notes');
    await page.getByRole('button', { name: 'Run' }).click();
    await isAnswered(page, '200 OK');
  });

  it('completes conditions as they are typed as text', async () => {
    const { page } = await open('UserStories?format=json&take=5');
    await page.getByRole('button', { name: 'Edit as text' }).click();
    const where = page.getByLabel('where');
    await where.focus();
    for (const [typed, wanted] of [
      ['Proj', 'Project'],
      ['Na', 'Name'],
      ['con', 'contains'],
      ['', 'Data Platform'],
      ['a', 'and'],
    ] as const) {
      await page.keyboard.type(typed);
      const active = option(page, wanted);
      await active.waitFor();
      for (let step = 0; step < 20 && (await active.getAttribute('aria-selected')) !== 'true'; step++) {
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
    }
    expect(await where.inputValue()).toBe("Project.Name contains 'Data Platform' and ");
    await page.keyboard.type('(Id gt 1 or Name is null)');
    expect(await page.getByRole('button', { name: 'Edit as rows' }).isDisabled()).toBe(true);
    await page.keyboard.press('Control+Enter');
    await isAnswered(page, '5 items. 200 OK');
    await where.fill("Project.Name contains 'Data Platform'");
    await page.getByRole('button', { name: 'Edit as rows' }).click();
    expect(await page.getByLabel('Field', { exact: true }).inputValue()).toBe('Project.Name');
  });

  it('does not offer a collection inside a collection', async () => {
    const { page } = await open('Features?include=[UserStories[Name]]&format=json&take=5');
    await page.locator('summary', { hasText: 'Fields' }).click();
    const inside = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('checkbox', { name: 'UserStories', exact: true }) });
    await inside.getByRole('checkbox', { name: 'Name', exact: true }).waitFor();
    expect(await inside.getByRole('checkbox', { name: 'Tasks not inside a collection' }).isDisabled()).toBe(true);
    await page.getByLabel('Find a field').fill('epic');
    expect(await page.getByRole('checkbox', { name: 'Epic', exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Effort', exact: true }).isVisible()).toBe(false);
  });

  it('sorts, and appends counts and totals', async () => {
    const { page } = await open('Features?include=[Name]&format=json&take=5');
    await page.locator('summary', { hasText: 'Order' }).click();
    await page.getByLabel('By', { exact: true }).fill('NumericPriority');
    await page.getByLabel('Direction').selectOption('descending');
    await page.locator('summary', { hasText: 'Counts and totals' }).click();
    const field = page.getByLabel('Count or total');
    await field.fill('userstories-c');
    await option(page, 'UserStories-Count').click();
    await field.fill('UserStories-Eff');
    await option(page, 'UserStories-Effort-Sum').click();
    expect(await queryOf(page)).toBe(
      'Features?include=[Name]&append=[UserStories-Count,UserStories-Effort-Sum]&orderByDesc=NumericPriority&format=json&take=5',
    );
    await page.getByRole('button', { name: 'Remove UserStories-Effort-Sum' }).click();
    await page.keyboard.press('Control+Enter');
    await isAnswered(page, '200 OK');
    const items = await app.items('/api/v1/Features?append=[UserStories-Count]&orderByDesc=NumericPriority&take=5');
    expect(await column(page, 3)).toEqual(items.map((item) => String(item['UserStories-Count'])));
  });

  it('goes back from what was typed as an address, without leaving the field', async () => {
    const { page } = await open('Roles?format=json&take=1');
    await isAnswered(page, '200 OK');
    const field = page.getByRole('textbox', { name: 'Address' });
    for (const path of ['Bugs', 'Projects', 'Users']) {
      await field.fill(`${app.base}/api/v1/${path}?format=json&take=1`);
      await field.press('Control+Enter');
      await page.waitForURL((url) => url.search.includes(path));
      await isAnswered(page, '200 OK');
    }
    for (const path of ['Projects', 'Bugs', 'Roles']) {
      await page.goBack();
      await page.waitForURL((url) => url.search.includes(path));
      expect(await queryOf(page)).toBe(`${path}?format=json&take=1`);
    }
  });

  it('goes from page to page, in either format, and back', async () => {
    const { page } = await open('Bugs?include=[Id]&orderBy=Id&format=json&take=2');
    await isAnswered(page, '200 OK');
    const all = (await app.items('/api/v1/Bugs?include=[Id]&orderBy=Id&take=6')).map(({ Id }) => String(Id));
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    const next = page.getByRole('button', { name: 'Next' });
    await next.click();
    await page.getByRole('link', { name: all[2]!, exact: true }).waitFor();
    expect(await queryOf(page)).toBe('Bugs?include=[Id]&orderBy=Id&format=json&take=2&skip=2');
    expect(await page.getByLabel('Skip').inputValue()).toBe('2');
    await page.getByRole('tab', { name: 'XML' }).click();
    await page.locator('#answer', { hasText: `<Bug ResourceType="Bug" Id="${all[2]}"` }).waitFor();
    await next.click();
    await page.locator('#answer', { hasText: `Id="${all[4]}"` }).waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.locator('#answer', { hasText: `Id="${all[2]}"` }).waitFor();

    for (const shown of [all[4], all[2]]) {
      await page.goBack();
      await page.locator('#answer', { hasText: `Id="${shown}"` }).waitFor();
    }
    await page.goBack();
    await page.getByRole('link', { name: all[2]!, exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: all[0]!, exact: true }).waitFor();
    expect(await queryOf(page)).toBe('Bugs?include=[Id]&orderBy=Id&format=json&take=2');
    await page.goForward();
    await page.getByRole('link', { name: all[2]!, exact: true }).waitFor();
  });

  it('shows the answer as a table, as JSON and as XML, chosen by the arrow keys', async () => {
    const { page, asked } = await open('Bugs?include=[Id,Name,Effort,Project[Name]]&format=json&take=3');
    await isAnswered(page, '3 items. 200 OK');
    await page.getByRole('tab', { name: 'Table' }).focus();
    await page.keyboard.press('ArrowRight');
    const before = asked.length;
    const json = await page.locator('#answer code').textContent();
    const plain = await app.ask('/api/v1/Bugs?include=[Id,Name,Effort,Project[Name]]&format=json&take=3');
    expect(JSON.parse(json!)).toEqual(plain.json);
    // As the service spells it.
    expect(json).toMatch(/"Effort": \d+\.\d{4}$/m);
    expect(asked.length).toBe(before);
    await page.keyboard.press('ArrowRight');
    await page.locator('#answer .is-name', { hasText: 'Bugs' }).first().waitFor();
    expect(await queryOf(page)).toContain('format=xml');
    const xml = await app.xml('/api/v1/Bugs?include=[Id,Name,Effort,Project[Name]]&format=xml&take=3');
    const squeezed = (text: string) => text.replace(/>\s+</g, '><').trim();
    expect(squeezed((await page.locator('#answer code').textContent())!)).toBe(squeezed(xml));
    await page.keyboard.press('ArrowRight');
    await page.locator('#answer table').waitFor();
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Table');
  });

  it('takes an address as it is typed or pasted, and gives it back', async () => {
    const { page } = await open('', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page
      .getByLabel('Address', { exact: true })
      .fill('/api/v1/userstories?take=2&where=(Effort gt 1) and (Name contains "a")&format=json&x=1');
    await page.keyboard.press('Enter');
    await isAnswered(page, '2 items. 200 OK');
    // The conditions are drawn once the collection is described, which may be behind the answer.
    const drawn = page.getByLabel('Field', { exact: true });
    await drawn.nth(1).waitFor();
    expect(await drawn.count()).toBe(2);
    await page.getByLabel('Take').fill('3');
    await page.getByRole('button', { name: 'Copy address' }).click();
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(
      `${app.base}/api/v1/userstories?where=(Effort+gt+1)+and+(Name+contains+%22a%22)&format=json&take=3&x=1`,
    );
    expect((await app.items(copied.replace(app.base, ''))).length).toBe(3);
    await page.locator('summary', { hasText: 'curl' }).click();
    expect(await page.locator('#curl').textContent()).toBe(`curl -g -u admin '${copied}'`);
    await page.getByLabel('As', { exact: true }).selectOption('token');
    expect(await page.locator('#curl').textContent()).toBe(
      `curl -g --header "Authorization: Bearer $TOKEN" '${copied}'`,
    );
  });

  it('keeps the query in its own address, to be shared, without what it was asked with', async () => {
    const { page } = await open("UserStories?where=Name contains 'a %26 b%2Bc%25'&take=1&format=json&token=secret");
    await isAnswered(page, '200 OK');
    await page.getByLabel('Take').fill('4');
    const shared: string = await page.evaluate('location.href');
    expect(shared).not.toContain('secret');
    const { page: other } = await open(new URL(shared).searchParams.get('q')!);
    await isAnswered(other, '200 OK');
    expect(await queryOf(other)).toBe(await queryOf(page));
    expect(await other.getByLabel('Value', { exact: true }).inputValue()).toBe('a & b+c%');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Take').inputValue()).toBe('1');
  });

  it('tells what is wrong where it is wrong', async () => {
    const { page } = await open("Bugs?where=Name equals 'x'&format=json");
    const alert = page.getByRole('alert');
    await alert.getByText("expected an operator such as 'eq' or 'contains' at 5, found \"equals\"").waitFor();
    expect(await alert.locator('mark').textContent()).toBe('equals');
    expect(await page.locator('#where-problem mark').textContent()).toBe('equals');
    expect(await page.locator('#status').textContent()).toMatch(/^Status 400, \d+ ms, \d+ bytes\.$/);
    await page.getByLabel('where').fill("Name eq 'x'");
    await page.keyboard.press('Control+Enter');
    await isAnswered(page, '0 items. 200 OK');
    expect(await alert.textContent()).toBe('');
    expect(await page.locator('#where-problem').textContent()).toBe('');
    await page.getByLabel('Address', { exact: true }).fill('Bugs?include=[Nam]&format=xml');
    await page.keyboard.press('Enter');
    await alert.getByText("Invalid include field 'Nam'.").waitFor();
    expect(await page.locator('#include-problem').textContent()).toContain("Did you mean 'Name'?");
    await page.getByLabel('Address', { exact: true }).fill('Bgs?format=json');
    await page.keyboard.press('Enter');
    await alert.getByText("Unknown resource 'Bgs'").waitFor();
    expect(await page.locator('#collection-note').textContent()).toContain('no such collection');
  });

  it('says so when nobody is logged in any more, and when the service cannot be reached', async () => {
    const { page } = await open('Bugs?format=json&take=1');
    await isAnswered(page, '200 OK');
    await page.context().setExtraHTTPHeaders({ authorization: `Basic ${btoa('admin:changed')}` });
    // A challenge would make the browser itself ask for a password; whoever is logged in by a session gets none.
    await page.route('**/api/**', async (route) => {
      const response = await route.fetch();
      const { 'www-authenticate': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await page.getByRole('button', { name: 'Run' }).click();
    const link = page.getByRole('alert').getByRole('link', { name: 'Log in' });
    const next = encodeURIComponent('/query?q=Bugs?format=json%26take=1');
    expect(await link.getAttribute('href')).toBe(`/login?next=${next}`);
    await page.unrouteAll();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
  });

  it('shows what the data hold as text', async () => {
    const name = '<img src=x onerror=alert(1)>"\'</code><script>alert(2)</script>';
    const [project] = await app.items('/api/v1/Projects?take=1');
    const answer = await app.post('/api/v1/Bugs', { Name: name, Project: { Id: project.Id }, Tags: '<b>x</b>' });
    expect(answer.status).toBe(201);
    const { page } = await open("Bugs?where=Name contains 'onerror'&format=json", { bypassCSP: true });
    page.on('dialog', () => expect.unreachable('something ran'));
    await isAnswered(page, '1 item. 200 OK');
    expect(await column(page, 2)).toEqual([name]);
    for (const view of ['JSON', 'XML', 'Table']) {
      await page.getByRole('tab', { name: view }).click();
      await page.locator('#answer', { hasText: 'onerror' }).waitFor();
      expect(await page.locator('#answer :is(img, script, b)').count()).toBe(0);
    }
  });

  it('shows the beginning of a long answer, and the rest when asked', async () => {
    const { page } = await open('Times?format=json&take=1000&include=[Id,Spent,Assignable]');
    const items = await app.items('/api/v1/Times?take=1000&include=[Id]');
    expect(items.length).toBeGreaterThan(400);
    await isAnswered(page, `${items.length} items`);
    expect(await page.locator('#answer tbody tr').count()).toBe(200);
    await page.getByRole('button', { name: 'Show more rows' }).click();
    expect(await page.locator('#answer tbody tr').count()).toBe(400);
    expect(await page.locator('.rest').textContent()).toContain(`400 of ${items.length} rows shown.`);
    await page.getByRole('tab', { name: 'JSON' }).click();
    expect(await page.locator('.rest').textContent()).toMatch(/^1000 of \d+ lines shown\./);
  });

  it('begins with examples that all run', async () => {
    const { page } = await open();
    const examples = await page
      .locator('#examples a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')!));
    expect(examples.length).toBeGreaterThan(3);
    await page.locator('#examples a').first().click();
    await isAnswered(page, '200 OK');
    for (const href of examples) {
      const query = new URL(href, app.base).searchParams.get('q')!;
      expect((await app.items(`/api/v1/${query}`)).length, query).toBeGreaterThan(0);
    }
    await page.goBack();
    await page.locator('#examples').waitFor();
  });
});
