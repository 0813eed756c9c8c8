/** Id 0, as classes send it whose Id is a number, where they have none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
let feature: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
  feature = (await app.write('Features', { Name: 'f', Project: { Id: project } })).Id;
});
afterAll(() => app.stop());

const stories = '/api/v1/UserStories';
const sendXml = (path: string, body: string) =>
  app.ask(path, { method: 'POST', headers: { 'content-type': 'application/xml' }, body });
const story = async (more: object = {}): Promise<number> =>
  (await app.write('UserStories', { Name: 'x', Project: { Id: project }, ...more })).Id;

describe('of an entity', () => {
  it.each<[string, () => [string, object]]>([
    ['a story', () => ['UserStories', { Id: 0, Name: 'x', Project: { Id: project } }]],
    ['a story by an inner collection', () => [`Projects/${project}/UserStories`, { Id: 0, Name: 'x' }]],
    ['a comment', () => ['Comments', { Id: '0', Description: 'x', General: { Id: feature } }]],
    ['a time', () => ['Times', { Id: 0.0, Spent: 1, Description: 'x', Assignable: { Id: feature } }]],
  ])('creates: %s', async (_, sent) => {
    const [path, body] = sent();
    const answer = await app.post(`/api/v1/${path}?format=json`, body);
    expect([answer.status, answer.json.Id]).toEqual([201, expect.any(Number)]);
    expect(answer.json.Id).toBeGreaterThan(0);
  });

  it('creates in XML, in bulk and in a collection', async () => {
    const one = `<UserStory Id="0" Name="x"><Project Id="${project}"/></UserStory>`;
    expect((await sendXml(stories, one)).status).toBe(201);
    const two = [0, 0].map((Id) => ({ Id, Name: 'x', Project: { Id: project }, Tasks: [{ Id: 0, Name: 't' }] }));
    const answer = await app.post(`${stories}/bulk?format=json`, two);
    expect([answer.status, new Set(answer.json.Items.map(({ Id }: { Id: number }) => Id)).size]).toEqual([200, 2]);
    const id = await story({
      Tasks: [
        { Id: 0, Name: 'a' },
        { Id: 0, Name: 'b' },
      ],
    });
    const tasks = await app.items(`/api/v1/Tasks?where=(UserStory.Id eq ${id})&include=[Name]`);
    expect(tasks.map(({ Name }) => Name).sort()).toEqual(['a', 'b']);
  });

  it.each(['Bugs', 'Times', 'Attachments', 'Impediments'])('creates nothing in %s, and says so', async (collection) => {
    for (const item of [{ Id: 0, Name: 'b' }, { Id: null, Name: 'b' }, { Name: 'b' }, { Id: 0 }]) {
      const answer = await app.post(`${stories}/${await story()}?format=json`, { [collection]: [item] });
      expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/can be created here/)]);
    }
  });

  it('does not contradict the address, where it names nothing', async () => {
    const id = await story();
    const answer = await app.post(`${stories}/${id}?format=json`, { Id: 0, Name: 'y' });
    expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ Id: id, Name: 'y' })]);
    expect((await app.post(`${stories}/0`, { Name: 'y' })).status).toBe(404);
    expect((await app.post(`${stories}/0`, { Id: 0, Name: 'y' })).status).toBe(404);
    expect((await app.ask(`${stories}/0`)).status).toBe(404);
  });
});

describe('of a reference', () => {
  const first = '0001-01-01T00:00:00';
  it.each<[string, object]>([
    ['alone', { Id: 0 }],
    ['as a text', { Id: '0' }],
    ['with what a class without values has', { ResourceType: 'Feature', Id: 0, Name: null, Effort: 0, IsNow: false }],
    ['with parts that are so', { Id: 0, Name: '', CreateDate: first, Project: { Id: 0, Name: null }, UserStories: [] }],
    ['with the first instant of UTC', { Id: 0, CreateDate: `${first}Z`, EndDate: '0001-01-01T00:00:00.0000000Z' }],
    ['with that of JSON', { Id: 0, CreateDate: '/Date(-62135596800000)/', EndDate: '/Date(-62135596800000+0000)/' }],
    ['in other spellings', { Id: '00', Effort: '-0.0', NumericPriority: '0e0' }],
    ['with that of a zone in the east', { Id: 0, CreateDate: '/Date(-62135600400000+0100)/' }],
    ['with that of a zone in the west', { Id: 0, CreateDate: '/Date(-62135578800000-0500)/' }],
    [
      'with that of a zone',
      { Id: 0, CreateDate: `${first}+00:00`, EndDate: `${first}+01:00`, StartDate: '0001-01-01' },
    ],
    ['with a megabyte of blanks', { Id: 0, Name: ' '.repeat(2 ** 20) }],
  ])('is null: %s', async (_, Feature) => {
    const id = await story({ Feature: { Id: feature } });
    expect((await app.write(`UserStories/${id}`, { Feature })).Feature).toBeNull();
    const made = await app.post(`${stories}?format=json`, { Name: 'x', Project: { Id: project }, Feature });
    expect([made.status, made.json.Feature]).toEqual([201, null]);
  });

  it('is null in XML', async () => {
    const id = await story({ Feature: { Id: feature } });
    for (const part of [
      '<Feature Id="0" />',
      '<Feature Id="0" Name=""><Effort>0</Effort><IsNow>false</IsNow></Feature>',
    ]) {
      const answer = await sendXml(`${stories}/${id}?format=json`, `<UserStory Id="0">${part}</UserStory>`);
      expect([answer.status, answer.json.Feature]).toEqual([200, null]);
    }
  });

  it.each([
    [{ Id: 0, Name: 'Search' }],
    [{ Id: 0, Effort: 3 }],
    [{ Id: 0, Effort: '0.1e0' }],
    [{ Id: 0, CreateDate: '/Date(-62135683200000+0000)/' }],
    [{ Id: 0, IsNow: true }],
    [{ Id: 0, Project: { Id: 7 } }],
    [{ Id: 0, CreateDate: '2026-01-01' }],
    [{ Id: 0, CreateDate: '0001-01-02T00:00:00' }],
  ])('with something else is refused: %j', async (Feature) => {
    const answer = await app.post(`${stories}?format=json`, { Name: 'x', Project: { Id: project }, Feature });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/^Feature\.Id: /)]);
  });

  it('is refused with many blanks and a letter, as soon as any other', async () => {
    const Name = `${' '.repeat(2 ** 20 - 1)}x`;
    for (const part of [{ Feature: { Id: 0, Name } }, { Feature: { Id: 0, Project: { Name } } }]) {
      const answer = await app.post(`${stories}?format=json`, { Name: 'x', Project: { Id: project }, ...part });
      expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/^Feature\.Id: /)]);
    }
    for (const part of [`<Feature Id="0" Name="${Name}"/>`, `<Feature Id="0"><Name>${Name}</Name></Feature>`]) {
      const answer = await sendXml(`${stories}?format=json`, `<UserStory Name="x">${part}</UserStory>`);
      expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/^Feature\.Id: /)]);
    }
    const answer = await app.post(`${stories}/${await story()}?format=json`, { AssignedUser: { Id: 0, Name } });
    expect(answer.status).toBe(400);
  });

  it.each(['0', 'false', '0001-01-01'])('gives way to a name that looks like nothing: %s', async (name) => {
    const Priority = { Id: 0, Name: name };
    const answer = await app.post(`${stories}?format=json`, { Name: 'x', Project: { Id: project }, Priority });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/^Priority/)]);
  });

  it('gives way to the name of a state', async () => {
    const id = await story();
    const { EntityState } = await app.write(`UserStories/${id}`, { EntityState: { Id: 0, Name: 'Done' } });
    expect(EntityState.Name).toBe('Done');
  });

  it('that cannot be without is refused, or left to its default where the entity is created', async () => {
    const answer = await app.post(`${stories}?format=json`, { Name: 'x', Project: { Id: 0 } });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/^Project/)]);
    const id = await story({ EntityState: { Id: 0 }, Priority: { Id: 0 } });
    const { json, status } = await app.post(`${stories}/${id}?format=json`, { EntityState: { Id: 0 } });
    expect([status, json.Message]).toEqual([400, expect.stringMatching(/^EntityState/)]);
  });

  it('says nothing of a collection that was taken for a reference', async () => {
    const id = await story({ AssignedUser: { Id: 1 } });
    for (const AssignedUser of [{ Id: 0 }, { Id: 0, FirstName: null }]) {
      const answer = await app.post(`${stories}/${id}?format=json&include=[AssignedUser]`, { AssignedUser });
      expect([answer.status, answer.json.AssignedUser.Items.length]).toEqual([200, 1]);
    }
  });
});

describe('an empty text as an Id is none', () => {
  it.each<[string, () => object]>([
    ['of an entity', () => ({ Id: '' })],
    ['of blanks', () => ({ Id: ' ' })],
    ['of a reference', () => ({ Feature: { Id: '' } })],
    ['of a reference with an empty name', () => ({ Feature: { Id: '', Name: '' } })],
    ['of an item of a collection', () => ({ Tasks: [{ Id: '', Name: 't' }] })],
  ])('in JSON: %s', async (_, more) => {
    const sent = { Name: 'x', Project: { Id: project }, ...more() };
    const answer = await app.post(`${stories}?format=json&include=[Id,Feature,Tasks[Name]]`, sent);
    const tasks = 'Tasks' in sent ? [expect.objectContaining({ Name: 't' })] : [];
    expect([answer.status, answer.json.Feature, answer.json.Tasks?.Items]).toEqual([201, null, tasks]);
    const id = await story({ Feature: { Id: feature } });
    const changed = await app.post(`${stories}/${id}?format=json&include=[Id,Feature]`, more());
    const kept = 'Feature' in sent ? null : expect.objectContaining({ Id: feature });
    expect([changed.status, changed.json.Id, changed.json.Feature]).toEqual([200, id, kept]);
  });

  it.each([
    ['of an attribute', '<UserStory Id=""><Name>x</Name>PROJECT</UserStory>'],
    ['of an element', '<UserStory><Id/><Name>x</Name>PROJECT</UserStory>'],
    ['of a reference', '<UserStory><Name>x</Name>PROJECT<Feature Id=""/></UserStory>'],
    ['of an element in a reference', '<UserStory><Name>x</Name>PROJECT<Feature><Id/></Feature></UserStory>'],
    [
      'of an item of a collection',
      '<UserStory><Name>x</Name>PROJECT<Tasks><Task Id=""><Name>t</Name></Task></Tasks></UserStory>',
    ],
  ])('in XML: %s', async (_, body) => {
    const sent = body.replace('PROJECT', `<Project Id="${project}"/>`);
    const answer = await sendXml(`${stories}?format=json&include=[Feature,Tasks]`, sent);
    expect([answer.status, answer.json.Feature]).toEqual([201, null]);
    expect(answer.json.Tasks.Items).toHaveLength(body.includes('<Task ') ? 1 : 0);
  });

  it('names nothing where one is needed', async () => {
    for (const Id of ['', null]) {
      const answer = await app.post(`${stories}?format=json`, { Name: 'x', Project: { Id } });
      expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/Project/)]);
    }
    const item = { Bugs: [{ Id: '', Name: 'b' }] };
    const answer = await app.post(`${stories}/${await story()}?format=json`, item);
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringMatching(/can be created here/)]);
  });
});
