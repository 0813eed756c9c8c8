/** Items sent with their owner, items added to and taken out of a collection, comments, relations and releases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceType } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
let other: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project, other] = await scrumProjects(app);
});
afterAll(() => app.stop());

const write = (path: string, body: unknown) => app.write(path, body);

const post = (path: string, body: unknown, ask = {}) => app.post(`/api/v1/${path}?format=json`, body, ask);
const remove = (path: string, ask = {}) =>
  app.ask(`/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`, { method: 'DELETE', ...ask });
const story = (more: object = {}) => write('UserStories', { Name: 'owner', Project: { Id: project }, ...more });
const names = (items: { Name: string }[]): string[] => items.map(({ Name }) => Name);

const needsProject = (resource: ResourceType): boolean => {
  const field = resource.ofProperty('project');
  return resource.isGeneral && field?.kind === 'reference' && field.isRequired;
};

const named = { Name: 'n', StartDate: '2031-01-01', EndDate: '2031-01-10' };
const earlier = { StartDate: '2030-01-01', EndDate: '2030-12-31' };
const later = { StartDate: '2031-02-01', EndDate: '2031-02-10' };

/** Collections that take new items which cannot be without a project, of kinds that lie in one. */
const fullOfProjects = model.resources
  .filter(({ settings }) => settings.operations.create)
  .filter(({ name }) => name === 'Project' || needsProject(model.resource(name)))
  .flatMap(({ name, fields }) =>
    fields.flatMap((field) =>
      field.kind === 'collection' &&
      field.canAdd &&
      field.target.settings.operations.create &&
      needsProject(field.target)
        ? [[field.name, name] as const]
        : [],
    ),
  );

it('two levels of new items have states of the process of the project that they come to lie in', async () => {
  const [{ id, process }] = await app.rows(
    `select id, process_id as process from general where entity_type_id = 1 and delete_date is null
     and process_id <> (select id from process where is_default) order by id limit 1`,
  );
  const epic = await write('Epics', { Name: 'e', Project: { Id: id } });
  const feature = await write('Features', { Name: 'f', Epic: { Id: epic.Id }, Project: { Id: id } });
  const nested = { Name: 's', Tasks: [{ Name: 't' }] };
  const one = await post(`Features/${feature.Id}/UserStories`, nested);
  expect([one.status, one.json.Message]).toEqual([201, undefined]);
  const wide = { UserStories: [nested] };
  expect((await post(`Features/${feature.Id}`, wide)).status).toBe(200);
  expect((await post(`Epics/${epic.Id}/Features`, { Name: 'g', ...wide })).status).toBe(201);
  const states = await app.rows(
    `select g.entity_type_id as kind, count(*)::int from general g join entity_state s on s.id = g.entity_state_id
     where g.project_id = $1 and s.process_id = $2 and g.name in ('s', 't', 'g') group by 1 order by 1`,
    [id, process],
  );
  expect(states).toEqual([
    { kind: 4, count: 3 },
    { kind: 5, count: 3 },
    { kind: 9, count: 1 },
  ]);
});

