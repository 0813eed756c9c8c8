/** Writes whose answer cannot be read: they are stored, told so, and told the same to a retry with the same key. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

const megabyte = 2 ** 20;

let app: TestApp;
let project: number;
let story: number;
beforeAll(async () => {
  app = await TestApp.start({ MAX_ANSWER_MB: '4', STATEMENT_TIMEOUT: '3' });
  [{ id: project }] = await app.rows(
    `select p.id from general p join project_member m on m.project_id = p.id join general_user u on u.id = m.user_id
     where p.process_id = 3 and p.delete_date is null and u.login = 'alice' order by p.id`,
  );
  const made = await app.post('/api/v1/UserStories?format=json', { Name: 'long', Project: { Id: project } });
  story = made.json.Id;
  for (let at = 0; at < 20; at += 1)
    await app.rows('insert into comment (general_id, owner_id, description, create_date) values ($1, 1, $2, now())', [
      story,
      'c'.repeat(megabyte),
    ]);
}, 120_000);
afterAll(() => app.stop());

let keys = 0;
const newKey = (): Record<string, string> => {
  keys += 1;
  return { 'idempotency-key': `unreadable-${keys}` };
};
const nameOf = async (id: number): Promise<string> =>
  (await app.rows('select name from general where id = $1', [id]))[0]?.name;
const countOf = async (name: string): Promise<number> =>
  (await app.rows('select count(*)::int as count from general where name = $1', [name]))[0].count;
const shown = ({ status, headers, text }: Answer) => [status, headers.get('warning'), headers.get('etag'), text];

/** Meanwhile whoever reads attachments waits. */
async function withAttachmentsLocked<T>(act: () => Promise<T>): Promise<T> {
  const client = await app.database.connect();
  try {
    await client.query('begin; lock table attachment in access exclusive mode');
    return await act();
  } finally {
    client.release(true);
  }
}

const isWaiting = () =>
  eventually(async () => {
    const waiting = await app.rows(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting).toHaveLength(1);
  }, 20_000);

const itemTooLong = 'include=[Name,Comments[Description]]&innerTake=20';
const answerTooLong = 'include=[Name,Comments[Description]]&innerTake=6';

describe.each([
  ['with a key', newKey],
  ['without', () => ({}) as Record<string, string>],
])('a write %s', (_, headersOf) => {
  it.each([
    ['an item of which is too long', itemTooLong],
    ['that is too long', answerTooLong],
  ])('with an answer %s is stored, and answered with kind and id', async (what, query) => {
    for (const as of ['admin', 'alice']) {
      const headers = headersOf();
      const Name = `${what} ${as} ${Object.keys(headers)}`;
      const save = () => app.post(`/api/v1/UserStories/${story}?format=json&${query}`, { Name }, { as, headers });
      const first = await save();
      expect(shown(first)).toEqual([200, expect.stringMatching(/^199 .*Stored/), null, brief(story)]);
      expect(await nameOf(story)).toBe(Name);
      await app.rows('update general set name = $2 where id = $1', [story, 'changed since']);
      expect(shown(await save())).toEqual(shown(first));
      expect(await nameOf(story)).toBe('idempotency-key' in headers ? 'changed since' : Name);
    }
  });

  it('of several is answered with their kinds and ids, in XML', async () => {
    const headers = headersOf();
    const save = () =>
      app.post(`/api/v1/UserStories/bulk?format=xml&${itemTooLong}`, [{ Id: story, Name: 'bulk' }], { headers });
    const first = await save();
    const items = `<UserStories>\n  <UserStory ResourceType="UserStory" Id="${story}" />\n</UserStories>`;
    expect(shown(first)).toEqual([200, expect.stringMatching(/^199 /), null, items]);
    expect(shown(await save())).toEqual(shown(first));
  });

  it('whose answer takes too long to read is stored', async () => {
    for (const as of ['admin', 'alice']) {
      const headers = headersOf();
      const Name = `slow ${as} ${Object.keys(headers)}`;
      const create = () =>
        app.post(
          '/api/v1/UserStories?format=json&include=[Attachments]',
          { Name, Project: { Id: project } },
          { as, headers },
        );
      const first = await withAttachmentsLocked(create);
      expect(shown(first)).toEqual([201, expect.stringMatching(/^199 /), null, brief(first.json.Id)]);
      expect(await nameOf(first.json.Id)).toBe(Name);
      if (!('idempotency-key' in headers)) continue;
      expect(shown(await create())).toEqual(shown(first));
      expect(await countOf(Name)).toBe(1);
    }
  });

  it('whose connection breaks while the answer is read is stored once, and answered whole', async () => {
    const headers = headersOf();
    const Name = `cut ${Object.keys(headers)}`;
    const create = () =>
      app.post(
        '/api/v1/UserStories?format=json&include=[Name,Attachments]',
        { Name, Project: { Id: project } },
        { as: 'alice', headers },
      );
    const creating = await withAttachmentsLocked(async () => {
      const answer = create();
      await isWaiting();
      await app.rows(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return { answer };
    });
    const { status, json } = await creating.answer;
    expect([status, json.Name, await countOf(Name)]).toEqual([201, Name, 1]);
  });
});

const brief = (id: number): string => `{"ResourceType":"UserStory","Id":${id}}`;
