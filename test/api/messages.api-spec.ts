/** Messages that came in or went out by mail, and how their server names them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
const ids: Ids = { Process: 3, Role: 1 };
const as = 'mail.member';

beforeAll(async () => {
  app = await TestApp.start();
  const place = { mark: 'mail', ids };
  ids.Project = await make(app, 'Project', place);
  for (const kind of ['Request', 'UserStory', 'Requester']) ids[kind] = await make(app, kind, place);
  ids.member = await make(app, 'User', place, { Login: as });
  ids.reader = await make(app, 'User', place, { Login: 'mail.reader' });
  await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User: ids.member } });
  ids.MessageUid = await make(app, 'MessageUid', place, {
    Uid: 'u-1',
    MailServer: 'mail.example.com',
    MailLogin: 'in',
  });
});
afterAll(() => app.stop());

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
async function mail(more: object = {}): Promise<any> {
  const body = {
    Subject: 'It does not start',
    Body: '<p>Help</p>',
    Recipients: 'support@example.com',
    MessageType: 'Inbox',
    ContentType: 'Email',
    From: { Id: ids.Requester },
    MessageUid: { Id: ids.MessageUid },
    Generals: [{ Id: ids.Request }],
    ...more,
  };
  const answer = await app.post('/api/v1/Messages?format=json', body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json;
}

it('a message is written and read in JSON', async () => {
  const { Id } = await mail();
  expect(await app.json(`/api/v1/Messages/${Id}`)).toEqual({
    ResourceType: 'Message',
    Id,
    Subject: 'It does not start',
    Recipients: 'support@example.com',
    Body: '<p>Help</p>',
    IsRead: false,
    IsProcessed: false,
    CreateDate: expect.stringMatching(/^\/Date/),
    SendDate: null,
    MessageType: 'Inbox',
    ContentType: 'Email',
    From: expect.objectContaining({ ResourceType: 'GeneralUser', Id: ids.Requester }),
    To: null,
    MessageUid: { ResourceType: 'MessageUid', Id: ids.MessageUid },
  });
  const changed = await app.post(`/api/v1/Messages/${Id}?format=json`, { IsRead: true, IsProcessed: true });
  expect([changed.status, changed.json.IsRead, changed.json.IsProcessed]).toEqual([200, true, true]);
});

it('a message is written and read in XML, and deleted', async () => {
  const body = `<Message Subject="xml"><Body>b</Body><To Id="${ids.reader}"/><Generals><General Id="${ids.UserStory}"/></Generals></Message>`;
  const made = await app.post('/api/v1/Messages?include=[Id,Subject,MessageType,To,Generals]', body);
  expect(made.status).toBe(201);
  const item = itemOf(await parseXml(made.text));
  expect(item).toMatchObject({
    Subject: 'xml',
    MessageType: 'None',
    To: { Id: String(ids.reader), Login: 'mail.reader' },
    Generals: { Items: [{ Id: String(ids.UserStory) }] },
  });
  const gone = await app.ask(`/api/v1/Messages/${item.Id}?format=json`, { method: 'DELETE' });
  expect([gone.status, gone.json]).toEqual([200, { ResourceType: 'Message', Id: Number(item.Id) }]);
  expect((await app.ask(`/api/v1/Messages/${item.Id}`)).status).toBe(404);
});

it('messages stand in the collection of what they are about, and are filtered', async () => {
  const { Id } = await mail({ Subject: 'listed' });
  const [request] = await app.items(
    `/api/v1/Requests?where=Messages.Subject eq 'listed'&include=[Id,Messages[Subject]]&append=[Messages-Count]`,
    { as },
  );
  expect(request).toMatchObject({ Id: ids.Request, 'Messages-Count': request.Messages.Items.length });
  expect(request.Messages.Items).toContainEqual({ ResourceType: 'Message', Id, Subject: 'listed' });
  expect(await app.items(`/api/v1/Messages/${Id}/Attachments`, { as })).toEqual([]);
  const { items } = await app.json(`/api/v2/Message?where=subject=='listed'&select={id,generals.count() as n}`, { as });
  expect(items).toEqual([{ id: Id, n: 1 }]);
});

it('the name of a message is created from a body without values', async () => {
  const made = await app.post('/api/v1/MessageUids?format=json', {});
  expect([made.status, made.json]).toEqual([201, expect.objectContaining({ Uid: null, MailServer: null })]);
});

it('a message is seen by whoever sees what it is about, its receiver and administrators', async () => {
  const { Id } = await mail({ Generals: [], To: { Id: ids.reader }, Subject: 'apart' });
  const status = async (login: string) => (await app.ask(`/api/v1/Messages/${Id}`, { as: login })).status;
  expect([await status(as), await status('mail.reader'), await status('admin')]).toEqual([404, 200, 200]);
  expect(await app.items(`/api/v1/Messages?where=Subject eq 'apart'`, { as })).toEqual([]);
  const about = await app.post(`/api/v1/Messages/${Id}/Generals`, { Id: ids.Request });
  expect(about.status).toBeLessThan(300);
  expect(await status(as)).toBe(200);
  const cut = await app.ask(`/api/v1/Messages/${Id}/Generals/${ids.Request}`, { method: 'DELETE' });
  expect([cut.status, await status(as)]).toEqual([200, 404]);
});

it('only administrators write messages, and see how a server names them', async () => {
  const { Id } = await mail();
  expect((await app.post('/api/v1/Messages', { Subject: 'x' }, { as })).status).toBe(403);
  expect((await app.post(`/api/v1/Messages/${Id}`, { IsRead: true }, { as })).status).toBe(403);
  expect((await app.ask(`/api/v1/Messages/${Id}`, { as, method: 'DELETE' })).status).toBe(403);
  expect((await app.json(`/api/v1/Messages/${Id}`, { as })).MessageUid).toBeNull();
  expect((await app.ask(`/api/v1/MessageUids/${ids.MessageUid}`, { as })).status).toBe(404);
  expect(await app.items('/api/v1/MessageUids', { as })).toEqual([]);
  expect(await app.items(`/api/v1/Messages?where=MessageUid.Uid eq 'u-1'`, { as })).toEqual([]);
});

it('the name on a server is written, read and deleted in both formats unless a message has it', async () => {
  const made = await app.post('/api/v1/MessageUids', '<MessageUid Uid="u-2" MailServer="s"/>');
  const { Id, ...rest } = itemOf(await parseXml(made.text));
  expect([made.status, rest]).toEqual([
    201,
    { ResourceType: 'MessageUid', Uid: 'u-2', MailServer: 's', MailLogin: null },
  ]);
  expect(await app.items(`/api/v1/MessageUids?where=Uid eq 'u-2'`)).toEqual([
    expect.objectContaining({ Id: Number(Id) }),
  ]);
  expect((await app.ask(`/api/v1/MessageUids/${Id}`, { method: 'DELETE' })).status).toBe(200);
  await mail();
  expect((await app.ask(`/api/v1/MessageUids/${ids.MessageUid}`, { method: 'DELETE' })).status).toBe(403);
});

it.each([
  ['{"MessageType":"Pigeon"}', 'MessageType'],
  ['{"From":{"Id":999999}}', 'From.Id'],
  ['{"Generals":[{"Id":999999}]}', 'Generals[0]'],
])('%s is refused', async (body, member) => {
  const answer = await app.post('/api/v1/Messages?format=json', body);
  expect([400, 404]).toContain(answer.status);
  expect(answer.json.Message).toContain(member);
});