describe('items sent with their owner', () => {
  it('are created without an Id and linked with one, at any depth', async () => {
    const loose = await story();
    const feature = await write('Features?include=[Name,UserStories[Id,Name]]', {
      Name: 'nested',
      Project: { Id: project },
      UserStories: {
        Items: [
          { Id: loose.Id },
          { Name: 'made', Project: { Id: project }, Tasks: [{ Name: 'deep', Comments: [{ Description: 'deeper' }] }] },
        ],
      },
    });
    expect(names(feature.UserStories.Items).sort()).toEqual(['made', 'owner']);
    const made = feature.UserStories.Items.find(({ Name }: { Name: string }) => Name === 'made');
    const [task] = await app.items(
      `/api/v1/UserStories/${made.Id}/Tasks?include=[Name,Project,Comments[Description,Owner]]`,
    );
    expect(task).toMatchObject({
      Name: 'deep',
      Project: { Id: project },
      Comments: { Items: [{ Description: 'deeper', Owner: { Id: 1 } }] },
    });
  });

  it('lie where their owner lies', async () => {
    const Project = { Id: project };
    const made = await write('Epics', { Name: 'e', Project, Features: [{ Name: 'f', UserStories: [{ Name: 's' }] }] });
    const features = await app.items(`/api/v1/Epics/${made.Id}/Features?include=[Project[Id],UserStories[Name]]`);
    expect(features).toMatchObject([{ Project, UserStories: { Items: [{ Name: 's' }] } }]);
    const second = await post(`Features/${features[0].Id}/UserStories`, { Name: 'second' });
    expect([second.status, second.json.Project?.Id]).toEqual([201, project]);
  });

  it.each(fullOfProjects)('lie where their owner lies: %s of %s', async (collection, kind) => {
    const place = await write('Projects', { Name: `${collection} of ${kind}` });
    const owner = kind === 'Project' ? { Name: 'owner' } : { Name: 'owner', ...earlier, Project: { Id: place.Id } };
    const path = model.resource(kind).collection;
    const made = await write(path, { ...owner, [collection]: { Items: [named] } });
    const added = await post(`${path}/${made.Id}/${collection}`, { ...named, ...later });
    const expected = { Project: { Id: kind === 'Project' ? made.Id : place.Id } };
    expect([added.status, added.json]).toMatchObject([201, expected]);
    const items = await app.items(`/api/v1/${path}/${made.Id}/${collection}?include=[Project[Id]]`);
    expect(items).toMatchObject([expected, expected]);
  });

  it('are changed as well when more than their Id is sent', async () => {
    const made = await story({ Tasks: [{ Name: 'old name' }] });
    const [task] = await app.items(`/api/v1/UserStories/${made.Id}/Tasks`);
    await write(`UserStories/${made.Id}`, { Tasks: [{ Id: task.Id, Name: 'new name' }, { Name: 'another' }] });
    expect(names(await app.items(`/api/v1/UserStories/${made.Id}/Tasks`))).toEqual(['another', 'new name']);
  });

  it('take the shapes that XML has for one and for many', async () => {
    const one = await write(
      'UserStories?include=[Tasks,Assignments]',
      `<UserStory Name="x"><Project Id="${project}"/><Tasks><Task Name="only"/></Tasks><Assignments><Assignment><GeneralUser Id="3"/><Role Id="1"/></Assignment></Assignments></UserStory>`,
    );
    expect([names(one.Tasks.Items), one.Assignments.Items.length]).toEqual([['only'], 1]);
    const many = await write(
      'UserStories?include=[Tasks,Comments]',
      `<UserStory Name="x"><Project Id="${project}"/><Tasks><Task Name="a"/><Task><Name>b</Name></Task></Tasks><Comments/></UserStory>`,
    );
    expect([names(many.Tasks.Items), many.Comments.Items]).toEqual([['a', 'b'], []]);
  });

  it.each<[string, number, (name: string) => unknown]>([
    ['<X/>', 200, (name) => `<UserStory><${name}/></UserStory>`],
    ['<X></X>', 200, (name) => `<UserStory><${name}> </${name}></UserStory>`],
    ['<X><Items/></X>', 200, (name) => `<UserStory><${name}><Items/></${name}></UserStory>`],
    ['nil', 200, (name) => `<UserStory><${name} nil="true"/></UserStory>`],
    ['<X a=""/>', 400, (name) => `<UserStory><${name} a=""/></UserStory>`],
    ['[]', 200, (name) => ({ [name]: [] })],
    ['{Items: []}', 200, (name) => ({ [name]: { Items: [] } })],
    ['null', 200, (name) => ({ [name]: null })],
    ['{}', 400, (name) => ({ [name]: {} })],
    ['{Items: {}}', 400, (name) => ({ [name]: { Items: {} } })],
    ['false', 400, (name) => ({ [name]: false })],
    ['0', 400, (name) => ({ [name]: 0 })],
  ])('without items, as %s, change nothing (200) or are refused (400): %i', async (_, expected, body) => {
    const story = await write('UserStories?include=[Id]', {
      ...{ Name: 'kept', Project: { Id: project }, Tasks: [{ Name: 'a' }], Comments: [{ Description: 'b' }] },
      Assignments: [{ GeneralUser: { Id: 3 }, Role: { Id: 1 } }],
    });
    const path = `UserStories/${story.Id}?include=[ModifyDate,Tasks,Comments,Assignments,History]`;
    const before = await app.json(`/api/v1/${path}`);
    for (const name of ['Tasks', 'Comments', 'Assignments', 'History']) {
      const { status, json } = await app.post(`/api/v1/${path}&format=json`, body(name));
      expect([name, status]).toEqual([name, expected]);
      if (status === 400)
        expect(json.Message).toContain(`${name}: a collection is a list […], or an object with Items`);
      expect(await app.json(`/api/v1/${path}`)).toEqual(before);
    }
  });

  it('refuse what cannot be, and then leave nothing behind', async () => {
    const before = await app.rows(
      'select (select count(*) from general) + (select count(*) from comment) + (select count(*) from assignment) n',
    );
    const cases: [object, string][] = [
      [{ Tasks: [{ Name: 'a' }, { Nmae: 'b' }] }, "Tasks[1].Nmae: 'Task' has no such field."],
      [{ Tasks: [{ Id: 999_999 }] }, 'Tasks[0].Id: Task with Id 999999 not found'],
      [{ Tasks: { Id: 5 } }, 'Tasks: a collection is a list'],
      [{ Tasks: [[]] }, 'Tasks[0]: an object is expected'],
      [{ Comments: [{ Description: '' }] }, 'Comments[0].Description: a value is required'],
      [{ Assignments: [{ Role: { Id: 1 } }] }, 'Assignments[0].GeneralUser: a value is required'],
      [
        { History: [{}] },
        'History[0]: no UserStorySimpleHistory can be created here: UserStorySimpleHistories are read only.',
      ],
    ];
    for (const [more, message] of cases) {
      const answer = await post('UserStories', { Name: 'refused', Project: { Id: project }, ...more });
      expect([answer.status >= 400 && answer.status < 500, answer.json.Message]).toEqual([
        true,
        expect.stringContaining(message),
      ]);
    }
    const after = await app.rows(
      'select (select count(*) from general) + (select count(*) from comment) + (select count(*) from assignment) n',
    );
    expect(after).toEqual(before);
  });
});

