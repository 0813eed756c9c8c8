/** A custom field that a body names twice: the same counts once, what is stored gives way, two changes are refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const post = (path: string, body: unknown) => app.post(`/api/v1/${path}?format=json`, body);
const entry = (Name: string, Value: unknown) => ({ Name, Value });
const xmlOf = (Name: string, Value: string) => `<Field><Name>${Name}</Name><Value>${Value}</Value></Field>`;
const story = async (more: object = {}): Promise<number> =>
  (await app.write('UserStories', { Name: 'twice', Project: { Id: project }, ...more })).Id;
const read = (id: number) => app.json(`/api/v1/UserStories/${id}`);
const fieldOf = async (id: number, name: string) =>
  (await read(id)).CustomFields.find((field: { Name: string }) => field.Name === name).Value;

describe('the same value twice counts once', () => {
  it.each([
    ['a member and an entry', { Risk: 'High', CustomFields: [entry('Risk', 'High')] }],
    ['another letter case', { Risk: 'high', CustomFields: [entry('RISK', 'High')] }],
    ['two entries', { CustomFields: [entry('Risk', 'High'), entry('risk', 'high')] }],
    ['three times', { Risk: 'High', CustomFields: [entry('Risk', 'High'), entry('risk', 'high')] }],
  ])('%s', async (_, more) => {
    const made = await post('UserStories', { Name: 'a', Project: { Id: project }, ...more });
    expect(made.status, made.text).toBe(201);
    expect(await fieldOf(made.json.Id, 'Risk')).toBe('High');
    const bulk = await post('UserStories/bulk', [{ Name: 'a', Project: { Id: project }, ...more }]);
    expect(bulk.status, bulk.text).toBe(200);
    const changed = await post(`UserStories/${await story({ Risk: 'Low' })}`, more);
    expect(changed.status, changed.text).toBe(200);
    expect(await fieldOf(changed.json.Id, 'Risk')).toBe('High');
  });

  it('of numbers and choices, however they are written', async () => {
    const id = await story({
      Score: '2.50',
      Platforms: 'iOS, web',
      CustomFields: [entry('Score', 2.5), entry('Platforms', ['iOS', 'Web'])],
    });
    expect([await fieldOf(id, 'Score'), await fieldOf(id, 'Platforms')]).toEqual([2.5, 'iOS,Web']);
  });

  it('in XML', async () => {
    const body = `<UserStory Name="a" Risk="High"><Project Id="${project}"/><CustomFields>${xmlOf('Risk', 'High')}${xmlOf('risk', 'high')}</CustomFields></UserStory>`;
    const made = await post('UserStories', body);
    expect(made.status, made.text).toBe(201);
    expect(await fieldOf(made.json.Id, 'Risk')).toBe('High');
  });
});

describe('what is stored gives way to what changes', () => {
  it.each([
    ['by the member', { Risk: 'Low' }, 'Low'],
    ['by the member, which clears it', { Risk: null }, null],
    ['by the member as it is', { Risk: 'High' }, 'High'],
  ])('%s, beside all that was read', async (_, more, value) => {
    const id = await story({ Risk: 'High', Notes: 'stays' });
    const body = await read(id);
    const one = await post(`UserStories/${id}`, { ...body, ...more });
    expect(one.status, one.text).toBe(200);
    expect([await fieldOf(id, 'Risk'), await fieldOf(id, 'Notes')]).toEqual([value, 'stays']);
    await post(`UserStories/${id}`, { Risk: 'High' });
    const bulk = await post('UserStories/bulk', [{ ...more, ...body }]);
    expect(bulk.status, bulk.text).toBe(200);
    expect(await fieldOf(id, 'Risk')).toBe(value);
  });

  it('beside an owner that is named twice, too', async () => {
    const id = await story({ Risk: 'High' });
    const { Owner, CustomFields } = await read(id);
    const sent = await post(`UserStories/${id}`, { Owner, Creator: Owner, CustomFields, Risk: 'Low' });
    expect(sent.status, sent.text).toBe(200);
    expect(await fieldOf(id, 'Risk')).toBe('Low');
  });

  it('by an entry, beside the member', async () => {
    const id = await story({ Risk: 'High' });
    const sent = await post(`UserStories/${id}`, { Risk: 'high', CustomFields: [entry('Risk', 'Low')] });
    expect(sent.status, sent.text).toBe(200);
    expect(await fieldOf(id, 'Risk')).toBe('Low');
  });

  it('where nothing is stored: null gives way', async () => {
    const id = await story();
    const sent = await post(`UserStories/${id}`, { ...(await read(id)), Risk: 'Low' });
    expect(sent.status, sent.text).toBe(200);
    expect(await fieldOf(id, 'Risk')).toBe('Low');
  });

  it('in XML', async () => {
    const id = await story({ Risk: 'High' });
    const xml = await app.xml(`/api/v1/UserStories/${id}`);
    const sent = await post(`UserStories/${id}`, xml.replace('</UserStory>', '<Risk>Low</Risk></UserStory>'));
    expect(sent.status, sent.text).toBe(200);
    expect(await fieldOf(id, 'Risk')).toBe('Low');
  });

  it('of a user that is deleted by now', async () => {
    const { Id } = await app.write('Requesters', { FirstName: 'left', Email: 'left@example.com' });
    const { Id: next } = await app.write('Requesters', { FirstName: 'next', Email: 'next@example.com' });
    const id = await story({ Customer: { Id, Kind: 'Requester' } });
    await app.ask(`/api/v1/Requesters/${Id}`, { method: 'DELETE' });
    const { CustomFields } = await read(id);
    const sent = await post(`UserStories/${id}`, { CustomFields, Customer: { Id: next, Kind: 'Requester' } });
    expect(sent.status, sent.text).toBe(200);
    expect((await fieldOf(id, 'Customer')).Id).toBe(next);
  });
});

describe('two values that change it are refused', () => {
  const refusal = (path: string) => [400, `${path}: the custom field 'Risk' is given twice, with two values.`];

  it.each([
    [{ Risk: 'Low', CustomFields: [entry('Risk', 'Medium')] }, 'CustomFields[0].Value'],
    [{ CustomFields: [entry('Risk', 'Low'), entry('risk', 'Medium')] }, 'CustomFields[1].Value'],
    [{ CustomFields: [entry('Risk', 'Low')], Risk: null }, 'Risk'],
    [{ CustomFields: [entry('Risk', 'Low'), entry('Risk', 'High'), entry('Risk', 'Medium')] }, 'CustomFields[2].Value'],
  ])('%j', async (more, path) => {
    const id = await story({ Risk: 'High' });
    const one = await post(`UserStories/${id}`, more);
    expect([one.status, one.json.Message]).toEqual(refusal(path));
    const bulk = await post('UserStories/bulk', [{ Id: id, ...more }]);
    expect([bulk.status, bulk.json.Message]).toEqual(refusal(`[0].${path}`));
    expect(await fieldOf(id, 'Risk')).toBe('High');
  });

  it('of an entity that is created, one of them null as well', async () => {
    const made = await post('UserStories', {
      Name: 'a',
      Project: { Id: project },
      Risk: null,
      CustomFields: [entry('Risk', 'Low')],
    });
    expect([made.status, made.json.Message]).toEqual(refusal('CustomFields[0].Value'));
  });

  it('in XML', async () => {
    const id = await story({ Risk: 'High' });
    const fields = xmlOf('Risk', 'Low') + xmlOf('Risk', 'Medium');
    const sent = await post(`UserStories/${id}`, `<UserStory><CustomFields>${fields}</CustomFields></UserStory>`);
    expect([sent.status, sent.json.Message]).toEqual(refusal('CustomFields[1].Value'));
  });

  it('of one entity in two places', async () => {
    const { Id: feature } = await app.write('Features', { Name: 'f', Project: { Id: project } });
    const id = await story({ Risk: 'High' });
    const twice = (one: string, other: string) =>
      post('Features/bulk', [
        { Id: feature, UserStories: [{ Id: id, Risk: one, CustomFields: [entry('Risk', one)] }] },
        { Name: 'g', Project: { Id: project }, UserStories: [{ Id: id, Risk: other }] },
      ]);
    expect((await twice('Low', 'Medium')).status).toBe(400);
    expect(await fieldOf(id, 'Risk')).toBe('High');
  });

  it('tells nothing of what a member does not see', async () => {
    const { Id: hidden } = await app.write('Projects', { Name: 'hidden', Process: { Id: 3 } });
    const { Id: far } = await app.write('UserStories', { Name: 'far', Project: { Id: hidden } });
    const [{ id: alice }] = await app.rows("select id from general_user where login = 'alice'");
    await post('ProjectMembers', { Project: { Id: project }, User: { Id: alice }, Role: { Id: 1 } });
    const pointing = await story({ Affects: [{ Id: far, Kind: 'UserStory' }] });
    const plain = await story();
    const answers = [pointing, plain].map(async (id) => {
      const body = { CustomFields: [entry('Affects', [{ Id: far, Kind: 'UserStory' }])], Affects: null };
      const { status, json } = await app.post(`/api/v1/UserStories/${id}?format=json`, body, { as: 'alice' });
      return [status, json.Message];
    });
    const [one, other] = await Promise.all(answers);
    expect(one).toEqual(other);
    expect(one![0]).toBe(400);
  });
});
