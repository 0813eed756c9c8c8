/** Requests: what a new one starts with, and who asks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const write = (path: string, body: unknown, ask = {}) => app.write(path, body, ask);

const request = (more: object = {}, ask = {}) =>
  write('Requests', { Name: 'please', Project: { Id: project }, ...more }, ask);
const requesters = (id: number) => app.items(`/api/v1/Requests/${id}/Requesters?include=[Id,Email]`);
const count = async () =>
  (await app.rows('select (select count(*) from general) + (select count(*) from general_user) as n'))[0].n;

async function refused(body: object, message: string, { as = 'admin', status = 400 } = {}): Promise<void> {
  const before = await count();
  const answer = await app.post(
    '/api/v1/Requests?format=json',
    { Name: 'no', Project: { Id: project }, ...body },
    { as },
  );
  expect([answer.status, answer.json.Message]).toEqual([status, expect.stringContaining(message)]);
  expect(await count()).toBe(before);
}

describe('a new request', () => {
  it('is of the first type, from nowhere, not private, with one vote', async () => {
    const [first] = await app.rows('select id, name from request_type order by id limit 1');
    expect(await request({ VotesCount: 7 })).toMatchObject({
      RequestType: { Id: first.id, Name: first.name },
      SourceType: 'None',
      IsPrivate: false,
      IsReplied: false,
      VotesCount: 1,
      EntityState: { Name: 'New' },
      Priority: { Name: 'Normal' },
    });
  });

  it('is as private as its type, unless the client says otherwise', async () => {
    const secret = await write('RequestTypes', { Name: 'Confidential', IsPrivateByDefault: true });
    const RequestType = { Id: secret.Id };
    expect((await request({ RequestType })).IsPrivate).toBe(true);
    expect((await request({ RequestType, IsPrivate: false })).IsPrivate).toBe(false);
    expect((await request({ IsPrivate: true })).IsPrivate).toBe(true);
    const created = await app.post(
      '/api/v1/Requests',
      `<Request Name="in XML"><Project Id="${project}"/><RequestType Id="${secret.Id}"/><SourceType>phone</SourceType></Request>`,
    );
    expect(itemOf(await parseXml(created.text))).toMatchObject({ IsPrivate: 'true', SourceType: 'Phone' });
    const open = await request();
    expect((await write(`Requests/${open.Id}`, { RequestType })).IsPrivate).toBe(false);
    const { Items } = await write('Requests/bulk', [
      { Name: 'a', Project: { Id: project }, RequestType },
      { Name: 'b', Project: { Id: project } },
    ]);
    expect(Items.map(({ IsPrivate }: { IsPrivate: boolean }) => IsPrivate)).toEqual([true, false]);
  });

  it('names the sources there are when it is told another one', async () => {
    await refused(
      { SourceType: 'Pigeon' },
      'SourceType: one of the known names is needed: None, Email, Phone, Internal, External.',
    );
    await refused({ RequestType: { Id: 99999 } }, 'RequestType.Id: there is no RequestType with Id 99999');
  });
});

describe('those who ask', () => {
  it('are named by Id, any user among them, and taken away again', async () => {
    const [requester] = await app.items('/api/v1/Requesters?take=1&include=[Id]');
    const made = await request({ Requesters: [{ Id: requester.Id }, { Id: 3 }] });
    expect((await requesters(made.Id)).map(({ Id }) => Id).sort()).toEqual([3, requester.Id].sort());
    await write(`Requests/${made.Id}`, `<Request><Requesters><GeneralUser Id="7"/></Requesters></Request>`);
    expect(await requesters(made.Id)).toHaveLength(3);
    const gone = await app.ask(`/api/v1/Requests/${made.Id}/Requesters/3`, { method: 'DELETE' });
    expect(gone.status).toBe(200);
    expect((await requesters(made.Id)).map(({ Id }) => Id)).not.toContain(3);
    await refused({ Requesters: [{ Id: 999999 }] }, 'GeneralUser with Id 999999 not found', { status: 404 });
  });

  it('can be somebody new: a requester, made by administrators', async () => {
    const made = await request({ Requesters: [{ FirstName: 'Nora', LastName: 'New', Email: 'nora@example.com' }] });
    const [nora] = await requesters(made.Id);
    expect(nora.Email).toBe('nora@example.com');
    expect(await app.json(`/api/v1/Requesters/${nora.Id}`)).toMatchObject({
      ResourceType: 'Requester',
      Kind: 'Requester',
      FullName: 'Nora New',
    });
    const asked = await write(`Requests/${made.Id}`, {
      Requesters: { Items: [{ Email: 'olaf@example.com', FirstName: 'Olaf' }] },
    });
    expect(await requesters(asked.Id)).toHaveLength(2);
    await refused({ Requesters: [{ FirstName: 'No', Email: 'no@example.com' }] }, 'Only administrators', {
      as: 'alice',
      status: 403,
    });
  });
});
