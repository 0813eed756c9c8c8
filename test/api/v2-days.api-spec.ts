/** Words for days in lists of version 2. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

it('a list of dates may hold words for days, as a comparison may', async () => {
  await app.rows('update general set create_date = date_trunc($1, now()) where id = 1241', ['day']);
  await app.rows("update general set create_date = '2026-01-31' where id = 1247");
  const ids = async (where: string) =>
    (
      await app.ask(
        `/api/v2/UserStory?${new URLSearchParams({ where: `id in [1241,1247] and ${where}`, select: 'id' })}`,
      )
    ).json.items;
  expect(await ids("createDate in ['Today','2026-01-31']")).toEqual([1247, 1241]);
  expect(await ids("createDate in ['Today']")).toEqual([1241]);
  expect(await ids("createDate not in ['Today-1','2026-01-31']")).toEqual([1241]);
});
