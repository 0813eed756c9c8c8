/**
 * What was read is sent back with something changed: members that mean the same, what the caller does not see, and what
 * a base type shows of its kinds.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make, twoOfEverything } from '../support/builder.js';
import { askAs, makeCallers } from '../support/callers.js';

let app: TestApp;
let ids: Ids;
let others: Ids;
let member: string;
beforeAll(async () => {
  app = await TestApp.start();
  ({ ids, others } = await twoOfEverything(app, 'back'));
  member = (await makeCallers(app, ids)).tokens.member;
});
afterAll(() => app.stop());

const write = (path: string, body: object) => app.post(`/api/v1/${path}?format=json`, body);
const read = (path: string) => app.json(`/api/v1/${path}`);

describe('what a member does not see of the requesters of a request', () => {
  const asMember = async (path: string, body?: object) => {
    const ask = body && { method: 'POST', body: JSON.stringify(body) };
    const { status, json } = await askAs(
      app,
      member,
      `/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`,
      ask,
    );
    return { status, json };
  };
  const people: Ids = {};
  beforeAll(async () => {
    const place = { mark: 'seen', ids };
    people.plain = await make(app, 'Requester', place);
    people.named = await make(app, 'Requester', place, { Login: 'back.hidden', Email: 'back.hidden@example.com' });
  });

  it.each(['plain', 'named'])('is sent back with another name of the request: 200 (%s)', async (which) => {
    await write(`Requests/${ids.Request}`, { Requesters: [{ Id: people[which] }] });
    const { json } = await asMember(`Requests/${ids.Request}?include=[Name,Requesters]`);
    const [shown] = json.Requesters.Items.filter(({ Id }: { Id: number }) => Id === people[which]);
    expect(shown).toMatchObject({ Login: null });
    const sent = await asMember(`Requests/${ids.Request}`, { ...json, Name: `renamed ${which}` });
    expect([sent.status, sent.json.Name ?? sent.json.Message]).toEqual([200, `renamed ${which}`]);
    for (const Login of ['back.hidden', 'other', ''])
      for (const path of [`Requests/${ids.Request}`, `Requests/${ids.Request}/Requesters`]) {
        const item = { Id: people[which], Login };
        const refused = await asMember(path, path.endsWith('Requesters') ? item : { Requesters: [item] });
        expect([refused.status, refused.json.Message]).toEqual([403, 'Only administrators may change Requesters.']);
      }
  });

  it('is taken from nobody', async () => {
    const { Login, Email } = await read(`Requesters/${people.named}`);
    expect([Login, Email]).toEqual(['back.hidden', 'back.hidden@example.com']);
  });
});

describe('of members that mean one field', () => {
  it.each([
    ['UserStories', 'UserStory', 'Owner', 'Creator', 'User'],
    ['Relations', 'Relation', 'Master', 'Inbound', 'Bug'],
    ['Relations', 'Relation', 'Slave', 'Outbound', 'Task'],
  ])('in %s of a %s, %s and %s: the one that changed counts', async (collection, kind, one, other, target) => {
    const path = `${collection}/${ids[kind]}`;
    for (const [name, value] of [
      [one, others[target]],
      [other, ids[target]],
    ] as const) {
      const sent = await write(path, { ...(await read(path)), [name]: { Id: value } });
      expect([sent.status, sent.json[one]?.Id, sent.json[other]?.Id]).toEqual([200, value, value]);
    }
    const two = await write(path, { ...(await read(path)), [one]: { Id: others[target] }, [other]: { Id: ids.Epic } });
    const made = await write(collection, { [one]: { Id: others[target] }, [other]: { Id: ids.Epic } });
    const why = expect.stringMatching(/: another member means the same field and says something else\.$|there is no/);
    for (const { status, json } of [two, made]) expect([status, json.Message]).toEqual([400, why]);
  });

  it('Tags and TagObjects: what changed counts', async () => {
    const path = `UserStories/${ids.UserStory}`;
    const query = `${path}?include=[Name,Tags,TagObjects]`;
    await write(path, { Tags: 'first, second' });
    const changed = await write(path, { ...(await read(query)), Tags: 'first, third' });
    expect(changed.status, changed.text).toBe(200);
    expect((await read(query)).Tags).toBe('first, third');
    const objects = await write(path, { ...(await read(query)), TagObjects: [{ Name: 'back fourth' }] });
    expect(objects.status, objects.text).toBe(200);
    expect((await read(query)).Tags.split(', ').sort()).toEqual(['back fourth', 'first', 'third']);
    const both = await write(path, { Tags: 'first', TagObjects: [{ Name: 'back fifth' }] });
    expect(both.status).toBe(400);
  });
});

describe('what a base type shows of the fields of kinds', () => {
  const cases: [string, string, string, () => object][] = [
    ['Generals', 'Bug', 'Severity', () => ({ Id: 2 })],
    ['Assignables', 'Bug', 'Build', () => ({ Id: ids.Build })],
    ['Generals', 'UserStory', 'Feature', () => ({ Id: ids.Feature })],
    ['Generals', 'Bug', 'EntityState', () => ({ Id: 0 })],
    ['GeneralUsers', 'User', 'WeeklyAvailableHours', () => 17 as unknown as object],
  ];

  it.each(cases)('%s: a %s with its %s is sent back, and with another one', async (base, kind, name, value) => {
    const path = `${base}/${ids[kind]}`;
    const beside = { Generals: 'Name,Severity,Date', Assignables: 'Name,Tasks', GeneralUsers: 'FirstName' }[base];
    const query = `${path}?include=[${name},${beside}]`;
    const before = await read(query);
    for (const body of [before, { ...before, Id: ids[kind] }]) {
      const same = await write(path, body);
      expect(same.status, same.text).toBe(200);
    }
    expect((await write(`${base}/bulk`, [before])).status).toBe(200);
    expect(await read(query)).toEqual(before);
    if (name === 'EntityState') return;
    const changed = await write(path, { ...before, [name]: value() });
    expect(changed.status, changed.text).toBe(200);
    const { [name]: after } = await read(query);
    expect(after.Id ?? after).toEqual((value() as { Id?: number }).Id ?? value());
  });

  it('is taken of an element that names the kind', async () => {
    const body = `<Assignables><Bug Id="${ids.Bug}"><Severity Id="3"/></Bug></Assignables>`;
    const headers = { 'content-type': 'application/xml' };
    const answer = await app.ask('/api/v1/Assignables/bulk?format=json', { method: 'POST', body, headers });
    expect(answer.status, answer.text).toBe(200);
    expect((await read(`Bugs/${ids.Bug}`)).Severity.Id).toBe(3);
  });

  it.each([
    ['of another kind', () => ids.Task!, { Severity: { Id: 2 } }, "Severity: 'Task' has no such field."],
    ['that must be there', () => ids.Milestone!, { Date: null }, 'Date: a value is required.'],
    ['of no kind', () => ids.Task!, { Nope: null }, "Nope: 'General' has no such field."],
    ['of several meanings', () => ids.UserStory!, { Tasks: [] }, "Tasks: 'General' has no such field."],
  ])('is refused where it is a field %s', async (_, id, body, why) => {
    const { status, json } = await write(`Generals/${id()}`, body);
    expect([status, json.Message]).toEqual([400, why]);
  });

  it('is refused where it is a new item of a collection', async () => {
    const { status, json } = await write(`Assignables/${ids.UserStory}`, { Tasks: [{ Name: 'a' }] });
    expect([status, json.Message]).toEqual([400, 'Tasks[0]: no Task can be created here; send it to Tasks.']);
  });

  it('tells nothing of what the caller does not see', async () => {
    for (const id of [others.Bug, others.Task, 999_999]) {
      const body = JSON.stringify({ Severity: { Id: 2 } });
      const { status } = await askAs(app, member, `/api/v1/Generals/${id}?format=json`, { method: 'POST', body });
      expect(status).toBe(404);
    }
  });
});
