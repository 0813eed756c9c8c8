/** Conditions that docs/contract.md shows are taken as they stand there. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const contract = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');
const [, chapter] = /^### where\n([\s\S]*?)^### /m.exec(contract)!;
const codes = [...chapter!.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
const conditions = codes.filter(
  (code) => /^[A-Z][\w.]+ (?:eq|ne|gte?|lte?|in|contains|is|not) \S/.test(code) && !code.includes('…'),
);

const statusOf = async (where: string): Promise<number> =>
  (await app.ask(`/api/v1/UserStories?take=1&include=[Id]&where=${encodeURIComponent(where)}`)).status;

it('shows conditions', () => {
  expect(conditions).toContain("Comments.Owner.Login ne 'x'");
  expect(conditions.length).toBeGreaterThan(5);
});

it.each(conditions)('%s', async (condition) => {
  expect(await statusOf(condition)).toBe(200);
});

/** "dates, too, where they hold no slash and no space" */
it.each([
  ...['2026-01-31', '2026-01-31T12:00:00', '2026-01-31T12:00:00+02:00', '24-Oct-2015', '10-24-2015', 'Today-7'],
  ...['/Date(0)/', '10/24/2015', '2026-01-31 12:00', '10/24/2015 1:30 PM'],
])('the date %s, quoted and not', async (date) => {
  expect(contract).toContain('may be quoted or not; dates, too, where they hold no slash and no space.');
  const isTakenBare = !/[/ ]/.test(date);
  expect([await statusOf(`CreateDate gt '${date}'`), await statusOf(`CreateDate gt ${date}`)]).toEqual([
    200,
    isTakenBare ? 200 : 400,
  ]);
});
