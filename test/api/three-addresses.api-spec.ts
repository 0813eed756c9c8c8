/** What is sent to its own address, with its owner or to a collection of its owner is allowed or refused alike. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ownerReference, takesItems } from '../../src/model/collections.js';
import type { CollectionField, ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, make, makeEverything, model, storyWorkflow } from '../support/builder.js';

vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
let ids: Ids;
let other: number;
/** Of somebody who is a follower of nothing yet. */
const callers = ['three.member', 'three.observer', 'three.restricted'] as const;
const people: Ids = {};

beforeAll(async () => {
  app = await TestApp.start();
  ({ ids } = await makeEverything(app, 'three', await storyWorkflow(app)));
  await app.post(`/api/v1/Projects/${ids.Project}`, { Program: { Id: ids.Program } });
  other = await make(app, 'Project', { mark: 'three', ids });
  for (const [at, Login] of callers.entries()) {
    const Role = at === 2 ? await app.post('/api/v1/Roles?format=json', { Name: 'restricted' }) : undefined;
    const role = { Role: { Id: Role?.json.Id ?? 1 } };
    const place = { mark: 'three', ids };
    people[Login] = await make(app, 'User', place, { Login, IsObserver: at === 1, ...role });
    for (const Project of [ids.Project!, other])
      await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User: people[Login], Project } }, role);
    if (Role) await restrict(Role.json.Id);
  }
});
afterAll(() => app.stop());

/** A role that may do nothing. */
async function restrict(role: number): Promise<void> {
  const rights = await app.items(`/api/v1/RoleEntityTypes?take=1000&include=[Id]&where=(Role.Id eq ${role})`);
  const none = { IsAddEnabled: false, IsEditEnabled: false, IsDeleteEnabled: false };
  await app.post(
    '/api/v1/RoleEntityTypes/bulk',
    rights.map(({ Id }) => ({ Id, ...none })),
  );
}

/** Of each kind the collections whose items refer to it. */
const collections = model.resources
  .filter(({ isGeneral, isAbstract }) => isGeneral && !isAbstract)
  .flatMap((owner) =>
    owner.fields
      .filter((field): field is CollectionField => field.kind === 'collection' && field.via.kind === 'key')
      .filter((field) => takesItems(owner, field) && !field.isDeprecated && field.target.settings.operations.create)
      .filter(({ target, name }) => !target.isAbstract && target.name !== 'TestCaseRun' && !/^(In|Out)bound/.test(name))
      .map((field) => [owner, field] as const),
  );

const outcome = async (path: string, body: object, as: string): Promise<string> => {
  const { status, text } = await app.post(`/api/v1/${path}?format=json&include=[Id]`, body, { as });
  return status < 300 ? 'done' : `${status} ${/"Message":"([^"]*)/.exec(text)?.[1]}`;
};

async function asked(owner: ResourceType, field: CollectionField, as: string): Promise<string[]> {
  const Id = ids[owner.name]!;
  const reference = ownerReference(field)!;
  const item = () => {
    const body = bodyOf(field.target.name, { mark: 'three', ids: { ...ids, User: people[as]! } });
    delete body[reference.name];
    return body;
  };
  const answers = [
    await outcome(field.target.collection, { ...item(), [reference.name]: { Id } }, as),
    // Observers write nothing at the address of what they may not change; views take no items in bodies.
    ...(as === 'three.observer' || !field.canAdd
      ? []
      : [await outcome(`${owner.collection}/${Id}`, { [field.name]: [item()] }, as)]),
    await outcome(`${owner.collection}/${Id}/${field.name}`, item(), as),
  ];
  return answers.map((answer) => answer.slice(0, answer === 'done' ? 4 : 3));
}

describe.each(callers)('to %s', (as) => {
  it('all three ways are answered alike', async () => {
    const different: string[] = [];
    for (const [owner, field] of collections) {
      const answers = await asked(owner, field, as);
      if (new Set(answers).size > 1) different.push(`${owner.name} ${field.name}: ${answers}`);
    }
    expect(different).toEqual([]);
  });
});

it('what lies in a collection may be sent to it again, and is not changed', async () => {
  const changed: string[] = [];
  for (const [owner, field] of collections.filter(([, { target }]) => target.isGeneral)) {
    const reference = ownerReference(field)!;
    const body = bodyOf(field.target.name, { mark: 'again', ids });
    const { status, json } = await app.post(`/api/v1/${field.target.collection}?format=json&include=[Id]`, {
      ...body,
      [reference.name]: { Id: ids[owner.name] },
    });
    if (status >= 300) continue;
    const versions = () => app.rows('select entity_version, modify_date from general where id = $1', [json.Id]);
    const before = await versions();
    const sent = await outcome(`${owner.collection}/${ids[owner.name]}/${field.name}`, { Id: json.Id }, 'admin');
    if (sent !== 'done' || JSON.stringify(before) !== JSON.stringify(await versions()))
      changed.push(`${owner.name} ${field.name}: ${sent}`);
  }
  expect(changed).toEqual([]);
});

it('who sees a milestone comments on it and follows it', async () => {
  const [as, Id] = [callers[0], ids.Milestone];
  const told = [
    await outcome(`Milestones/${Id}/Comments`, { Description: 'x' }, as),
    await outcome(`Generals/${Id}/Comments`, { Description: 'x' }, as),
    await outcome(`Milestones/${Id}/Followers`, { User: { Id: people[as] } }, as),
    await outcome(`Milestones/${Id}/Projects`, { Id: ids.Project }, as),
    await outcome(`Milestones/${Id}/TagObjects`, { Id: ids.Tag }, as),
    await outcome(`Milestones/${Id}/MilestoneProjects`, { Project: { Id: other } }, as),
  ];
  expect(told.map((one) => one.slice(0, 4).trim())).toEqual(['done', 'done', 'done', '403', '403', '403']);
});
