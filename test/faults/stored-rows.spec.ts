/**
 * Rows that no request could have made, written by SQL: pages that hold them are answered, well-formed, in every
 * format.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
let story: number;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'row', ids };
beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', place);
  story = await make(app, 'UserStory', place);
}, 60_000);
afterAll(() => app.stop());

/** Lists and single items, by version 1 and 2. */
const paths = () => [
  `/api/v1/UserStories?where=(Id eq ${story})&include=[Id,Name,Description,Effort,CreateDate,PlannedStartDate,Feature[Name]]`,
  '/api/v1/UserStories?take=5',
  `/api/v1/UserStories/${story}`,
];
const v2 = () => `/api/v2/UserStory?where=(id==${story})&select={id,name,effort,createDate,feature}`;

async function expectReadable(): Promise<void> {
  for (const path of paths()) {
    expect([path, (await app.ask(path)).status]).toEqual([path, 200]);
    await parseXml(await app.xml(path));
    await app.json(path);
  }
  expect((await app.ask(v2())).status).toBe(200);
}

const set = (column: string, value: string) => app.rows(`update general set ${column} = ${value} where id = ${story}`);

describe('F25: a stored row', () => {
  it.each([
    ['characters that XML cannot carry', 'name', `'a' || chr(1) || chr(8) || chr(65534) || chr(65535) || 'b'`],
    ['a text of 10 MiB', 'description', `repeat('0123456789', 1048576)`],
    ['a text that is all markup', 'description', `repeat('<a href="&">]]>', 10000)`],
    ['no number', 'effort', `'NaN'`],
    ['a date before our era', 'planned_start_date', `'4000-01-01 BC'`],
    ['a date beyond four digits', 'planned_start_date', `'200000-01-01'`],
  ])('with %s', { timeout: 60_000 }, async (_, column, value) => {
    const [{ before }] = await app.rows(`select ${column}::text as before from general where id = $1`, [story]);
    onTestFinished(async () => {
      await app.rows(`update general set ${column} = $1 where id = $2`, [before, story]);
    });
    await set(column, value);
    await expectReadable();
  });
});
