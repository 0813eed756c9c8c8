/** Initial and final states of workflows, items in states that change, and states of the workflows of teams. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
const ids: Ids = { Role: 1 };
const place = { mark: 'ends', ids };
/** Ids of the states of stories by name. */
let state: Record<string, number>;
let workflow: number;

beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const write = (path: string, body: object) => app.post(`/api/v1/${path}?format=json`, body);
const written = async (path: string, body: object): Promise<unknown[]> => {
  const { status, json } = await write(path, body);
  return [status, json.Message];
};

beforeEach(async () => {
  ids.Process = await make(app, 'Process', place);
  ids.Project = await make(app, 'Project', place, { Process: { Id: ids.Process } });
  const rows = await app.rows(
    `select s.id, s.name, s.workflow_id from entity_state s join workflow w on w.id = s.workflow_id
     where w.process_id = $1 and w.entity_type_id = 4 and w.parent_workflow_id is null order by numeric_priority`,
    [ids.Process],
  );
  state = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
  workflow = rows[0].workflow_id;
});

describe('an item in a state', () => {
  const move = (story: number, name: string, more: object = {}) =>
    write(`UserStories/${story}`, { EntityState: { Id: state[name] }, ...more });
  const endOf = async (story: number) => (await app.json(`/api/v1/UserStories/${story}?include=[EndDate]`)).EndDate;

  it('that becomes final ends in the next final one', async () => {
    const story = await make(app, 'UserStory', place, { EntityState: { Id: state['In Testing'] } });
    await write(`EntityStates/${state['In Testing']}`, { IsFinal: true });
    expect((await move(story, 'Done')).json.EndDate).toMatch(/Date/);
  });

  it('that ceases to be final ends no more once it has left it', async () => {
    await write(`EntityStates/${state['In Testing']}`, { IsFinal: true });
    const story = await make(app, 'UserStory', place, { EntityState: { Id: state['In Testing'] } });
    const end = await endOf(story);
    expect(end).toMatch(/Date/);
    expect((await move(story, 'Done')).json.EndDate).toBe(end);
    await move(story, 'In Testing');
    await write(`EntityStates/${state['In Testing']}`, { IsFinal: false });
    expect((await move(story, 'Open')).json.EndDate).toBeNull();
    expect((await move(story, 'Done', { EndDate: '2026-01-31' })).json.EndDate).toMatch(/1769/);
  });
});

describe('the initial state of a workflow', () => {
  const why = ': the initial state of a workflow cannot be a final one.';

  it('is not made final, nor a final one initial', async () => {
    const both = { IsInitial: true, IsFinal: true };
    expect(await written(`EntityStates/${state.Open}`, { IsFinal: true })).toEqual([400, `IsFinal${why}`]);
    expect(await written(`EntityStates/${state.Done}`, { IsInitial: true })).toEqual([400, `IsInitial${why}`]);
    expect(await written(`EntityStates/${state['In Progress']}`, both)).toEqual([400, `IsInitial${why}`]);
    expect(await written('EntityStates', { Name: 'x', Workflow: { Id: workflow }, ...both })).toEqual([
      400,
      `IsInitial${why}`,
    ]);
  });

  it('may become final where another one becomes initial, and the other way round', async () => {
    const bulk = [
      { Id: state.Open, IsFinal: true },
      { Id: state['In Progress'], IsInitial: true },
    ];
    expect((await write('EntityStates/bulk', bulk)).status).toBe(200);
    expect(await written(`EntityStates/${state.Open}`, { IsInitial: true, IsFinal: false })).toEqual([200, undefined]);
    expect(await written(`EntityStates/${state.Open}`, { Name: 'Opened', IsInitial: true })).toEqual([200, undefined]);
  });

  it('is the first of those that are not final, in a workflow of states that do not say', async () => {
    const part = (Name: string, of: string, more = {}) => ({ Name, ParentEntityState: { Id: state[of] }, ...more });
    const EntityStates = [part('over', 'Done', { IsFinal: true }), part('begun', 'Open'), part('going', 'Open')];
    const { json } = await write('Workflows', { Name: 'w', ParentWorkflow: { Id: workflow }, EntityStates });
    const states = await app.items(`/api/v1/Workflows/${json.Id}/EntityStates?include=[Name,IsInitial]`);
    expect(states.filter(({ IsInitial }) => IsInitial).map(({ Name }) => Name)).toEqual(['begun']);
  });
});

describe("a state of a team's workflow", () => {
  const why = "ParentEntityState: a state of a team's workflow is a part of one of its ParentWorkflow.";

  it('is a part of a state of the main one', async () => {
    const part = { Name: 'w', ParentWorkflow: { Id: workflow } };
    const EntityStates = [{ Name: 'no part', IsFinal: true }];
    expect(await written('Workflows', { ...part, EntityStates })).toEqual([400, `EntityStates[0].${why}`]);
    const { json } = await write('Workflows', part);
    const Workflow = { Id: json.Id };
    expect(await written('EntityStates', { Name: 'no part', Workflow })).toEqual([400, why]);
    const made = await write('EntityStates', { Name: 'part', Workflow, ParentEntityState: { Id: state.Open } });
    expect(made.status).toBe(201);
    expect(await written(`EntityStates/${made.json.Id}`, { ParentEntityState: null })).toEqual([400, why]);
    expect(await written(`EntityStates/${made.json.Id}`, { Name: 'renamed' })).toEqual([200, undefined]);
    const taken = await app.ask(`/api/v1/EntityStates/${state.Open}/SubEntityStates/${made.json.Id}?format=json`, {
      method: 'DELETE',
    });
    expect([taken.status, taken.json.Message]).toEqual([400, why]);
  });
});
