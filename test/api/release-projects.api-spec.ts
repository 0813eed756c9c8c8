/** The project that a release lies in is one of its projects, and goes from these with it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let first: number;
let second: number;
let third: number;
let release: number;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'shared', ids };
const as = 'shared.member';

beforeAll(async () => {
  app = await TestApp.start();
  [first, second, third] = [
    await make(app, 'Project', place),
    await make(app, 'Project', place),
    await make(app, 'Project', place),
  ];
  ids.Project = first;
  ids.User = await make(app, 'User', place, { Login: as });
  await make(app, 'ProjectMember', place);
});
afterAll(() => app.stop());
beforeEach(async () => {
  release = await make(app, 'Release', place);
});

const change = (path: string, body: object) => app.post(`/api/v1/${path}?format=json`, body);
const remove = (path: string) => app.ask(`/api/v1/${path}?format=json`, { method: 'DELETE' });
const projects = async (): Promise<number[]> =>
  (await app.items(`/api/v1/Releases/${release}/Projects?include=[Id]`)).map(({ Id }) => Id).sort((a, b) => a - b);
const links = async (Project: number): Promise<number[]> => {
  const where = `(Release.Id eq ${release})and(Project.Id eq ${Project})`;
  return (await app.items(`/api/v1/ReleaseProjects?where=${where}`)).map(({ Id }) => Id);
};

it('who sees the project that it left sees it no more', async () => {
  const status = async () => (await app.ask(`/api/v1/Releases/${release}`, { as })).status;
  expect(await status()).toBe(200);
  await change('ReleaseProjects', { Release: { Id: release }, Project: { Id: third } });
  expect((await change(`Releases/${release}`, { Project: { Id: second } })).status).toBe(200);
  expect([await projects(), await status()]).toEqual([[second, third], 404]);
});

it('one that is to be shared by the project that it leaves says so', async () => {
  const moved = { Project: { Id: second }, Projects: [{ Id: first }] };
  expect((await change(`Releases/${release}`, moved)).status).toBe(200);
  expect(await projects()).toEqual([first, second]);
});

it('it is not taken out of the project that it lies in, by whatever way', async () => {
  await change('ReleaseProjects', { Release: { Id: release }, Project: { Id: second } });
  const [own] = await links(first);
  const refusals = [
    await remove(`Releases/${release}/Projects/${first}`),
    await remove(`ReleaseProjects/${own}`),
    await change(`ReleaseProjects/${own}`, { Project: { Id: third } }),
  ];
  for (const { status, text } of refusals)
    expect([status, text]).toEqual([400, expect.stringContaining('a release lies in this project')]);
  expect(await projects()).toEqual([first, second]);
  const [shared] = await links(second);
  expect((await change(`ReleaseProjects/${shared}`, { Project: { Id: third } })).status).toBe(200);
  expect((await remove(`Releases/${release}/Projects/${third}`)).status).toBe(200);
  expect(await projects()).toEqual([first]);
});

it('it has no process of its own: that of its project counts, whatever is sent', async () => {
  const process = (await app.write('Processes', { Name: 'Of nobody' })).Id;
  const field = { EntityType: { Id: 2 }, FieldType: 'Text' };
  await app.write('CustomFields', { ...field, Name: 'Train', Process: { Id: 3 } });
  await app.write('CustomFields', { ...field, Name: 'Ship', Process: { Id: process } });
  expect((await change(`Releases/${release}`, { Process: { Id: process } })).status).toBe(200);
  const withValue = (Name: string) => ({ CustomFields: [{ Name, Value: 'x' }] });
  expect((await change(`Releases/${release}`, withValue('Ship'))).status).toBe(400);
  expect((await change(`Releases/${release}`, withValue('Train'))).status).toBe(200);
  const { Process, CustomFields } = await app.json(`/api/v1/Releases/${release}?include=[Process,CustomFields]`);
  expect([Process, CustomFields]).toEqual([null, expect.arrayContaining([expect.objectContaining({ Value: 'x' })])]);
  expect((await remove(`Processes/${process}`)).status).toBe(200);
});
