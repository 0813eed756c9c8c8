/** Long pages come from the database in pieces, and are the same as short ones one after the other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, basic, TestApp } from '../support/app.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const paths = [
  'Generals?include=[Name,Project]',
  'Generals?include=[Name,Project]&orderByDesc=CreateDate',
  'UserStories?exclude=[Description]',
  'UserStories?include=[Name,Tasks[Name]]&orderBy=Name',
  'Comments?include=[General]',
];

describe.each(paths)('%s', (path) => {
  /** All items, a short page at a time. */
  async function walked(): Promise<{ Id: number }[]> {
    const items: { Id: number }[] = [];
    for (;;) {
      const page = await app.json(`/api/v1/${path}&take=100&skip=${items.length}`);
      items.push(...page.Items);
      if (!page.Next) return items;
    }
  }

  it.each([101, 127, 128, 129, 160, 1000])('take=%i', async (take) => {
    const all = await walked();
    for (const skip of [0, 7]) {
      const page = await app.json(`/api/v1/${path}&take=${take}&skip=${skip}`);
      expect(page.Items).toEqual(all.slice(skip, skip + take));
      expect(page.Next !== undefined).toBe(all.length > skip + take);
      expect(page.Prev !== undefined).toBe(skip > 0);
    }
  });

  it('in XML', async () => {
    const ids = (await walked()).map(({ Id }) => String(Id));
    const xml = await app.xml(`/api/v1/${path}&take=130`);
    const { children } = await parseXml(xml);
    expect(children.map(({ attributes }) => attributes.Id)).toEqual(ids.slice(0, 130));
  });
});

it('as many items as asked for leave no link to more, and no items an empty page', async () => {
  const { length } = await app.items('/api/v1/Tasks?include=[Id]&take=1000');
  expect(length).toBeGreaterThan(128);
  const firsts = await app.items('/api/v1/Tasks?include=[Id]&take=128');
  const where = `where=Id in (${firsts.map(({ Id }) => Id).join()})`;
  const whole = await app.json(`/api/v1/Tasks?include=[Id]&${where}&take=128`);
  expect([whole.Items.length, whole.Next]).toEqual([128, undefined]);
  expect(await app.json('/api/v1/Tasks?include=[Id]&where=Id lt 0&take=1000')).toEqual({ Items: [] });
  expect(await app.xml('/api/v1/Tasks?include=[Id]&where=Id lt 0&take=1000&format=xml')).toBe('<Tasks />');
});

describe('long answers side by side', () => {
  const long = [
    'Generals?take=1000&format=json',
    'Generals?take=1000&format=xml',
    'Assignables?take=1000&format=xml',
    'UserStories?take=1000&format=json',
    'Tasks?take=1000&format=json',
    'Comments?take=1000&format=json',
  ].map((path) => `/api/v1/${path}`);

  /** Reads the beginning of an answer. */
  async function leave(path: string, headers: Record<string, string>): Promise<void> {
    const leaving = new AbortController();
    const { signal } = leaving;
    const answer = await fetch(app.base + path, { headers: { authorization: basic('admin'), ...headers }, signal });
    await answer.body!.getReader().read();
    leaving.abort();
  }

  /** A slow machine refuses what waits for more than ten seconds until there is room for its answer. */
  async function answered(path: string, headers: Record<string, string>): Promise<Answer> {
    const answer = await app.ask(path, { headers });
    return answer.status === 503 ? answered(path, headers) : answer;
  }

  it.each(['identity', 'br'])('are each their own, also when others are not waited for (%s)', async (coding) => {
    const headers = { 'accept-encoding': coding };
    const expected: string[] = [];
    for (const path of long) expected.push((await app.ask(path, { headers })).text);
    expect(Math.min(...expected.map(({ length }) => length))).toBeGreaterThan(300_000);
    const wanted = Array.from({ length: 8 * long.length }, async (_, at) => {
      const gone = leave(long[(at + 1) % long.length]!, headers);
      const { status, text } = await answered(long[at % long.length]!, headers);
      await gone;
      return [status, text === expected[at % long.length] || text.slice(0, 300)];
    });
    expect(await Promise.all(wanted)).toEqual(wanted.map(() => [200, true]));
  });
});

it('text in any language survives', async () => {
  const [{ id: project }] = await app.rows(
    'select id from general where entity_type_id = 1 and delete_date is null order by id limit 1',
  );
  const names = Array.from({ length: 150 }, (_, at) => `„Größe“ ${at} Ω木🚀`);
  const made = await app.post(
    '/api/v1/UserStories/bulk?format=json',
    names.map((Name) => ({ Name, Project: { Id: project } })),
  );
  expect(made.status, made.text.slice(0, 300)).toBeLessThan(300);
  const items = await app.items(`/api/v1/UserStories?include=[Name]&where=Name contains '木'&orderBy=Id&take=500`);
  expect(items.map(({ Name }) => Name)).toEqual(names);
});
