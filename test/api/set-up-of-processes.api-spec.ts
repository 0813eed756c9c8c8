/** What one process of the service has changed in the set-up of processes holds in another one with the next write. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Catalogue } from '../../src/modules/custom-fields/catalogue.js';
import { ProcessCatalogue } from '../../src/modules/process/process-catalogue.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
let other: TestApp;
let process = 0;
let project = 0;

beforeAll(async () => {
  app = await TestApp.start();
  other = await app.replica();
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});

beforeEach(async () => {
  process = (await app.write('Processes', { Name: 'Changing' })).Id;
  project = (await app.write('Projects', { Name: 'Changing', Process: { Id: process } })).Id;
  // Both remember the set-up as it is now.
  for (const one of [app, other]) await one.write('UserStories', story());
});

const story = () => ({ Name: 'changing', Project: { Id: project } });
const statesOf = (kind: string) =>
  app.items(
    `/api/v1/EntityStates?where=(Process.Id eq ${process}) and (EntityType.Name eq '${kind}')&orderBy=NumericPriority&take=100`,
  );

it('what has not changed is not read again, however long ago it was read', () => {
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 3_600_000);
  try {
    expect(other.nest.get(ProcessCatalogue).loaded()).toBeUndefined();
  } finally {
    clock.mockRestore();
  }
});

it('an item that enters a state that has become final ends', async () => {
  const states = await statesOf('UserStory');
  const { Id } = states.find(({ IsInitial, IsFinal }) => !IsInitial && !IsFinal);
  const one = await other.write('UserStories', story());
  await app.write(`EntityStates/${Id}`, { IsFinal: true });
  const entered = await other.write(`UserStories/${one.Id}`, { EntityState: { Id } });
  expect(entered.EndDate).not.toBeNull();
  await app.write(`EntityStates/${Id}`, { IsFinal: false });
  const left = await other.write('UserStories', { ...story(), EntityState: { Id } });
  expect(left.EndDate).toBeNull();
});

it('a new item starts in the state that has become initial, and the former one may be gone', async () => {
  const first = (await statesOf('Impediment')).find(({ IsInitial }) => IsInitial);
  const second = await app.write('EntityStates', { Name: 'Second', Workflow: first.Workflow });
  await other.write('UserStories', story());
  await app.write(`EntityStates/${second.Id}`, { IsInitial: true });
  expect((await app.ask(`/api/v1/EntityStates/${first.Id}`, { method: 'DELETE' })).status).toBe(200);
  const { EntityState } = await other.write('Impediments', { Name: 'new', Project: { Id: project } });
  expect(EntityState.Id).toBe(second.Id);
});

it.each([
  ['Priorities', 'Priority', { EntityType: { Id: 8 }, Importance: 99 }],
  ['Severities', 'Severity', { Importance: 99 }],
])('a default of %s that is deleted is not stored any more', async (collection, name, body) => {
  const usual = await app.write(collection, { Name: 'usual', ...body, IsDefault: true });
  const { Id } = await app.write(collection, { Name: 'for a while', ...body, IsDefault: true });
  const before = await other.write('Bugs', { Name: 'before', Project: { Id: project } });
  expect(before[name].Id).toBe(Id);
  await other.write(`Bugs/${before.Id}`, { [name]: { Id: usual.Id } });
  await app.write(`${collection}/${usual.Id}`, { IsDefault: true });
  expect((await app.ask(`/api/v1/${collection}/${Id}`, { method: 'DELETE' })).status).toBe(200);
  const bug = await other.write('Bugs', { Name: 'after', Project: { Id: project } });
  expect(bug[name].Id).toBe(usual.Id);
});

it('a new project gets the process that is the default now', async () => {
  const [usual] = await app.items('/api/v1/Processes?where=IsDefault eq true');
  const { Id } = await app.write('Processes', { Name: 'Default for a while', IsDefault: true });
  await app.write(`Processes/${usual.Id}`, { IsDefault: true });
  expect((await app.ask(`/api/v1/Processes/${Id}`, { method: 'DELETE' })).status).toBe(200);
  const made = await other.write('Projects?include=[Process]', { Name: 'Of the default' });
  expect(made.Process.Id).toBe(usual.Id);
});

it('a new item has an effort of each role of the workflow as it is now', async () => {
  const { Id } = await app.write('Roles', { Name: 'Reviewer', HasEffort: true });
  const [state] = (await statesOf('UserStory')).filter(({ IsFinal }) => !IsFinal).slice(-1);
  await app.write(`EntityStates/${state.Id}`, { Role: { Id } });
  const { RoleEfforts } = await other.write('UserStories?include=[RoleEfforts[Role]]', story());
  expect(RoleEfforts.Items.map((one: { Role: { Id: number } }) => one.Role.Id)).toContain(Id);
});

it('the answer to a write shows a custom field by the name and the type that it has now', async () => {
  const field = { Name: 'Race', FieldType: 'Text', EntityType: { Id: 4 }, Process: { Id: process } };
  const { Id } = await app.write('CustomFields', field);
  await other.write('UserStories', { ...story(), CustomFields: [{ Name: 'Race', Value: 'a' }] });
  const version = other.nest.get(Catalogue).version;
  await other.write('UserStories', { ...story(), CustomFields: [{ Name: 'Race', Value: 'a' }] });
  expect(other.nest.get(Catalogue).version).toBe(version);
  await app.write(`CustomFields/${Id}`, { Name: 'Round' });
  await app.write('CustomFields', { ...field, Name: 'Money', FieldType: 'Money' });
  const CustomFields = [
    { Name: 'Round', Value: 'b' },
    { Name: 'Money', Value: 7 },
  ];
  const answer = await other.write('UserStories?include=[CustomFields]', { ...story(), CustomFields });
  expect(answer.CustomFields).toEqual([
    { Name: 'Round', Type: 'Text', Value: 'b' },
    { Name: 'Money', Type: 'Money', Value: 7 },
  ]);
});