describe('POST and DELETE on an inner collection', () => {
  it('create an item with its owner set, or link the one that is named', async () => {
    const made = await story();
    const task = await post(`UserStories/${made.Id}/Tasks`, { Name: 'inside' });
    expect([task.status, task.json.UserStory.Id, task.json.Project.Id]).toEqual([201, made.Id, project]);
    const xml = await app.post(`/api/v1/UserStories/${made.Id}/Comments`, '<Comment Description="said"/>');
    expect(xml.status).toBe(201);
    const feature = await write('Features', { Name: 'f', Project: { Id: project } });
    const linked = await post(`Features/${feature.Id}/UserStories`, { Id: made.Id });
    expect([linked.status, linked.json.Feature.Id]).toEqual([200, feature.Id]);
    expect((await post(`UserStories/999999/Tasks`, { Name: 'nowhere' })).status).toBe(404);
    const views = await post(`UserStories/${made.Id}/AssignedUser`, { Id: 3 });
    expect([views.status, views.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const runs = await post(`TestCases/1/TestCaseRuns`, {});
    expect([runs.status, runs.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await post(`UserStories/${made.Id}/Nonsense`, { Id: 3 })).status).toBe(400);
  });

  it('create what only refers to its owner, though their metadata do not say so', async () => {
    const made = await post(`Projects/${project}/UserStories`, { Name: 'inside' });
    expect([made.status, made.json.Project.Id]).toEqual([201, project]);
    const time = await post(`UserStories/${made.json.Id}/Times`, { Spent: 2, Description: 'inside' });
    expect([time.status, time.json.Assignable.Id, time.json.Spent]).toEqual([201, made.json.Id, 2]);
    const file = await post(`UserStories/${made.json.Id}/Attachments`, { Name: 'a.txt', Content: 'aGVsbG8=' });
    expect([file.status, file.json.General.Id]).toEqual([201, made.json.Id]);
    const bytes = await app.ask(`/Attachment.aspx?AttachmentID=${file.json.Id}`);
    expect([bytes.status, bytes.text]).toEqual([200, 'hello']);
  });

  it('refuse what names another owner', async () => {
    const [one, other] = [await story(), await story()];
    const task = (Id: number) => ({ Name: 'inside', UserStory: { Id } });
    expect((await post(`UserStories/${one.Id}/Tasks`, task(one.Id))).status).toBe(201);
    const why = `UserStory: this is sent to a collection of UserStory ${one.Id}.`;
    const address = await post(`UserStories/${one.Id}/Tasks`, task(other.Id));
    expect([address.status, address.json.Message]).toEqual([400, why]);
    const body = await post(`UserStories/${one.Id}`, { Tasks: [task(other.Id)] });
    expect([body.status, body.json.Message]).toEqual([400, `Tasks[0].${why}`]);
    // A new one is a copy of what was read.
    expect((await story({ Tasks: [task(other.Id)] })).Id).toBeGreaterThan(other.Id);
  });

  it('take items out: links are cut, parts that cannot be alone are deleted, others are set free', async () => {
    const made = await story({ Tasks: [{ Name: 'a' }, { Name: 'b' }], Assignments: [{ GeneralUser: { Id: 3 } }] });
    const [first, second] = await app.items(`/api/v1/UserStories/${made.Id}/Tasks`);
    const out = await remove(`UserStories/${made.Id}/Tasks/${first.Id}`);
    expect([out.status, out.json]).toEqual([200, { ResourceType: 'Task', Id: first.Id }]);
    expect((await app.ask(`/api/v1/Tasks/${first.Id}`)).status).toBe(404);
    const [assignment] = await app.items(`/api/v1/UserStories/${made.Id}/Assignments`);
    expect((await remove(`UserStories/${made.Id}/Assignments/${assignment.Id}`)).status).toBe(200);
    expect((await app.ask(`/api/v1/Assignments/${assignment.Id}`)).status).toBe(404);
    const feature = await write('Features', { Name: 'f', Project: { Id: project }, UserStories: [{ Id: made.Id }] });
    expect((await remove(`Features/${feature.Id}/UserStories/${made.Id}`)).status).toBe(200);
    expect((await app.json(`/api/v1/UserStories/${made.Id}`)).Feature).toBeNull();
    expect((await remove(`Features/${feature.Id}/UserStories/${made.Id}`)).status).toBe(404);
    const several = await remove(`UserStories/${made.Id}/Tasks?childrenIds=${second.Id}`);
    expect(several.json).toEqual({ Items: [{ ResourceType: 'Task', Id: second.Id }] });
    for (const wrong of ['', '?childrenIds=', '?childrenIds=x', '?childrenIds=1,']) {
      expect((await remove(`UserStories/${made.Id}/Tasks${wrong}`)).status).toBe(400);
    }
    expect((await remove(`UserStories/${made.Id}/AssignedUser/3`)).status).toBe(404);
  });

  it('takes all or none of childrenIds', async () => {
    const made = await story({ Tasks: [{ Name: 'a' }, { Name: 'b' }] });
    const ids = (await app.items(`/api/v1/UserStories/${made.Id}/Tasks`)).map(({ Id }) => Id);
    expect((await remove(`UserStories/${made.Id}/Tasks?childrenIds=[${ids.join(',')},999999]`)).status).toBe(404);
    expect(await app.items(`/api/v1/UserStories/${made.Id}/Tasks`)).toHaveLength(2);
    expect((await remove(`UserStories/${made.Id}/Tasks?childrenIds=${ids.join(',')}`)).status).toBe(200);
    expect(await app.items(`/api/v1/UserStories/${made.Id}/Tasks`)).toEqual([]);
  });
});

describe('comments', () => {
  it('reply to each other, and the entity remembers the last one', async () => {
    const made = await story();
    const first = await write('Comments', { Description: 'first', General: { Id: made.Id } });
    const reply = await write('comments', {
      description: 'second',
      general: { id: String(made.Id) },
      parentId: first.Id,
    });
    expect(reply.ParentId).toBe(first.Id);
    const last = async () =>
      (await app.json(`/api/v1/UserStories/${made.Id}?include=[LastCommentDate,LastCommentedUser]`)).LastCommentDate;
    expect(await last()).toBe(reply.CreateDate);
    await remove(`Comments/${reply.Id}`);
    expect(await last()).toBe(first.CreateDate);
    await remove(`Comments/${first.Id}`);
    expect(await last()).toBeNull();
  });

  it('belong to who said them', async () => {
    const [{ id }] = await app.rows(
      'select g.id from general g join project_member m on m.project_id = g.project_id where m.user_id = 3 and entity_type_id = 4 and delete_date is null limit 1',
    );
    const other = { Description: 'mine', General: { Id: id }, Owner: { Id: 7 } };
    expect((await post('Comments', other, { as: 'alice' })).status).toBe(403);
    const own = await post('Comments', { ...other, Owner: { Id: 3 } }, { as: 'alice' });
    expect([own.status, own.json.Owner.Id]).toEqual([201, 3]);
    const edited = await post(`Comments/${own.json.Id}`, { Description: 'mine, better' }, { as: 'alice' });
    expect([edited.status, edited.json.DescriptionModifyDate]).toEqual([200, expect.any(String)]);
    const byAdmin = await write('Comments', { Description: 'for her', General: { Id: id }, Owner: { Id: 3 } });
    expect(byAdmin.Owner.Id).toBe(3);
    const admins = await write('Comments', { Description: 'mine', General: { Id: id } });
    expect((await post(`Comments/${admins.Id}`, { Description: 'stolen' }, { as: 'alice' })).status).toBe(403);
    expect((await remove(`Comments/${admins.Id}`, { as: 'alice' })).status).toBe(403);
  });

  it('are refused without text, to nothing, and as a reply to elsewhere', async () => {
    const made = await story();
    const elsewhere = await write('Comments', { Description: 'x', General: { Id: project } });
    for (const body of [
      { General: { Id: made.Id } },
      { Description: 'x' },
      { Description: 'x', General: { Id: 999_999 } },
      { Description: 'x', General: { Id: made.Id }, ParentId: elsewhere.Id },
      { Description: 'x', General: { Id: made.Id }, ParentId: 999_999 },
    ]) {
      expect((await post('Comments', body)).status).toBe(400);
    }
  });
});

describe('relations', () => {
  it('have two pairs of names, join two different entities, and each only once', async () => {
    const [a, b] = [await story(), await story()];
    const made = await write('Relations', { Master: { Id: a.Id }, Slave: { Id: b.Id }, RelationType: { Id: 2 } });
    expect(made).toMatchObject({ Inbound: { Id: a.Id }, Outbound: { Id: b.Id } });
    const again = await post('Relations', { Inbound: { Id: a.Id }, Outbound: { Id: b.Id }, RelationType: { Id: 2 } });
    expect([again.status, again.json.Message]).toEqual([400, 'Slave.Id: Relation already exists.']);
    expect(
      (await post('Relations', { Master: { Id: b.Id }, Slave: { Id: a.Id }, RelationType: { Id: 2 } })).status,
    ).toBe(201);
    expect(
      (await post('Relations', { Master: { Id: a.Id }, Slave: { Id: b.Id }, RelationType: { Id: 3 } })).status,
    ).toBe(201);
    const self = await post('Relations', { Master: { Id: a.Id }, Slave: { Id: a.Id }, RelationType: { Id: 2 } });
    expect(self.status).toBe(400);
    const named = await post('Relations', {
      Master: { Id: a.Id },
      Slave: { Id: b.Id },
      RelationType: { Name: 'Link' },
    });
    expect(named.status).toBe(400);
    const parallel = await Promise.all(
      Array.from({ length: 5 }, () =>
        post('Relations', { Master: { Id: a.Id }, Slave: { Id: b.Id }, RelationType: { Id: 5 } }),
      ),
    );
    expect(parallel.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });

  it('can be sent with either end', async () => {
    const target = await story();
    const made = await write('UserStories?include=[SlaveRelations[Slave,RelationType],MasterRelations]', {
      Name: 'm',
      Project: { Id: project },
      SlaveRelations: [{ Slave: { Id: target.Id }, RelationType: { Id: 1 } }],
    });
    expect(made.SlaveRelations.Items).toMatchObject([{ Slave: { Id: target.Id }, RelationType: { Id: 1 } }]);
    expect(made.MasterRelations.Items).toEqual([]);
    const read = await app.json(
      `/api/v1/UserStories/${target.Id}?include=[InboundRelations[Inbound],InboundAssignables]`,
    );
    expect(read.InboundRelations.Items[0].Inbound.Id).toBe(made.Id);
  });
});

describe('releases', () => {
  it('belong to a first project and may be shared by others', async () => {
    const made = await write('Releases?include=[Name,Project,Projects]', {
      Name: 'shared',
      Project: { Id: project },
      StartDate: '2040-01-01',
      EndDate: '2040-02-01',
      Projects: { Items: [{ Id: other }] },
    });
    expect([made.Project.Id, made.Projects.Items.map(({ Id }: { Id: number }) => Id).sort()]).toEqual([
      project,
      [project, other].sort(),
    ]);
    const releases = await app.items(
      `/api/v1/Releases?include=[Name,Projects]&where=(Projects.ID eq ${other})&take=1000`,
    );
    expect(names(releases)).toContain('shared');
    const first = await app.json(`/api/v1/Projects/${project}?include=[Releases]&innerTake=1000`);
    const second = await app.json(`/api/v1/Projects/${other}?include=[Releases,CrossProjectReleases]&innerTake=1000`);
    expect([
      names(first.Releases.Items).includes('shared'),
      names(second.Releases.Items).includes('shared'),
      names(second.CrossProjectReleases.Items).includes('shared'),
    ]).toEqual([true, false, true]);
    expect((await remove(`Releases/${made.Id}/Projects/${other}`)).status).toBe(200);
    const link = await post('ReleaseProjects', { Release: { Id: made.Id }, Project: { Id: other } });
    expect(link.status).toBe(201);
    expect((await post('ReleaseProjects', { Release: { Id: made.Id }, Project: { Id: other } })).status).toBe(200);
  });
});
