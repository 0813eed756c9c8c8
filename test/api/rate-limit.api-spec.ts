/** Many requests of one user: refused where that is configured, to him alone. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ RATE_LIMIT: '1' });
});
afterAll(() => app.stop());

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';

it('E6: of one user, by whatever credential, end with 429 for a while; others are served', async () => {
  const token = encodeURIComponent((await app.json('/api/v1/Authentication', { as: 'alice' })).Token);
  const started = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? app.ask(me, { as: 'alice' }) : app.raw(`${me}&token=${token}`),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  // Ten at once, and one more each second that it took.
  const most = 10 + Math.ceil((performance.now() - started) / 1000);
  expect(answers.length - refused.length).toBeLessThanOrEqual(most);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(9);
  for (const { headers, json } of refused) {
    expect(Number(headers.get('retry-after'))).toBe(1);
    expect(json.Status).toBe('TooManyRequests');
  }
  const other = await app.ask(me, { as: 'elena' });
  expect([other.status, other.headers.get('ratelimit-limit')]).toEqual([200, '10']);
  expect(Number(other.headers.get('ratelimit-remaining'))).toBeGreaterThan(5);
  await eventually(async () => expect((await app.ask(me, { as: 'alice' })).status).toBe(200));
});

it('are not counted unless that is configured', async () => {
  const free = await app.replica();
  const answers = await Promise.all(Array.from({ length: 60 }, () => free.ask(me, { as: 'alice' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(answers[0]!.headers.get('ratelimit-limit')).toBeNull();
  await free.stop();
});

it('are counted for all processes together', { timeout: 60_000 }, async () => {
  const [first, second] = [await app.replica({ RATE_LIMIT: '1' }), await app.replica({ RATE_LIMIT: '1' })];
  const remaining = async (): Promise<number> =>
    (
      await app.rows(
        "select remaining from rate_limit_bucket where user_id = (select id from general_user where login = 'uma')",
      )
    )[0]?.remaining;
  expect((await first.ask(me, { as: 'uma' })).status).toBe(200);
  await eventually(async () => expect(await remaining()).toBeLessThan(10), 20_000);
  // As many other processes would, in which this user asks all the time.
  await app.rows('update rate_limit_bucket set remaining = -1000, at = now()');
  for (const replica of [first, second])
    await eventually(async () => {
      const { status, headers } = await replica.ask(me, { as: 'uma' });
      expect([status, Number(headers.get('retry-after')) > 500]).toEqual([429, true]);
    }, 20_000);
  await Promise.all([first.stop(), second.stop()]);
});

it('are counted by each process for itself where the count of all cannot be kept', { timeout: 60_000 }, async () => {
  await app.rows('alter table rate_limit_bucket rename to away');
  const alone = await app.replica({ RATE_LIMIT: '1' });
  const answers = await Promise.all(Array.from({ length: 40 }, () => alone.ask(me, { as: 'uma' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  await eventually(async () => expect((await alone.ask(me, { as: 'uma' })).status).toBe(200), 20_000);
  await alone.stop();
  await app.rows('alter table away rename to rate_limit_bucket');
});
