/** States and priorities that share a name; states that are parts of others; what keeps team workflows in use. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make, makeEverything, model, storyWorkflow } from '../support/builder.js';

let app: TestApp;
let ids: Ids;

beforeAll(async () => {
  app = await TestApp.start();
  const workflow = await storyWorkflow(app);
  ({ ids } = await makeEverything(app, 'twin', workflow));
  const [first] = await app.rows('select min(id) as id from entity_state where workflow_id = $1', [workflow.Workflow]);
  ids.EntityState = first.id;
});
afterAll(() => app.stop());

const send = (path: string, body: object) => app.post(`/api/v1/${path}?format=json`, body);
const remove = (path: string) => app.ask(`/api/v1/${path}?format=json`, { method: 'DELETE' });
const create = async (path: string, body: object): Promise<number> => {
  const { status, json, text } = await send(path, body);
  expect([status, text.slice(0, 200)]).toEqual([201, expect.any(String)]);
  return json.Id;
};

/** Every reference that takes a name, of what can be changed; but the state that another one is a part of. */
const nameable = model.resources
  .filter(({ isAbstract, settings, name }) => !isAbstract && settings.operations.update && name !== 'RoleEntityType')
  .flatMap((resource) =>
    resource.fields.flatMap((field) =>
      field.kind === 'reference' &&
      field.isSettable &&
      field.target.settings.isNameable &&
      field.name !== 'ParentEntityState'
        ? [[`${resource.name}.${field.name}`, resource, field] as const]
        : [],
    ),
  );

describe('a name that two have is refused', () => {
  beforeAll(async () => {
    for (const { settings, name } of model.resources.filter((one) => one.isGeneral && !one.isAbstract)) {
      const kind = { EntityType: { Id: settings.entityTypeId } };
      const isStateful = model.resource(name).field('EntityState') !== undefined;
      for (const _ of [1, 2]) {
        if (isStateful) await send('EntityStates', { Name: 'Review', Process: { Id: 3 }, ...kind });
        await send('Priorities', { Name: 'Review', ...kind });
      }
    }
    for (const _ of [1, 2]) {
      await send('Severities', { Name: 'Review' });
      await send('Roles', { Name: 'Review' });
    }
  });

  it.each(nameable)('%s', async (_, { name, collection }, field) => {
    const answer = await send(`${collection}/${ids[name]}`, { [field.name]: { Name: ' review ' } });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/single|Id of an existing/)]);
  });

  it('also of what is new, and not by its Id', async () => {
    const body = { Name: 'new', Project: { Id: ids.Project } };
    expect((await send('UserStories', { ...body, EntityState: { Name: 'Review' } })).status).toBe(400);
    expect((await send('UserStories', { ...body, Priority: { Name: 'Review' } })).status).toBe(400);
    const [{ Id }] = await app.items(
      `/api/v1/EntityStates?where=(Name eq 'Review')and(EntityType.Id eq 4)and(Workflow.Process.Id eq 3)`,
    );
    expect((await send('UserStories', { ...body, EntityState: { Id, Name: 'Review' } })).status).toBe(201);
  });
});

describe('the workflow of a team', () => {
  const state = async (Workflow: number, more: object = {}) =>
    create('EntityStates', { Name: 'of a team', Workflow: { Id: Workflow }, ...more });
  const workflow = () => make(app, 'Workflow', { mark: 'team', ids });

  it('a state is not taken out of those of another, which it cannot be without', async () => {
    const part = await workflow();
    const parent = await state(ids.Workflow!);
    const child = await state(part, { ParentEntityState: { Id: parent } });
    const below = `EntityStates/${parent}/SubEntityStates`;
    expect((await app.items(`/api/v1/${below}`)).map(({ Id }) => Id)).toEqual([child]);
    expect((await remove(`${below}/${child}`)).status).toBe(400);
    expect((await app.items(`/api/v1/${below}`)).map(({ Id }) => Id)).toEqual([child]);
    expect((await app.json(`/api/v1/EntityStates/${child}`)).ParentEntityState.Id).toBe(parent);
  });

  it('definitions and workflows that cannot be without are deleted out of their collections', async () => {
    const definition = { Name: 'going', FieldType: 'Text', Process: { Id: 3 }, EntityType: { Id: 4 } };
    const field = await create('CustomFields', definition);
    expect((await remove(`Processes/3/CustomFields/${field}`)).status).toBe(200);
    const part = await workflow();
    expect((await remove(`Workflows/${ids.Workflow}/SubWorkflows/${part}`)).status).toBe(200);
    for (const gone of [`CustomFields/${field}`, `Workflows/${part}`])
      expect((await app.ask(`/api/v1/${gone}`)).status).toBe(404);
  });

  it('is in use where a team assignment is in one of its states', async () => {
    const part = await workflow();
    const own = await state(part, { ParentEntityState: { Id: ids.EntityState } });
    await send(`TeamProjects/${ids.TeamProject}`, { Workflows: [{ Id: part }] });
    const assignment = await send(`TeamAssignments/${ids.TeamAssignment}`, { EntityState: { Id: own } });
    expect(assignment.status).toBe(200);
    const { status, json } = await remove(`Workflows/${part}`);
    expect([status, json.Message]).toEqual([403, expect.stringContaining('TeamAssignment')]);
  });
});
