/** What can be changed of a file that is attached to something, and by whom. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let id: number;
/** `member` is in the project of `UserStory` and `Bug`; `elsewhere` lies in another one. */
const ids: Ids = { Process: 3, Role: 1 };
const as = 'files.member';

beforeAll(async () => {
  app = await TestApp.start();
  const place = { mark: 'files', ids };
  for (const kind of ['Project', 'UserStory', 'Bug', 'Message']) ids[kind] = await make(app, kind, place);
  ids.User = await make(app, 'User', place, { Login: as });
  await make(app, 'ProjectMember', place);
  const apart = { mark: 'apart', ids: { Process: 3, Role: 1 } as Ids };
  apart.ids.Project = await make(app, 'Project', apart);
  ids.elsewhere = await make(app, 'UserStory', apart);
});
afterAll(() => app.stop());

beforeEach(async () => {
  const [row] = await app.rows(
    `insert into attachment (name, date, size, owner_id, general_id) values ('plan.txt', now(), 0, 1, $1) returning id`,
    [ids.UserStory],
  );
  id = row.id;
});

const path = () => `/api/v1/Attachments/${id}`;
const shown = () =>
  app.json(`${path()}?include=[Name,Description,Date,Owner[Id],General[Id],Message[Id]]&dateformat=iso`);

describe('an administrator', () => {
  const expected = () => ({
    Name: 'other.txt',
    Description: 'more',
    Date: '2026-01-31T12:00:00+00:00',
    Owner: { Id: ids.User },
    General: { Id: ids.Bug },
    Message: { Id: ids.Message },
  });

  it.each([
    ['JSON', () => ({ ...expected(), Date: '2026-01-31T12:00:00Z' })],
    [
      'XML',
      () =>
        `<Attachment Name="other.txt" Date="2026-01-31T12:00:00Z"><Description>more</Description><Owner Id="${ids.User}"/><General Id="${ids.Bug}"/><Message Id="${ids.Message}"/></Attachment>`,
    ],
  ])('changes whatever the metadata call settable, in %s', async (_, body) => {
    const answer = await app.post(path(), body());
    expect(answer.status, answer.text).toBe(200);
    expect(await shown()).toMatchObject(expected());
    expect(await app.items(`/api/v1/Bugs/${ids.Bug}/Attachments?include=[Id]&where=(Id eq ${id})`)).toHaveLength(1);
    expect(await app.items(`/api/v1/Messages/${ids.Message}/Attachments?where=(Id eq ${id})`)).toHaveLength(1);
  });

  it('is told which user is not there', async () => {
    const answer = await app.post(`${path()}?format=json`, { Owner: { Id: 99_999_999 } });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('there is no GeneralUser')]);
    for (const name of ['Owner', 'General', 'Date']) {
      const none = await app.post(`${path()}?format=json`, { [name]: null });
      expect([none.status, none.json.Message]).toEqual([400, `${name}: a value is required.`]);
    }
  });
});

describe('a member', () => {
  it('changes name, description and date, and moves it within his projects', async () => {
    const answer = await app.post(path(), { Name: 'mine.txt', Date: '2026-02-01', General: { Id: ids.Bug } }, { as });
    expect(answer.status, answer.text).toBe(200);
    expect(await shown()).toMatchObject({ Name: 'mine.txt', General: { Id: ids.Bug } });
  });

  it.each([
    ['../../x.html', 'x.html'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['a\r\nb.txt', 'ab.txt'],
  ])('gives it no name that acts on others: %j', async (Name, kept) => {
    expect((await app.post(path(), { Name }, { as })).status).toBe(200);
    expect((await shown()).Name).toBe(kept);
    expect((await app.post('/api/v1/Attachments/bulk', [{ Id: id, Name: `/x/${Name}` }], { as })).status).toBe(200);
    expect((await shown()).Name).toBe(kept);
    const inner = { Id: ids.UserStory, Attachments: { Items: [{ Id: id, Name: `\\${Name}` }] } };
    const nested = await app.post('/api/v1/UserStories', inner, { as });
    expect([nested.status, (await shown()).Name]).toEqual([200, kept]);
  });

  it('is its owner when he sends it, and says so or nothing', async () => {
    const body = { Name: 'a', General: { Id: ids.UserStory }, Content: 'AAAA' };
    expect((await app.post('/api/v1/Attachments', { ...body, Owner: { Id: 1 } }, { as })).status).toBe(403);
    expect((await app.post('/api/v1/Attachments', { ...body, Owner: { Id: ids.User } }, { as })).status).toBe(201);
    expect((await app.post('/api/v1/Attachments', { ...body, Owner: { Id: ids.User } })).status).toBe(201);
  });

  it.each([
    ['its owner', () => ({ Owner: { Id: ids.User } }), 403],
    ['its message', () => ({ Message: { Id: ids.Message } }), 400],
    ['its place to what he does not see', () => ({ General: { Id: ids.elsewhere } }), 400],
  ])('does not change %s', async (_, body, status) => {
    const before = await shown();
    for (const format of ['json', 'xml'])
      expect((await app.post(`${path()}?format=${format}`, body(), { as })).status).toBe(status);
    expect(await shown()).toEqual(before);
  });

  it('sends back what was read, in JSON and XML', async () => {
    const json = await app.json(path(), { as });
    expect((await app.post(path(), json, { as })).status).toBe(200);
    const xml = await app.xml(path(), { as });
    expect((await app.post(path(), xml, { as })).status).toBe(200);
    expect(itemOf(await parseXml(await app.xml(path(), { as })))).toEqual(itemOf(await parseXml(xml)));
  });
});

it.each(['', '?', '?AttachmentID=', '?format=json'])('/Attachment.aspx%s names what is missing', async (query) => {
  const answer = await app.ask(`/Attachment.aspx${query}`, { headers: { accept: 'application/json' } });
  expect([answer.status, answer.json.Message]).toEqual([400, "Parameter 'AttachmentID' is needed."]);
});
