/** Records of histories name who made the change, also where it moved totals of items that somebody else edited. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
/** Alice is in the one project, and sees nothing of the other. */
const [project, elsewhere] = [8, 26];
const developer = 1;
let people: Record<string, number>;
beforeAll(async () => {
  app = await TestApp.start();
  const users = await app.items('/api/v1/Users?include=[Id,Login]&take=100');
  people = Object.fromEntries(users.map(({ Id, Login }) => [Login, Id]));
});
afterAll(() => app.stop());

async function write(as: string, path: string, body: unknown) {
  const answer = await app.post(`/api/v1/${path}?format=json`, body, { as });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}

async function make(as: string, path: string, more: object = {}): Promise<number> {
  return (await write(as, path, { Name: 'item', Project: { Id: project }, ...more })).Id;
}

const effort = (as: string, id: number, Effort: number) =>
  write(as, 'RoleEfforts', { Assignable: { Id: id }, Role: { Id: developer }, Effort });

const loginOf = (person: { Id: number } | null): string | undefined =>
  Object.keys(people).find((login) => people[login] === person?.Id);

/** Of each record, the eldest first: who, what was done, and the effort. */
async function full(kind: string, id: number): Promise<unknown[]> {
  const records = await app.items(
    `/api/v1/${kind}Histories?where=Current${kind}.Id eq ${id}&include=[Modifier,Modification,Effort]&orderBy=Date,Id`,
  );
  return records.map(({ Modifier, Modification, Effort }) => [loginOf(Modifier), Modification, Effort]);
}

async function simple(path: string, id: number): Promise<unknown[]> {
  const records = await app.items(`/api/v1/${path}/${id}/History?include=[Modifier,Effort]&orderBy=Date,Id`);
  return records.map(({ Modifier, Effort }) => [loginOf(Modifier), Effort]);
}

describe('a record names', () => {
  it('who changed an effort, and is not merged with the record of somebody else', async () => {
    const id = await make('admin', 'UserStories');
    await effort('alice', id, 13);
    expect(await full('UserStory', id)).toEqual([
      ['admin', 'Add', 0],
      ['alice', 'Update', 13],
    ]);
    expect(await simple('UserStories', id)).toEqual([
      ['admin', 0],
      ['alice', 13],
    ]);
    const [, changed] = await app.items(
      `/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${id}&include=[IsChangedEffort]&orderBy=Date,Id`,
    );
    expect(changed.IsChangedEffort).toBe(true);
    expect(loginOf((await app.json(`/api/v1/UserStories/${id}`)).LastEditor)).toBe('admin');
  });

  it('who recorded a time', async () => {
    const id = await make('grace', 'UserStories');
    const time = { Assignable: { Id: id }, Role: { Id: developer }, Description: 'work', Spent: 2, Remain: 3 };
    await write('alice', 'Times', time);
    const records = await app.items(
      `/api/v1/UserStoryHistories?where=CurrentUserStory.Id eq ${id}&include=[Modifier,TimeSpent]&orderBy=Date,Id`,
    );
    expect(records.map(({ Modifier, TimeSpent }) => [loginOf(Modifier), TimeSpent])).toEqual([
      ['grace', 0],
      ['alice', 2],
    ]);
  });

  it('who changed a part, in the records of all that it lies in', async () => {
    const epic = await make('grace', 'Epics');
    const feature = await make('alice', 'Features', { Epic: { Id: epic } });
    const story = await make('admin', 'UserStories', { Feature: { Id: feature } });
    const task = await make('alice', 'Tasks', { UserStory: { Id: story } });
    await effort('grace', task, 5);
    for (const [kind, path, id, author] of [
      ['Task', 'Tasks', task, 'alice'],
      ['UserStory', 'UserStories', story, 'admin'],
      ['Feature', 'Features', feature, 'alice'],
    ] as const) {
      expect(await full(kind, id)).toEqual([
        [author, 'Add', 0],
        ['grace', 'Update', 5],
      ]);
      expect(await simple(path, id)).toEqual([
        [author, 0],
        ['grace', 5],
      ]);
    }
    // Her own change right after she made it.
    expect(await full('Epic', epic)).toEqual([['grace', 'Add', 5]]);
    expect(await simple('Epics', epic)).toEqual([
      ['grace', 0],
      ['grace', 5],
    ]);
  });

  it('who moves, deletes and restores a part, in the records of what it leaves and comes to', async () => {
    const [from, to] = [await make('alice', 'Features'), await make('alice', 'Features')];
    const story = await make('admin', 'UserStories', { Feature: { Id: from } });
    await effort('admin', story, 5);
    await write('grace', `UserStories/${story}`, { Feature: { Id: to } });
    expect((await app.ask(`/api/v1/UserStories/${story}?format=json`, { method: 'DELETE' })).status).toBe(200);
    await write('grace', 'undelete', { EntityType: 'UserStory', Id: story });
    expect(await full('Feature', from)).toEqual([
      ['alice', 'Add', 0],
      ['admin', 'Update', 5],
      ['grace', 'Update', 0],
    ]);
    expect(await full('Feature', to)).toEqual([
      ['alice', 'Add', 0],
      ['grace', 'Update', 5],
      ['admin', 'Update', 0],
      ['grace', 'Update', 5],
    ]);
  });

  it('who restores a task, also where its story has moved meanwhile', async () => {
    const story = await make('admin', 'UserStories');
    const task = await make('admin', 'Tasks', { UserStory: { Id: story } });
    await effort('admin', task, 5);
    expect((await app.ask(`/api/v1/Tasks/${task}?format=json`, { method: 'DELETE' })).status).toBe(200);
    await write('admin', `UserStories/${story}`, { Project: { Id: elsewhere } });
    await write('grace', 'undelete', { EntityType: 'Task', Id: task });
    expect(await full('UserStory', story)).toEqual([
      ['admin', 'Add', 0],
      ['grace', 'Update', 5],
    ]);
    expect((await simple('UserStories', story)).at(-1)).toEqual(['grace', 5]);
  });

  it('who writes many at once', async () => {
    const feature = await make('alice', 'Features');
    const sent = Array.from({ length: 25 }, (_, at) => ({
      Name: `story ${at}`,
      Project: { Id: project },
      Feature: { Id: feature },
    }));
    const made = await write('alice', 'UserStories/bulk', sent);
    const ids: number[] = made.Items.map(({ Id }: { Id: number }) => Id);
    await write(
      'grace',
      'UserStories/bulk',
      ids.map((Id) => ({ Id, RoleEfforts: [{ Role: { Id: developer }, Effort: 1 }] })),
    );
    for (const id of ids)
      expect(await full('UserStory', id)).toEqual([
        ['alice', 'Add', 0],
        ['grace', 'Update', 1],
      ]);
    expect(await full('Feature', feature)).toEqual([
      ['alice', 'Add', 0],
      ['grace', 'Update', 25],
    ]);
  });
});

