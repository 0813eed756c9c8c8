/** Who said it: members speak for themselves, administrators for others too. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let own: number;
let other: number;
const ids: Ids = { Process: 3, Role: 1 };
const as = 'comment.member';

beforeAll(async () => {
  app = await TestApp.start();
  ids.Project = await make(app, 'Project', { mark: 'comment', ids });
  own = await make(app, 'User', { mark: 'comment', ids }, { Login: as });
  other = await make(app, 'User', { mark: 'comment', ids }, { Login: 'comment.other' });
  for (const User of [own, other]) await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User } });
  ids.UserStory = await make(app, 'UserStory', { mark: 'comment', ids });
});
afterAll(() => app.stop());

const comment = (Owner: object | null | undefined, who?: string) =>
  app.post(
    '/api/v1/Comments?format=json',
    { Description: 'x', General: { Id: ids.UserStory }, ...(Owner === undefined ? {} : { Owner }) },
    who ? { as: who } : {},
  );

it('members comment in their own name, whether they give it or not', async () => {
  for (const owner of [undefined, null, { Id: own }]) {
    const made = await comment(owner, as);
    expect([made.status, made.json.Owner?.Id]).toEqual([201, own]);
  }
});

it('members are refused the name of somebody else, alone, within an item and later', async () => {
  const count = () => app.rows('select count(*)::int n from comment');
  const { json: mine } = await comment(undefined, as);
  const before = await count();
  const within = { Comments: [{ Description: 'x', Owner: { Id: other } }] };
  const refusals = [
    await comment({ Id: other }, as),
    await app.post(`/api/v1/UserStories/${ids.UserStory}?format=json`, within, { as }),
    await app.post(`/api/v1/Comments/${mine.Id}?format=json`, { Owner: { Id: other } }, { as }),
  ];
  for (const { status, text } of refusals) {
    expect([status, text]).toEqual([403, expect.stringContaining('name another Owner of a comment')]);
  }
  expect(await count()).toEqual(before);
  expect((await app.json(`/api/v1/Comments/${mine.Id}?include=[Owner]`)).Owner.Id).toBe(own);
});

it('administrators comment in the name of others', async () => {
  const made = await comment({ Id: other });
  expect([made.status, made.json.Owner.Id]).toEqual([201, other]);
  const moved = await app.post(`/api/v1/Comments/${made.json.Id}?format=json`, { Owner: { Id: own } });
  expect([moved.status, moved.json.Owner.Id]).toEqual([200, own]);
});

const write = (path: string, body: object) => app.post(`/api/v1/${path}?format=json`, body);
const say = async (Id: number | undefined, ParentId?: number): Promise<number> =>
  (await write('Comments', { Description: 'x', General: { Id }, ParentId })).json.Id;
const parentOf = async (id: number) => (await app.json(`/api/v1/Comments/${id}?include=[ParentId]`)).ParentId ?? null;

it.each([
  0,
  '0',
  '0.0',
  '0e0',
  '-0',
  null,
  '',
])('a comment replies to nothing where its ParentId is %j', async (ParentId) => {
  const first = await say(ids.UserStory);
  const body = { Description: 'x', General: { Id: ids.UserStory }, ParentId };
  const made = await write('Comments', body);
  expect([made.status, made.json.ParentId]).toEqual([201, null]);
  const reply = await say(ids.UserStory, first);
  expect((await write(`Comments/${reply}`, { ParentId })).status).toBe(200);
  expect(await parentOf(reply)).toBeNull();
});

it('a reply that moves to another entity replies to nothing, and nothing there replies to it', async () => {
  const General = { Id: await make(app, 'UserStory', { mark: 'comment', ids }) };
  const first = await say(ids.UserStory);
  const second = await say(ids.UserStory, first);
  const third = await say(ids.UserStory, second);
  const sentBack = await write(`Comments/${second}`, { General, ParentId: first });
  expect([sentBack.status, sentBack.text]).toEqual([400, expect.stringContaining('no comment')]);
  expect([await parentOf(second), await parentOf(third)]).toEqual([first, second]);
  expect((await write(`Comments/${second}`, { General })).status).toBe(200);
  expect([await parentOf(second), await parentOf(third)]).toEqual([null, null]);
});

it('what moves together with its replies keeps them', async () => {
  const General = { Id: await make(app, 'UserStory', { mark: 'comment', ids }) };
  const first = await say(ids.UserStory);
  const second = await say(ids.UserStory, first);
  const left = await say(ids.UserStory, first);
  const moved = await write('Comments/bulk', [
    { Id: second, General },
    { Id: first, General },
  ]);
  expect(moved.status).toBe(200);
  expect([await parentOf(second), await parentOf(left)]).toEqual([first, null]);
  const answered = await say(General.Id);
  expect((await write(`Comments/${left}`, { General, ParentId: answered })).status).toBe(200);
  expect(await parentOf(left)).toBe(answered);
});

it('replies make no circle', async () => {
  const first = await say(ids.UserStory);
  const second = await say(ids.UserStory, first);
  const third = await say(ids.UserStory, second);
  for (const [path, body] of [
    [`Comments/${first}`, { ParentId: third }],
    ['Comments/bulk', [{ Id: first, ParentId: second }]],
    [`Comments/${first}`, { ParentId: first }],
  ] as const) {
    const answer = await write(path, body);
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('ParentId')]);
  }
  expect(await parentOf(first)).toBeNull();
  expect((await write(`Comments/${third}`, { ParentId: first })).status).toBe(200);
});

it('whoever spoke last is told of the item, also where administrators give a comment to another', async () => {
  const General = { Id: await make(app, 'UserStory', { mark: 'comment', ids }) };
  const last = async () =>
    (await app.json(`/api/v1/UserStories/${General.Id}?include=[LastCommentedUser]`)).LastCommentedUser?.Id;
  await write('Comments', { Description: 'x', General, Owner: { Id: own } });
  const { json } = await write('Comments', { Description: 'x', General, Owner: { Id: other } });
  expect(await last()).toBe(other);
  expect((await write(`Comments/${json.Id}`, { Owner: { Id: own } })).status).toBe(200);
  expect(await last()).toBe(own);
});
