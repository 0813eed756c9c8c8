/**
 * Processes, workflows, states, priorities, severities, companies: how they are set up, and what cannot be taken away.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { scrumProjects } from '../support/demonstration.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
type Item = Record<string, any> & { Id: number };

const make = async (collection: string, body: unknown): Promise<Item> => {
  const answer = await app.post(`/api/v1/${collection}${collection.includes('?') ? '&' : '?'}format=json`, body);
  if (answer.status !== 201) throw new Error(`${answer.status} ${collection}: ${answer.text}`);
  return answer.json;
};

const change = (path: string, body: unknown) => app.post(`/api/v1/${path}?format=json`, body);
const remove = (path: string, as?: string) => app.ask(`/api/v1/${path}?format=json`, { method: 'DELETE', as });

const configuration = (): Promise<unknown> =>
  Promise.all(
    [
      'process',
      'workflow',
      'entity_state',
      'entity_state_step',
      'priority',
      'severity',
      'process_practice',
      'company',
    ].map((table) => app.rows(`select md5(string_agg(t::text, ',' order by t::text)) from ${table} t`)),
  );

/** Asks for something that is refused, and sees that nothing was written. */
const refused = async (asking: () => ReturnType<typeof remove>): Promise<[number, string]> => {
  const before = await configuration();
  const answer = await asking();
  expect(await configuration()).toEqual(before);
  return [answer.status, answer.json.Message];
};

/** In each process there is a workflow of each. */
const kindsWithStates = model.resources.filter(
  (one) => one.isGeneral && one.settings.entityTypeId !== undefined && one.field('EntityState'),
).length;

const defaults = async (): Promise<number[]> =>
  (await app.rows('select id from process where is_default')).map(({ id }) => id);