it("one person's changes within five minutes are one record, of the item and of its efforts alike", async () => {
  const id = await make('admin', 'UserStories');
  await effort('alice', id, 1);
  await write('alice', `UserStories/${id}`, { Name: 'another' });
  await effort('alice', id, 2);
  await write('grace', `UserStories/${id}`, { Name: 'yet another' });
  await effort('alice', id, 3);
  expect(await full('UserStory', id)).toEqual([
    ['admin', 'Add', 0],
    ['alice', 'Update', 2],
    ['grace', 'Update', 2],
    ['alice', 'Update', 3],
  ]);
});

it('what moves without a record of its own names nobody', async () => {
  const feature = await make('alice', 'Features');
  const story = await make('admin', 'UserStories', { Project: { Id: elsewhere }, Feature: { Id: feature } });
  await effort('admin', story, 5);
  expect(await full('Feature', feature)).toEqual([['alice', 'Add', 5]]);
  expect(await simple('Features', feature)).toEqual([['alice', 0]]);
});

describe('whoever writes with SQL', () => {
  const transaction = async (...statements: [text: string, values?: unknown[]][]) => {
    const client: pg.PoolClient = await app.database.connect();
    try {
      await client.query('begin');
      for (const [text, values] of statements) await client.query(text, values);
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const insert = `insert into role_effort (assignable_id, role_id, own_effort, effort, effort_to_do) values ($1, $2, 8, 8, 8)`;

  it('is named where the transaction names an author', async () => {
    const feature = await make('alice', 'Features');
    const id = await make('alice', 'UserStories', { Feature: { Id: feature } });
    const author = `set local worktrack.author = '${people.grace}'`;
    await app.rows('delete from role_effort where assignable_id = $1', [id]);
    await transaction([author], [insert, [id, developer]]);
    await transaction([author], [`update general set name = 'another' where id = $1`, [id]]);
    for (const [kind, one] of [
      ['UserStory', id],
      ['Feature', feature],
    ] as const)
      expect(await full(kind, one)).toEqual([
        ['alice', 'Add', 0],
        ['grace', 'Update', 8],
      ]);
  });

  it('is the last editor of an item that is written where no author is named', async () => {
    const id = await make('alice', 'UserStories');
    await transaction([`update general set name = 'another', last_editor_id = $2 where id = $1`, [id, people.grace]]);
    expect(await full('UserStory', id)).toEqual([
      ['alice', 'Add', 0],
      ['grace', 'Update', 0],
    ]);
  });

  it('is nobody where totals move and no author is named', async () => {
    const feature = await make('alice', 'Features');
    const id = await make('alice', 'UserStories', { Feature: { Id: feature } });
    await app.rows('delete from role_effort where assignable_id = $1', [id]);
    await transaction([insert, [id, developer]]);
    for (const [kind, path, one] of [
      ['UserStory', 'UserStories', id],
      ['Feature', 'Features', feature],
    ] as const) {
      expect(await full(kind, one)).toEqual([
        ['alice', 'Add', 0],
        [undefined, 'Update', 8],
      ]);
      expect((await simple(path, one)).at(-1)).toEqual([undefined, 8]);
    }
  });

  it('has one record of an item that is written together with its efforts', async () => {
    const id = await make('alice', 'UserStories');
    await app.rows('delete from role_effort where assignable_id = $1', [id]);
    const renamed = `update general set name = 'another', last_editor_id = $2 where id = $1`;
    await transaction([renamed, [id, people.grace]], [insert, [id, developer]]);
    expect(await full('UserStory', id)).toEqual([
      ['alice', 'Add', 0],
      ['grace', 'Update', 8],
    ]);
  });
});
