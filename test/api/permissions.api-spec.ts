/** Rights on single entities: given and taken by administrators. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  [{ id: story }] = (await app.rows(
    'select id from general where entity_type_id = 4 and delete_date is null limit 1',
  )) as [{ id: number }];
});
afterAll(() => app.stop());

const post = (path: string, body: unknown, ask = {}) => app.post(`/api/v1/${path}?format=json`, body, ask);

it('name their entity by EntityId or General, and its type follows', async () => {
  const made = await post('EntityPermissions', { EntityId: story, EntityType: { Id: 4 }, User: { Id: 3 }, View: true });
  expect([made.status, made.json]).toEqual([
    201,
    expect.objectContaining({ EntityId: story, View: true, Comment: false, Edit: false }),
  ]);
  expect([made.json.EntityType.Name, made.json.User.Id]).toEqual(['UserStory', 3]);
  const edited = await post(`EntityPermissions/${made.json.Id}`, { Edit: true, EntityId: story });
  expect([edited.status, edited.json.Edit, edited.json.View]).toEqual([200, true, true]);
  const other = await post(
    'EntityPermissions',
    `<EntityPermission View="true"><General Id="${story}"/><User Id="7"/></EntityPermission>`,
  );
  expect([other.status, other.json.EntityId]).toEqual([201, story]);
  expect((await app.ask(`/api/v1/EntityPermissions/${made.json.Id}`, { method: 'DELETE' })).status).toBe(200);
});

it('are refused for what is not there, for nobody, and from members', async () => {
  const before = await app.rows('select count(*)::int n from entity_permission');
  expect((await post('EntityPermissions', { EntityId: 999_999, User: { Id: 3 } })).status).toBe(400);
  expect((await post('EntityPermissions', { EntityId: story })).status).toBe(400);
  expect((await post('EntityPermissions', { User: { Id: 3 } })).status).toBe(400);
  expect((await post('EntityPermissions', { EntityId: story, General: { Id: 8 }, User: { Id: 3 } })).status).toBe(400);
  expect(
    (await post('EntityPermissions', { EntityId: 8, User: { Id: 3 } }, { as: 'alice' })).status,
  ).toBeGreaterThanOrEqual(400);
  expect(await app.rows('select count(*)::int n from entity_permission')).toEqual(before);
});