describe('processes', () => {
  it('start as the default one is set up, so that every kind of item can be created at once', async () => {
    const process = await make('Processes', { Name: 'Copy' });
    expect(process).toMatchObject({ Name: 'Copy', IsDefault: false });
    const shape = (id: number) =>
      app.rows(
        `select w.entity_type_id as kind, s.name, s.is_initial, s.is_final, s.is_default_final, s.role_id,
           (select array_agg(o.name order by o.name) from entity_state_step x join entity_state o on o.id = x.to_id
            where x.from_id = s.id and o.workflow_id = w.id) as next
         from workflow w join entity_state s on s.workflow_id = w.id where w.process_id = $1
         order by w.entity_type_id, s.numeric_priority`,
        [id],
      );
    expect(await shape(process.Id)).toEqual(await shape(3));
    const names = async (id: number, of: string) => (await app.items(`/api/v1/Processes/${id}/${of}?take=1000`)).length;
    for (const of of ['Practices', 'Terms', 'Workflows', 'EntityStates']) {
      expect(`${of} ${await names(process.Id, of)}`).toBe(`${of} ${await names(3, of)}`);
    }
    const project = await make('Projects', { Name: 'In a copy', Process: { Id: process.Id } });
    const story = await make('UserStories', { Name: 's', Project: { Id: project.Id } });
    const [state] = await app.rows('select process_id, is_initial from entity_state where id = $1', [
      story.EntityState.Id,
    ]);
    expect(state).toEqual({ process_id: process.Id, is_initial: true });
    for (const kind of ['Bugs', 'Features', 'Epics', 'Requests', 'Impediments', 'TestPlans']) {
      const item = await make(kind, { Name: kind, Project: { Id: project.Id } });
      expect(item.EntityState?.Name, kind).toBeDefined();
    }
    expect((await change(`UserStories/${story.Id}`, { EntityState: { Name: 'Done' } })).status).toBe(200);
  });

  it('take the workflows and practices that are sent in place of those', async () => {
    const [practice] = await app.rows('select id from practice order by id limit 1');
    const process = await make('Processes', {
      Name: 'Own',
      Practices: [{ Id: practice.id }],
      Workflows: {
        Items: [
          {
            Name: 'Stories',
            EntityType: { Id: 4 },
            EntityStates: { Items: [{ Name: 'Idea' }, { Name: 'Built', IsFinal: true, Role: { Name: 'Developer' } }] },
          },
        ],
      },
    });
    const states = await app.items(
      `/api/v1/Processes/${process.Id}/EntityStates?where=EntityType.Id eq 4&include=[Name,IsInitial,IsFinal,NextStates,Role]`,
    );
    expect(states).toMatchObject([
      { Name: 'Idea', IsInitial: true, IsFinal: false, NextStates: { Items: [{ Name: 'Built' }] } },
      { Name: 'Built', IsInitial: false, IsFinal: true, Role: { Name: 'Developer' } },
    ]);
    expect((await app.items(`/api/v1/Processes/${process.Id}/Practices`)).map(({ Id }) => Id)).toEqual([practice.id]);
    expect((await app.items(`/api/v1/Processes/${process.Id}/Workflows?take=100`)).length).toBe(kindsWithStates);
    const project = await make('Projects', { Name: 'p', Process: { Id: process.Id } });
    const story = await make('UserStories', { Name: 's', Project: { Id: project.Id } });
    expect(story.EntityState.Name).toBe('Idea');
  });

  it('are created, changed and deleted in XML', async () => {
    const created = await app.post('/api/v1/Processes', '<Process><Name>From XML</Name></Process>');
    expect(created.status).toBe(201);
    const { Id } = itemOf(await parseXml(created.text));
    const changed = await app.post(`/api/v1/Processes/${Id}`, '<Process Description="why"/>');
    expect(itemOf(await parseXml(changed.text))).toMatchObject({ Name: 'From XML', Description: 'why' });
    await make('CustomFields', { Name: 'Goes along', EntityType: { Id: 4 }, Process: { Id: Number(Id) } });
    expect((await remove(`Processes/${Id}`)).status).toBe(200);
    for (const table of ['workflow', 'entity_state', 'term', 'custom_field', 'process_practice']) {
      expect(await app.rows(`select 1 from ${table} where process_id = $1`, [Id])).toEqual([]);
    }
  });

  it('have one default: who becomes it takes it from the other, and nobody merely gives it up', async () => {
    const process = await make('Processes', { Name: 'Next default', IsDefault: true });
    expect(await defaults()).toEqual([process.Id]);
    expect((await app.items(`/api/v1/Processes/${process.Id}/Workflows?take=100`)).length).toBe(kindsWithStates);
    const project = await make('Projects', { Name: 'by default' });
    expect(project.Process.Id).toBe(process.Id);
    expect(await refused(() => change(`Processes/${process.Id}`, { IsDefault: false }))).toEqual([
      400,
      'IsDefault: one process is the default; make another one the default instead.',
    ]);
    const both = [
      { Id: process.Id, IsDefault: false },
      { Id: 3, IsDefault: true },
    ];
    expect((await change('Processes/bulk', both)).status).toBe(200);
    expect(await defaults()).toEqual([3]);
    const two = [
      { Id: 1, IsDefault: true },
      { Id: 2, IsDefault: true },
    ];
    expect((await refused(() => change('Processes/bulk', two)))[0]).toBe(400);
    const answers = await Promise.all([1, 2].map((id) => change(`Processes/${id}`, { IsDefault: true })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await defaults()).toHaveLength(1);
    await change('Processes/3', { IsDefault: true });
  });

  it('are not deleted when they are the default or used by projects', async () => {
    expect(await refused(() => remove('Processes/3'))).toEqual([
      403,
      'Could not delete the default process; make another one the default first.',
    ]);
    expect(await refused(() => remove('Processes/2'))).toEqual([
      403,
      'Could not delete process which already associated with Project',
    ]);
  });

  it('get and lose practices', async () => {
    const process = await make('Processes', { Name: 'Practical', Practices: [] });
    const path = `Processes/${process.Id}/Practices`;
    const ids = async () => (await app.items(`/api/v1/${path}`)).map(({ Id }) => Id);
    expect(await ids()).toEqual([]);
    const [one, two] = (await app.rows('select id from practice order by id limit 2')).map(({ id }) => id);
    await change(`Processes/${process.Id}`, { Practices: { Items: [{ Id: one }, { Id: two }] } });
    expect((await ids()).sort()).toEqual([one, two]);
    expect((await remove(`${path}/${one}`)).status).toBe(200);
    expect(await ids()).toEqual([two]);
  });

  it('without a practice go without it from the next request on', async () => {
    const [tracking] = await app.rows("select id from practice where name = 'Time Tracking'");
    const process = await make('Processes', { Name: 'Untracked', Practices: [{ Id: tracking.id }] });
    const project = await make('Projects', { Name: 'Untracked', Process: { Id: process.Id } });
    const book = () => change('Times', { Project: { Id: project.Id }, Spent: 1 });
    expect((await book()).status).toBe(201);
    await remove(`Processes/${process.Id}/Practices/${tracking.id}`);
    expect((await book()).status).toBe(400);
    await change(`Processes/${process.Id}/Practices`, { Id: tracking.id });
    expect((await book()).status).toBe(201);
  });

  it.each(['Practices', 'Terms', 'EntityTypes'])('have %s that nobody writes', async (collection) => {
    const [item] = await app.items(`/api/v1/${collection}?take=1`);
    for (const path of [collection, `${collection}/${item.Id}`, `${collection}/bulk`]) {
      expect((await change(path, { Name: 'x' })).status, path).toBe(405);
    }
    expect((await remove(`${collection}/${item.Id}`)).status).toBe(405);
  });
});

describe('workflows and states', () => {
  let process: Item;
  let project: Item;
  beforeAll(async () => {
    process = await make('Processes', { Name: 'With states' });
    project = await make('Projects', { Name: 'With states', Process: { Id: process.Id } });
  });

  const workflowOf = async (kind: number): Promise<number> =>
    (await app.rows('select id from workflow where process_id = $1 and entity_type_id = $2', [process.Id, kind]))[0].id;
  const named = async (kind: number, name: string): Promise<number> =>
    (
      await app.rows('select id from entity_state where process_id = $1 and entity_type_id = $2 and name = $3', [
        process.Id,
        kind,
        name,
      ])
    )[0].id;

  it('gives a state what its workflow has, a rank by its id, and ways from and to all others', async () => {
    const workflow = await workflowOf(4);
    const state = await make('EntityStates', { Name: 'Review', Workflow: { Id: workflow }, Role: { Id: 9 } });
    expect(state).toMatchObject({
      EntityType: { Id: 4 },
      Process: { Id: process.Id },
      IsInitial: false,
      IsFinal: false,
      IsPlanned: false,
      IsCommentRequired: false,
      NumericPriority: state.Id,
      Role: { Id: 9 },
    });
    const next = async (id: number) => (await app.items(`/api/v1/EntityStates/${id}/NextStates`)).map(({ Id }) => Id);
    expect(await next(state.Id)).toHaveLength(4);
    expect(await next(await named(4, 'Open'))).toContain(state.Id);
    const story = await make('UserStories', { Name: 's', Project: { Id: project.Id } });
    const moved = await change(`UserStories/${story.Id}`, { EntityState: { Name: 'review' } });
    expect(moved.json.EntityState.Id).toBe(state.Id);
  });

  it('finds the workflow by kind and process, as older clients say it', async () => {
    const body = `<EntityState Name="Waiting"><EntityType Id="5"/><Process Id="${process.Id}"/></EntityState>`;
    const created = await app.post('/api/v1/EntityStates?include=[Name,Workflow]', body);
    expect(created.status).toBe(201);
    expect(itemOf(await parseXml(created.text))).toMatchObject({ Workflow: { Id: String(await workflowOf(5)) } });
    const inDefault = await make('EntityStates', { Name: 'Default waiting', EntityType: { Id: 5 } });
    expect(inDefault.Process.Id).toBe(3);
    expect((await remove(`EntityStates/${inDefault.Id}`)).status).toBe(200);
  });

  it('leads from a state to those that are sent, and they are taken away again', async () => {
    const workflow = await workflowOf(8);
    const [open, done] = [await named(8, 'Open'), await named(8, 'Done')];
    const state = await make('EntityStates', {
      Name: 'Narrow',
      Workflow: { Id: workflow },
      NextStates: [{ Id: done }],
    });
    const next = async () => (await app.items(`/api/v1/EntityStates/${state.Id}/NextStates`)).map(({ Id }) => Id);
    expect(await next()).toEqual([done]);
    await change(`EntityStates/${state.Id}/NextStates`, { Id: open });
    expect((await next()).sort()).toEqual([open, done].sort());
    expect((await remove(`EntityStates/${state.Id}/NextStates/${done}`)).status).toBe(200);
    expect(await next()).toEqual([open]);
    const added = await change(`EntityStates/${state.Id}`, { NextStates: [{ Name: 'Beyond' }] });
    expect(added.status).toBe(200);
    expect(await named(8, 'Beyond')).toEqual(expect.any(Number));
    const other = await named(4, 'Open');
    for (const [path, body] of [
      [`EntityStates/${state.Id}`, { NextStates: [{ Id: open }, { Id: other }] }],
      [`EntityStates/${state.Id}/NextStates`, { Id: other }],
    ] as const) {
      const [status, message] = await refused(() => change(path, body));
      expect([status, message]).toEqual([400, expect.stringContaining('the state is not one of the same workflow.')]);
    }
  });

  it('keeps one initial state and a final one', async () => {
    const workflow = await workflowOf(17);
    const ends = () =>
      app.rows('select name, is_initial, is_final from entity_state where workflow_id = $1 order by id', [workflow]);
    const active = await named(17, 'Active');
    const [first, closed] = [await named(17, 'New'), await named(17, 'Closed')];
    expect((await change(`EntityStates/${active}`, { IsInitial: true })).status).toBe(200);
    expect((await ends()).map((row) => [row.name, row.is_initial])).toEqual([
      ['New', false],
      ['Active', true],
      ['Closed', false],
    ]);
    expect(await refused(() => change(`EntityStates/${active}`, { IsInitial: false }))).toEqual([
      400,
      'IsInitial: a workflow has an initial state; make another one initial instead.',
    ]);
    expect(await refused(() => change(`EntityStates/${closed}`, { IsFinal: false }))).toEqual([
      400,
      'IsFinal: a workflow has a final state; make another one final first.',
    ]);
    const two = [first, closed].map((Id) => ({ Id, IsInitial: true }));
    expect((await refused(() => change('EntityStates/bulk', two)))[0]).toBe(400);
    expect((await change(`EntityStates/${first}`, { IsFinal: true })).status).toBe(200);
    const answers = await Promise.all([first, closed].map((id) => change(`EntityStates/${id}`, { IsFinal: false })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await change(`EntityStates/${active}`, { IsFinal: false });
    const more = await make('EntityStates', { Name: 'Reopened', Workflow: { Id: workflow } });
    const open = answers[0]!.status === 200 ? first : closed;
    const both = await Promise.all([open, more.Id].map((id) => change(`EntityStates/${id}`, { IsInitial: true })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ends()).filter((row) => row.is_initial)).toHaveLength(1);
  });

  it('keeps one default among the final states of a workflow', async () => {
    const ParentEntityState = { Id: await named(17, 'Active') };
    const made = await make('Workflows', {
      Name: 'for requests',
      Process: { Id: process.Id },
      EntityType: { Id: 17 },
      ParentWorkflow: { Id: await workflowOf(17) },
      EntityStates: [{ Name: 'one' }, { Name: 'two', IsFinal: true }, { Name: 'three', IsFinal: true }].map((one) => ({
        ...one,
        ParentEntityState,
      })),
    });

    const defaults = async () => {
      const states = `EntityStates?where=(Workflow.Id eq ${made.Id})and(IsDefaultFinal eq 'true')&include=[Name,IsDefaultFinal]`;
      const [state, ...more] = await app.items(`/api/v1/${states}`);
      expect([state, more]).toEqual([expect.objectContaining({ IsDefaultFinal: true }), []]);
      const xml = await parseXml(await app.xml(`/api/v1/${states}`));
      expect(itemOf(xml.children[0]!)).toMatchObject({ Name: state.Name, IsDefaultFinal: 'true' });
      return state.Name;
    };
    const id = async (name: string): Promise<number> =>
      (await app.rows('select id from entity_state where workflow_id = $1 and name = $2', [made.Id, name]))[0].id;
    const [one, three] = [await id('one'), await id('three')];
    expect(await defaults()).toBe('two');
    const xml = '<EntityState IsDefaultFinal="true"/>';
    expect((await app.post(`/api/v1/EntityStates/${three}?include=[IsDefaultFinal]`, xml)).text).toContain(
      '<IsDefaultFinal>true</IsDefaultFinal>',
    );
    expect(await defaults()).toBe('three');
    expect(await refused(() => change(`EntityStates/${three}`, { IsDefaultFinal: false }))).toEqual([
      400,
      'IsDefaultFinal: one final state is the default one; make another one the default instead.',
    ]);
    expect(await refused(() => change(`EntityStates/${one}`, { IsDefaultFinal: true }))).toEqual([
      400,
      'IsDefaultFinal: only a final state can be the default one.',
    ]);
    await change(`EntityStates/${three}`, { IsFinal: false });
    expect(await defaults()).toBe('two');
    const both = ['four', 'five'].map((Name) => ({
      Name,
      Workflow: { Id: made.Id },
      ParentEntityState,
      IsFinal: true,
      IsDefaultFinal: true,
    }));
    expect((await refused(() => change('EntityStates/bulk', both)))[1]).toContain(
      'IsDefaultFinal: only one final state of a workflow can be the default one.',
    );
  });

  it('keeps states that are initial, final or used', async () => {
    for (const [name, end] of [
      ['Open', 'initial'],
      ['Done', 'final'],
    ] as const) {
      const id = await named(9, name === 'Open' ? 'New' : name);
      expect(await refused(() => remove(`EntityStates/${id}`))).toEqual([
        403,
        `Could not delete the ${end} state of a workflow.`,
      ]);
    }
    const middle = await named(9, 'In Progress');
    const feature = await make('Features', {
      Name: 'f',
      Project: { Id: project.Id },
      EntityState: { Id: middle },
    });
    expect(await refused(() => remove(`EntityStates/${middle}`))).toEqual([
      403,
      'Could not delete state which already associated with Feature',
    ]);
    await change(`Features/${feature.Id}`, { EntityState: { Name: 'Done' } });
    expect((await remove(`EntityStates/${middle}`)).status).toBe(200);
    expect((await change(`Features/${feature.Id}`, { EntityState: { Id: middle } })).status).toBe(400);
  });

  it('refuses states and workflows that fit nowhere', async () => {
    const [story, bug] = [await workflowOf(4), await workflowOf(8)];
    const state = await named(4, 'Open');
    for (const [path, body, message] of [
      ['EntityStates', { Name: 'x' }, 'Workflow: a value is required.'],
      ['EntityStates', { Name: ' ', Workflow: { Id: story } }, 'Name: a value is required.'],
      ['EntityStates', { Name: 'x', Workflow: { Id: 999999 } }, 'Workflow.Id: there is no Workflow'],
      [
        'EntityStates',
        { Name: 'x', Workflow: { Id: story }, EntityType: { Id: 5 } },
        'EntityType: the workflow is for',
      ],
      [
        'EntityStates',
        { Name: 'x', Workflow: { Id: story }, Process: { Id: 1 } },
        'Process: the workflow is of another',
      ],
      ['EntityStates', { Name: 'x', EntityType: { Id: 6 } }, 'EntityType: the process has no workflow for this kind'],
      ['EntityStates', { Name: 'x', Workflow: { Id: story }, ParentEntityState: { Id: state } }, 'ParentEntityState:'],
      [`EntityStates/${state}`, { Workflow: { Id: bug } }, 'Workflow: a state stays where it is'],
      [`EntityStates/${state}`, { EntityType: { Id: 8 } }, 'EntityType: a state stays where it is'],
      ['Workflows', { Name: 'x', Process: { Id: process.Id }, EntityType: { Id: 4 } }, 'has a workflow for this kind'],
      [
        'Workflows',
        { Name: 'x', Process: { Id: process.Id }, EntityType: { Id: 6 } },
        'EntityType: Users have no states',
      ],
      ['Workflows', { Name: 'x', EntityType: { Id: 4 } }, 'Process: a value is required.'],
      [`Workflows/${story}`, { Process: { Id: 1 } }, 'Process: a workflow stays where it is'],
      ['Workflows', { Name: 'x', ParentWorkflow: { Id: story }, EntityType: { Id: 8 } }, 'EntityType: a part is for'],
    ] as const) {
      const [status, refusal] = await refused(() => change(path, body));
      expect(refusal).toContain(message);
      expect(status).toBe(400);
    }
  });

  it('has workflows of teams as parts of those of the process', async () => {
    const workflow = await workflowOf(4);
    const part = await make('Workflows?include=[Process,EntityType,EntityStates]', {
      Name: 'Team',
      ParentWorkflow: { Id: workflow },
      EntityStates: [
        { Name: 'Doing', ParentEntityState: { Id: await named(4, 'In Progress') } },
        { Name: 'Ready', IsFinal: true, ParentEntityState: { Id: await named(4, 'Done') } },
      ],
    });
    expect(part).toMatchObject({ Process: { Id: process.Id }, EntityType: { Id: 4 } });
    const [doing, ready] = part.EntityStates.Items as Item[];
    expect([doing!.Name, ready!.Name]).toEqual(['Doing', 'Ready']);
    const nested = { Name: 'x', ParentWorkflow: { Id: part.Id } };
    expect(await refused(() => change('Workflows', nested))).toEqual([
      400,
      'ParentWorkflow: a workflow can be a part only of one that is no part itself.',
    ]);
    expect(await refused(() => remove(`Workflows/${workflow}`))).toEqual([
      403,
      expect.stringContaining('Could not delete workflow'),
    ]);
    const [team] = await app.rows('select id from general where entity_type_id = 23 and delete_date is null limit 1');
    const link = { Team: { Id: team.id }, Project: { Id: project.Id }, Workflows: [{ Id: workflow }] };
    expect((await change('TeamProjects', link)).json.Message).toBe(
      "Workflows[0].Id: a team's workflow is a part of one of the project's process.",
    );
    const joined = await make('TeamProjects?include=[Workflows]', { ...link, Workflows: [{ Id: part.Id }] });
    expect(joined.Workflows.Items).toMatchObject([{ Id: part.Id }]);
    expect((await remove(`Workflows/${part.Id}`)).status).toBe(403);
    expect((await remove(`TeamProjects/${joined.Id}`)).status).toBe(200);
    expect((await remove(`Workflows/${part.Id}`)).status).toBe(200);
    expect(await app.rows('select 1 from entity_state where id = any($1)', [[doing!.Id, ready!.Id]])).toEqual([]);
  });

  it('refuses a workflow whose states end nowhere', async () => {
    const ParentEntityState = { Id: await named(4, 'In Progress') };
    const states = ['Doing', 'Still doing'].map((Name) => ({ Name, ParentEntityState }));
    const body = { Name: 'x', ParentWorkflow: { Id: await workflowOf(4) }, EntityStates: states };
    const [status, message] = await refused(() => change('Workflows', body));
    expect([status, message]).toEqual([400, 'EntityStates[1].IsFinal: one of the states of a workflow must be final.']);
  });
});

describe('priorities and severities', () => {
  const defaultsOf = async (kind: number): Promise<number[]> =>
    (await app.rows('select id from priority where is_default and entity_type_id = $1', [kind])).map(({ id }) => id);

  it('start with importance 0 and are not the default', async () => {
    const priority = await make('Priorities', { Name: 'New', EntityType: { Id: 4 } });
    expect(priority).toMatchObject({ Importance: 0, IsDefault: false, EntityType: { Name: 'UserStory' } });
    const severity = await app.post('/api/v1/Severities', '<Severity><Name>New</Name></Severity>');
    expect(itemOf(await parseXml(severity.text))).toMatchObject({ Importance: '0', IsDefault: 'false' });
    const changed = await app.post(
      `/api/v1/Priorities/${priority.Id}`,
      '<Priority><Importance>7</Importance></Priority>',
    );
    expect(itemOf(await parseXml(changed.text))).toMatchObject({ Name: 'New', Importance: '7' });
    expect((await remove(`Priorities/${priority.Id}`)).status).toBe(200);
  });

  it('have one default a kind at most, which new items get', async () => {
    const [first] = await defaultsOf(12);
    const added = await make('Priorities', { Name: 'Of bugs', EntityType: { Id: 8 }, IsDefault: true });
    expect([await defaultsOf(12), await defaultsOf(8)]).toEqual([[first], [added.Id]]);
    const [project] = await app.rows('select id from general where entity_type_id = 1 and delete_date is null limit 1');
    const bug = await make('Bugs', { Name: 'b', Project: { Id: project.id } });
    expect(bug.Priority.Id).toBe(added.Id);
    await change('Priorities/6', { IsDefault: true });
    expect(await defaultsOf(8)).toEqual([6]);
    const both = await Promise.all([6, added.Id].map((id) => change(`Priorities/${id}`, { IsDefault: true })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await defaultsOf(8)).toHaveLength(1);
    await change('Severities/2', { IsDefault: true });
    await change('Severities/3', { IsDefault: true });
    expect(await app.rows('select id from severity where is_default')).toEqual([{ id: 3 }]);
    await change('Severities/3', { IsDefault: false });
    expect(await app.rows('select id from severity where is_default')).toEqual([]);
  });

  it('are not deleted while items have them', async () => {
    const [used] = await app.rows('select priority_id as id from general where entity_type_id = 12 limit 1');
    expect(await refused(() => remove(`Priorities/${used.id}`))).toEqual([
      403,
      'Could not delete priority which already associated with TestCase',
    ]);
    const [severity] = await app.rows('select severity_id as id from general where entity_type_id = 8 limit 1');
    expect(await refused(() => remove(`Severities/${severity.id}`))).toEqual([
      403,
      'Could not delete severity which already associated with Bug',
    ]);
    const bulk = () =>
      app.ask('/api/v1/Priorities/bulk?format=json', {
        method: 'DELETE',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ Id: used.id }]),
      });
    expect(await refused(bulk)).toEqual([
      403,
      '[0].Id: Could not delete priority which already associated with TestCase',
    ]);
  });

  it('stay with their kind, which must be one that has priorities', async () => {
    const [used] = await app.rows('select priority_id as id from general where entity_type_id = 12 limit 1');
    expect(await refused(() => change(`Priorities/${used.id}`, { EntityType: { Id: 8 } }))).toEqual([
      400,
      'EntityType: items have this priority, which is for their kind only.',
    ]);
    expect(await refused(() => change('Priorities', { Name: 'x', EntityType: { Id: 6 } }))).toEqual([
      400,
      'EntityType: Users have no priorities.',
    ]);
    expect((await refused(() => change('Priorities', { Name: 'x' })))[1]).toContain('EntityType: a value is required');
  });

  it('have request types beside them', async () => {
    const type = await make('RequestTypes', { Name: 'Wish', IsVotingEnabled: true });
    expect(type).toMatchObject({ IsPrivateByDefault: false, IsVotingEnabled: true });
    expect((await remove(`RequestTypes/${type.Id}`)).status).toBe(200);
    expect(await refused(() => remove('RequestTypes/1'))).toEqual([
      403,
      'Could not delete request type which already associated with Request',
    ]);
  });
});

describe('companies', () => {
  it('are created, changed and deleted', async () => {
    const created = await app.post(
      '/api/v1/Companies',
      '<Company Name="Acme"><Url>https://acme.example</Url></Company>',
    );
    expect(created.status).toBe(201);
    const { Id } = itemOf(await parseXml(created.text));
    expect((await change(`Companies/${Id}`, { Description: 'd' })).json).toMatchObject({
      Name: 'Acme',
      Description: 'd',
    });
    expect((await remove(`Companies/${Id}`)).status).toBe(200);
  });
});

describe('custom fields', () => {
  const define = (name: string, more: Record<string, unknown> = {}) => ({
    Name: name,
    EntityType: { Id: 4 },
    Process: { Id: 3 },
    ...more,
  });
  const definitions = () => app.rows('select * from custom_field order by id');
  const refusedDefinition = async (path: string, body: unknown): Promise<[number, string]> => {
    const before = await definitions();
    const answer = await change(path, body);
    expect(await definitions()).toEqual(before);
    return [answer.status, answer.json.Message];
  };
  let project: number;
  beforeAll(async () => {
    [project] = await scrumProjects(app);
  });
  const story = (fields: unknown) =>
    make('UserStories?include=[Id,CustomFields]', { Name: 's', Project: { Id: project }, CustomFields: fields });
  const customValue = async (id: number, name: string) =>
    (await app.json(`/api/v1/UserStories/${id}`)).CustomFields.find((field: Item) => field.Name === name)?.Value;

  it('are there for the very next request, in JSON and XML', async () => {
    const field = await make('CustomFields', define('Weight', { FieldType: 'Number', Config: '{"units":"kg"}' }));
    expect(field).toMatchObject({
      FieldType: 'Number',
      EntityFieldName: expect.stringMatching(/^CustomField\d+$/),
      Required: false,
      IsSystem: false,
      Config: '{"units":"kg"}',
    });
    expect(await customValue((await story([{ Name: 'weight', Value: 2.5 }])).Id, 'Weight')).toBe(2.5);
    const body =
      '<CustomField><Name>Colour</Name><FieldType>DropDown</FieldType><Value>red\nblue\n\n green </Value><EntityType Id="4"/><Process Id="3"/></CustomField>';
    const created = await app.post('/api/v1/CustomFields', body);
    expect(created.status).toBe(201);
    const { Id, NumericPriority, EntityFieldName } = itemOf(await parseXml(created.text));
    expect(await app.json(`/api/v1/CustomFields/${Id}`)).toMatchObject({ Value: 'red\r\nblue\r\ngreen' });
    expect([Number(NumericPriority), EntityFieldName]).toEqual([
      Number(field.NumericPriority) + 1,
      `CustomField${Number(String(field.EntityFieldName).slice(11)) + 1}`,
    ]);
    expect(await customValue((await story([{ Name: 'Colour', Value: 'GREEN' }])).Id, 'Colour')).toBe('green');
    const plain = await make('CustomFields', define('Plain', { FieldType: null }));
    expect(plain.FieldType).toBe('Text');
  });

  it('of the demonstration have a place, each its own', async () => {
    const rows = await app.rows(
      'select count(*)::int n, count(distinct (process_id, entity_type_id, entity_field_name))::int as places from custom_field where entity_field_name is not null',
    );
    const [{ n }] = await app.rows('select count(*)::int n from custom_field');
    expect(rows).toEqual([{ n, places: n }]);
  });

  it('of links lead to the web or to mail, and what was stored before stays', async () => {
    await make('CustomFields', define('Site', { FieldType: 'URL' }));
    const made = await story([{ Name: 'Site', Value: { Url: 'https://example.com', Label: 'x' } }]);
    const send = (Value: unknown) => change(`UserStories/${made.Id}`, { CustomFields: [{ Name: 'Site', Value }] });
    for (const Value of ['javascript:alert(1)', { Url: 'Data:text/html,x', Label: 'x' }]) {
      const answer = await send(Value);
      expect([answer.status, answer.json.Message]).toEqual([
        400,
        'CustomFields[0].Value: a link cannot be a script (javascript:, vbscript: or data:).',
      ]);
    }
    const old = { Url: 'javascript:alert(1)', Label: 'old' };
    await app.rows('update general set custom_values = custom_values || $2 where id = $1', [made.Id, { Site: old }]);
    expect((await send(old)).status).toBe(200);
    expect(await customValue(made.Id, 'Site')).toEqual(old);
    expect((await send('example.com')).status).toBe(200);
  });

  it('come in bulk, as the samples do', async () => {
    const list = ['Bulk one', 'Bulk two'].map((Name) =>
      define(Name, { FieldType: 'Text', Required: true, IsSystem: false }),
    );
    const answer = await change('CustomFields/bulk', list);
    expect(answer.status).toBe(200);
    const [one, two] = answer.json.Items;
    expect(two.NumericPriority).toBe(one.NumericPriority + 1);
    expect(two.EntityFieldName).not.toBe(one.EntityFieldName);
    const many = await Promise.all(Array.from({ length: 6 }, (_, at) => change('CustomFields', define(`Many ${at}`))));
    expect(many.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(many.map(({ json }) => json.EntityFieldName)).size).toBe(6);
    const same = await Promise.all(Array.from({ length: 5 }, () => change('CustomFields', define('Only once'))));
    expect(same.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });

  it.each([
    [define(''), 'Name: a value is required'],
    [define(' \t'), 'Name: a value is required'],
    [define('rISK'), "Name: there is a custom field 'rISK' of this kind of item in this process already."],
    [define('x', { FieldType: 'Colour' }), 'FieldType: one of the known names is needed: Text, DropDown'],
    [define('x', { FieldType: 'DropDown' }), 'Value: a list needs its options, one a line.'],
    [define('x', { FieldType: 'MultipleSelectionList', Value: ' \r\n ' }), 'Value: a list needs its options'],
    [define('x', { FieldType: 'DropDown', Value: 'a\r\nb\nA' }), "Value: the option 'A' is given twice."],
    [define('x', { Config: 'units: kg' }), 'Config: a JSON object is needed'],
    [define('x', { Config: '[1]' }), 'Config: a JSON object is needed'],
    [define('x', { Process: undefined }), 'Process: a value is required.'],
    [define('x', { EntityType: undefined }), 'EntityType: a value is required.'],
    [define('x', { EntityType: { Id: 6 } }), 'Process: custom fields of User are the same in all processes'],
    [define('x', { EntityType: { Id: 19 }, Process: undefined }), 'EntityType: Comment has no custom fields.'],
    [define('x', { Process: { Id: 999 } }), 'Process.Id: there is no Process'],
  ])('are refused: row %#', async (body, message) => {
    const [status, refusal] = await refusedDefinition('CustomFields', body);
    expect(refusal).toContain(message);
    expect(status).toBe(400);
    expect((await refusedDefinition('CustomFields/bulk', [define('y'), body]))[1]).toContain(`[1].`);
  });

  it('are known once within one body, too', async () => {
    const [status, message] = await refusedDefinition('CustomFields/bulk', [define('Twin'), define('twin')]);
    expect([status, message]).toEqual([400, expect.stringContaining("[1].Name: there is a custom field 'twin'")]);
    const elsewhere = [
      define('Twin'),
      define('twin', { Process: { Id: 1 } }),
      define('twin', { EntityType: { Id: 8 } }),
    ];
    expect((await change('CustomFields/bulk', elsewhere)).status).toBe(200);
  });

  it('take their values along when they are renamed, those of their process and type only', async () => {
    const field = await make('CustomFields', define('Old name'));
    await make('CustomFields', define('Old name', { Process: { Id: 1 } }));
    const [mine, theirs] = [await story([{ Name: 'Old name', Value: 'kept' }]), await projectOf(1)];
    const other = await make('UserStories?include=[Id]', {
      Name: 's',
      Project: { Id: theirs },
      CustomFields: [{ Name: 'Old name', Value: 'theirs' }],
    });
    const hidden = await story([{ Name: 'Old name', Value: 'deleted' }]);
    await remove(`UserStories/${hidden.Id}`);
    expect((await change(`CustomFields/${field.Id}`, { Name: 'New name' })).status).toBe(200);
    expect([await customValue(mine.Id, 'New name'), await customValue(mine.Id, 'Old name')]).toEqual([
      'kept',
      undefined,
    ]);
    expect(await customValue(other.Id, 'Old name')).toBe('theirs');
    const [row] = await app.rows('select custom_values as v from general where id = $1', [hidden.Id]);
    expect(row.v).toEqual({ 'New name': 'deleted' });
    const stories = await app.items(`/api/v1/UserStories?where='CustomFields.New name' eq 'kept'&include=[Id]`);
    expect(stories.map(({ Id }) => Id)).toEqual([mine.Id]);
    expect((await change(`CustomFields/${field.Id}`, { Name: 'NEW name' })).status).toBe(200);
    expect(await customValue(mine.Id, 'NEW name')).toBe('kept');
  });

  it('take their values away when they are deleted', async () => {
    const field = await make('CustomFields', define('Passing', { FieldType: 'CheckBox' }));
    const item = await story([{ Name: 'Passing', Value: true }]);
    expect((await remove(`CustomFields/${field.Id}`)).status).toBe(200);
    expect(await customValue(item.Id, 'Passing')).toBeUndefined();
    const [row] = await app.rows('select custom_values as v from general where id = $1', [item.Id]);
    expect(row.v).toEqual({});
    expect((await change(`UserStories/${item.Id}`, { CustomFields: [{ Name: 'Passing', Value: true }] })).status).toBe(
      400,
    );
  });

  it('do the same for users, times, projects and teams', async () => {
    const [process, everywhere] = [{ Process: { Id: 3 } }, { Process: undefined }];
    const kinds: [number, Record<string, unknown>, string, string][] = [
      [6, everywhere, 'general_user', 'id = 3'],
      [18, everywhere, 'general_user', "kind = 'Requester'"],
      [23, everywhere, 'general', 'entity_type_id = 23'],
      [1, process, 'general', 'entity_type_id = 1 and process_id = 3'],
      [7, process, 'time', 'project_id in (select id from general where process_id = 3)'],
    ];
    for (const [kind, more, table, rows] of kinds) {
      const field = await make('CustomFields', define('Mark', { EntityType: { Id: kind }, ...more }));
      await app.rows(`update ${table} set custom_values = custom_values || '{"Mark":"m"}' where ${rows}`);
      const marked = async (name: string) =>
        (await app.rows(`select count(*)::int n from ${table} where custom_values ? $1`, [name]))[0].n;
      const before = await marked('Mark');
      expect(before).toBeGreaterThan(0);
      await change(`CustomFields/${field.Id}`, { Name: 'Sign' });
      expect([kind, await marked('Mark'), await marked('Sign')]).toEqual([kind, 0, before]);
      await remove(`CustomFields/${field.Id}`);
      expect(await marked('Sign')).toBe(0);
    }
  });

  it('keep their type while there are values, and their process and kind always', async () => {
    const field = await make('CustomFields', define('Typed'));
    expect((await change(`CustomFields/${field.Id}`, { FieldType: 'Number' })).json.FieldType).toBe('Number');
    const item = await story([{ Name: 'Typed', Value: 4 }]);
    expect(await refusedDefinition(`CustomFields/${field.Id}`, { FieldType: 'Text' })).toEqual([
      400,
      'FieldType: there are values of the present type; create another field.',
    ]);
    for (const member of [{ Process: { Id: 1 } }, { EntityType: { Id: 8 } }, { Process: null }]) {
      const [status, message] = await refusedDefinition(`CustomFields/${field.Id}`, member);
      expect([status, message]).toEqual([
        400,
        expect.stringContaining('a custom field stays with its process and type'),
      ]);
    }
    await change(`UserStories/${item.Id}`, { CustomFields: [{ Name: 'Typed', Value: null }] });
    expect((await change(`CustomFields/${field.Id}`, { FieldType: 'Text' })).status).toBe(200);
    const again = await app.json(`/api/v1/CustomFields/${field.Id}`);
    expect((await change(`CustomFields/${field.Id}`, again)).json).toEqual(again);
  });

  const projectOf = async (process: number): Promise<number> =>
    (
      await app.rows(
        'select id from general where entity_type_id = 1 and process_id = $1 and delete_date is null order by id limit 1',
        [process],
      )
    )[0].id;
});

it('is for administrators only', async () => {
  for (const [path, body] of [
    ['Processes', { Name: 'x' }],
    ['Processes/1', { Name: 'x' }],
    ['Processes/1/Practices', { Id: 1 }],
    ['EntityStates', { Name: 'x', EntityType: { Id: 4 } }],
    ['EntityStates/46/NextStates', { Id: 47 }],
    ['Workflows', { Name: 'x', Process: { Id: 1 }, EntityType: { Id: 4 } }],
    ['Priorities', { Name: 'x', EntityType: { Id: 4 } }],
    ['Severities', { Name: 'x' }],
    ['RequestTypes', { Name: 'x' }],
    ['CustomFields', { Name: 'x', EntityType: { Id: 4 }, Process: { Id: 1 } }],
    ['Companies', { Name: 'x' }],
  ] as const) {
    const [status] = await refused(() => app.post(`/api/v1/${path}?format=json`, body, { as: 'alice' }));
    expect(`${path} ${status}`).toBe(`${path} 403`);
  }
  for (const path of ['Processes/1', 'EntityStates/47', 'Priorities/1', 'Processes/1/Practices/1']) {
    expect((await refused(() => remove(path, 'alice')))[0], path).toBe(403);
  }
});
