/** Revisions: how version control reports commits, their files and the work items they are about. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
/** A project with a member, an observer and items; another one that only administrators see. */
const ids: Ids = {};
const hidden: Ids = {};

beforeAll(async () => {
  app = await TestApp.start();
  await inProject(ids);
  await inProject(hidden);
  ids.member = await person('rev.member', {});
  ids.observer = await person('rev.observer', { IsObserver: true });
});
afterAll(() => app.stop());

async function inProject(some: Ids): Promise<void> {
  Object.assign(some, { Process: 3, Role: 1 });
  for (const kind of ['Project', 'UserStory', 'Bug']) some[kind] = await make(app, kind, { mark: 'rev', ids: some });
}

async function person(Login: string, more: object): Promise<number> {
  const place = { mark: 'rev', ids };
  const User = await make(app, 'User', place, { Login, ...more });
  await make(app, 'ProjectMember', { mark: '', ids: { ...ids, User } });
  return User;
}

const full =
  'include=[Id,SourceControlId,Description,CommitDate,Project,Author,RevisionFiles[FileName,FileAction],Assignables[Id]]';

const report = (more: object = {}) => ({
  SourceControlId: 'f00ba7',
  Description: 'Mends the start #4',
  CommitDate: '2026-11-20T10:00:00Z',
  Project: { Id: ids.Project },
  Author: { Id: ids.member },
  RevisionFiles: {
    Items: [
      { FileName: 'src/main.c', FileAction: 'Modify' },
      { FileName: 'README', FileAction: 'Add' },
    ],
  },
  Assignables: { Items: [{ Id: ids.UserStory }, { Id: ids.Bug }] },
  ...more,
});

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
async function commit(more: object = {}, ask: object = {}): Promise<any> {
  const answer = await app.post(`/api/v1/Revisions?format=json&${full}`, report(more), ask);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json;
}

const files = (revision: { RevisionFiles: { Items: object[] } }) =>
  revision.RevisionFiles.Items.map((file) => Object.values(file).slice(2));

describe('a commit that version control reports', () => {
  it('is created with its files, author and work items in one request in JSON', async () => {
    const made = await commit({}, { as: 'rev.member' });
    expect(made).toMatchObject({
      ResourceType: 'Revision',
      SourceControlId: 'f00ba7',
      Project: { Id: ids.Project },
      Author: { ResourceType: 'User', Id: ids.member, Login: 'rev.member' },
    });
    expect(files(made)).toEqual([
      ['src/main.c', 'Modify'],
      ['README', 'Add'],
    ]);
    expect(made.Assignables.Items.map(({ Id }: { Id: number }) => Id).sort()).toEqual([ids.UserStory, ids.Bug].sort());
  });

  it('is created in XML, and read in XML', async () => {
    const body = `<Revision SourceControlId="r17"><Description>xml</Description><Project Id="${ids.Project}"/><Author Id="${ids.member}"/>
      <RevisionFiles><RevisionFile><FileName>a.txt</FileName><FileAction>Rename</FileAction></RevisionFile></RevisionFiles>
      <Assignables><Assignable Id="${ids.UserStory}"/></Assignables></Revision>`;
    const made = await app.post(`/api/v1/Revisions?${full}`, body);
    expect([made.status, made.headers.get('content-type')]).toEqual([201, 'application/xml; charset=utf-8']);
    const id = Number(itemOf(await parseXml(made.text)).Id);
    expect(itemOf(await parseXml(await app.xml(`/api/v1/Revisions/${id}?${full}`)))).toMatchObject({
      ResourceType: 'Revision',
      SourceControlId: 'r17',
      Description: 'xml',
      CommitDate: null,
      RevisionFiles: { Items: [{ ResourceType: 'RevisionFile', FileName: 'a.txt', FileAction: 'Rename' }] },
      Assignables: { Items: [{ ResourceType: 'Assignable', Id: String(ids.UserStory) }] },
    });
  });

  it('is created many at a time, all or none', async () => {
    const body = [report({ SourceControlId: 'b1' }), report({ SourceControlId: 'b2', Project: { Id: 999999 } })];
    const answer = await app.post('/api/v1/Revisions/bulk?format=json', body);
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('[1].Project.Id')]);
    expect(await app.items("/api/v1/Revisions?where=SourceControlId in ('b1','b2')")).toEqual([]);
    const taken = await app.post('/api/v1/Revisions/bulk?format=json', [body[0]]);
    expect([taken.status, taken.json.Items.length]).toEqual([200, 1]);
  });

  it.each([
    [{ SourceControlId: undefined }, 'SourceControlId'],
    [{ Project: undefined }, 'Project'],
    [{ RevisionFiles: [{ FileName: 'x', FileAction: 'Burn' }] }, 'FileAction'],
    [{ Assignables: [{ Id: 999999 }] }, 'Assignables[0]'],
  ])('is refused where it lacks or misstates something: %j', async (more, member) => {
    const before = await counts();
    const answer = await app.post('/api/v1/Revisions?format=json', report(more));
    expect([answer.status < 500 && answer.status >= 400, answer.json.Message]).toEqual([
      true,
      expect.stringContaining(member),
    ]);
    expect(await counts()).toEqual(before);
  });
});

const counts = () =>
  app.rows(`select (select count(*) from revision) as revisions, (select count(*) from revision_file) as files,
    (select count(*) from revision_assignable) as links`);

describe('revisions', () => {
  it('are found by their source control id, project, author, date, files and work items', async () => {
    const made = await commit({ SourceControlId: 'find.me' });
    for (const where of [
      "SourceControlId eq 'find.me'",
      `Project.Id eq ${ids.Project} and SourceControlId contains 'find'`,
      `Author.Id eq ${ids.member} and CommitDate gt '2026-11-19' and SourceControlId eq 'FIND.ME'`,
      "RevisionFiles.FileName contains 'main' and SourceControlId eq 'find.me'",
      `Assignables.Id eq ${ids.Bug} and SourceControlId eq 'find.me'`,
    ]) {
      const revisions = await app.items(`/api/v1/Revisions?where=${encodeURIComponent(where)}`);
      expect(
        revisions.map(({ Id }) => Id),
        where,
      ).toEqual([made.Id]);
    }
    expect(await app.items('/api/v1/Revisions?where=SourceControlId eq "nothing"')).toEqual([]);
  });

  it('stand in the collections of their project, author and work items, in both formats', async () => {
    const { Id } = await commit({ SourceControlId: 'listed' });
    for (const path of [
      `Projects/${ids.Project}/Revisions`,
      `Users/${ids.member}/Revisions`,
      `UserStories/${ids.UserStory}/Revisions`,
      `Assignables/${ids.Bug}/Revisions`,
    ]) {
      expect(
        (await app.items(`/api/v1/${path}?take=1000`)).map((one) => one.Id),
        path,
      ).toContain(Id);
      const xml = await parseXml(await app.xml(`/api/v1/${path}?take=1000`));
      expect(
        xml.children.map(({ attributes }) => Number(attributes.Id)),
        path,
      ).toContain(Id);
    }
    const [story] = await app.items(
      `/api/v1/UserStories?where=Id eq ${ids.UserStory}&include=[Revisions[SourceControlId]]&append=[Revisions-Count]`,
    );
    expect(story['Revisions-Count']).toBe(story.Revisions.Items.length);
    expect(story.Revisions.Items).toContainEqual({ ResourceType: 'Revision', Id, SourceControlId: 'listed' });
    expect(await app.items(`/api/v1/Revisions/${Id}/RevisionFiles`)).toHaveLength(2);
  });

  it('are read by version 2', async () => {
    const { Id } = await commit({ SourceControlId: 'v2' });
    const answer = await app.json(
      `/api/v2/Revision/${Id}?select={id,sourceControlId,author.login,files:revisionFiles.orderBy(fileName).select(fileAction),items:assignables.count()}`,
    );
    expect(answer.items ?? [answer]).toEqual([
      { id: Id, sourceControlId: 'v2', login: 'rev.member', files: ['Add', 'Modify'], items: 2 },
    ]);
  });

  it('are changed, and their files and work items are added and taken out', async () => {
    const { Id, RevisionFiles } = await commit({ SourceControlId: 'old' });
    const [first, second] = RevisionFiles.Items;
    const changed = await app.post(`/api/v1/Revisions/${Id}?format=json&${full}`, { SourceControlId: 'new' });
    expect([changed.status, changed.json.SourceControlId]).toEqual([200, 'new']);
    const added = await app.post(`/api/v1/Revisions/${Id}/RevisionFiles?format=json`, { FileName: 'more' });
    expect([added.status, added.json]).toEqual([
      201,
      expect.objectContaining({ FileName: 'more', FileAction: 'None' }),
    ]);
    const gone = await app.ask(`/api/v1/RevisionFiles/${first.Id}?format=json`, { method: 'DELETE' });
    expect([gone.status, gone.json]).toEqual([200, { ResourceType: 'RevisionFile', Id: first.Id }]);
    const cut = await app.ask(`/api/v1/Revisions/${Id}/Assignables/${ids.Bug}`, { method: 'DELETE' });
    expect(cut.status).toBe(200);
    const now = await app.json(`/api/v1/Revisions/${Id}?${full}`);
    expect(now.RevisionFiles.Items.map((file: { Id: number }) => file.Id)).toEqual([second.Id, added.json.Id]);
    expect(now.Assignables.Items.map((item: { Id: number }) => item.Id)).toEqual([ids.UserStory]);
    const renamed = await app.post(`/api/v1/RevisionFiles/${second.Id}`, `<RevisionFile FileAction="Branch"/>`);
    expect([renamed.status, itemOf(await parseXml(renamed.text)).FileAction]).toEqual([200, 'Branch']);
  });

  it('take their files along when they are deleted, and leave their work items', async () => {
    const { Id } = await commit({ SourceControlId: 'gone' });
    const answer = await app.ask(`/api/v1/Revisions/${Id}`, { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await app.ask(`/api/v1/Revisions/${Id}`)).status).toBe(404);
    expect(await app.items(`/api/v1/RevisionFiles?where=Revision.Id eq ${Id}`)).toEqual([]);
    expect((await app.ask(`/api/v1/UserStories/${ids.UserStory}`)).status).toBe(200);
  });

  it('are hidden with their project', async () => {
    const place: Ids = { Process: 3, Role: 1 };
    place.Project = await make(app, 'Project', { mark: 'rev', ids: place });
    const { Id } = await commit({ Project: { Id: place.Project } });
    await app.ask(`/api/v1/Projects/${place.Project}`, { method: 'DELETE' });
    expect((await app.ask(`/api/v1/Revisions/${Id}`)).status).toBe(404);
  });
});

describe('who sees and writes them', () => {
  it('members see those of their projects alone, and their files', async () => {
    const secret = await commit({
      Project: { Id: hidden.Project },
      Assignables: [{ Id: ids.UserStory }],
      SourceControlId: 'secret',
    });
    const [file] = secret.RevisionFiles.Items;
    const as = 'rev.member';
    expect((await app.ask(`/api/v1/Revisions/${secret.Id}`, { as })).status).toBe(404);
    expect((await app.ask(`/api/v1/RevisionFiles/${file.Id}`, { as })).status).toBe(404);
    expect(await app.items("/api/v1/Revisions?where=SourceControlId eq 'secret'", { as })).toEqual([]);
    expect(await app.items(`/api/v1/RevisionFiles?where=Revision.SourceControlId eq 'secret'`, { as })).toEqual([]);
    const shown = await app.items(`/api/v1/UserStories/${ids.UserStory}/Revisions?take=1000`, { as });
    expect(shown.map(({ Id }) => Id)).not.toContain(secret.Id);
  });

  it('a hidden work item is not shown to a member, and cannot be reported by one', async () => {
    const as = 'rev.member';
    const { Id } = await commit({ Assignables: [{ Id: hidden.Bug }, { Id: ids.Bug }] });
    expect((await app.items(`/api/v1/Revisions/${Id}/Assignables`, { as })).map((item) => item.Id)).toEqual([ids.Bug]);
    for (const [item, project] of [
      [hidden.Bug, ids.Project],
      [ids.Bug, hidden.Project],
    ]) {
      const body = report({ Project: { Id: project }, Assignables: [{ Id: item }] });
      const answer = await app.post('/api/v1/Revisions?format=json', body, { as });
      expect([answer.status, answer.json.Message]).toEqual([expect.any(Number), expect.stringContaining('Id')]);
      expect([400, 404]).toContain(answer.status);
    }
  });

  it('a member cannot take a hidden work item out of a revision', async () => {
    const { Id } = await commit({ Assignables: [{ Id: hidden.Bug }] });
    const path = `/api/v1/Revisions/${Id}/Assignables`;
    for (const ask of [`${path}/${hidden.Bug}`, `${path}?childrenIds=${hidden.Bug}`]) {
      const answer = await app.ask(ask, { as: 'rev.member', method: 'DELETE' });
      expect(answer.status, ask).toBe(404);
    }
    expect((await app.items(path)).map((item) => item.Id)).toEqual([hidden.Bug]);
  });

  it('observers read them and write none', async () => {
    const as = 'rev.observer';
    const { Id } = await commit();
    expect((await app.ask(`/api/v1/Revisions/${Id}`, { as })).status).toBe(200);
    expect((await app.post('/api/v1/Revisions', report(), { as })).status).toBe(403);
    expect((await app.ask(`/api/v1/Revisions/${Id}`, { as, method: 'DELETE' })).status).toBe(403);
  });
});

it('revisions and their files are described in both formats', async () => {
  for (const name of ['Revisions', 'RevisionFiles']) {
    const meta = await app.json(`/api/v1/${name}/meta`);
    expect(meta).toMatchObject({ CanCreate: true, CanUpdate: true, CanDelete: true });
    expect((await parseXml(await app.xml(`/api/v1/${name}/meta`))).attributes.Name).toBe(meta.Name);
    const index = await app.xml('/api/v1/Index/meta');
    expect(index).toContain(`/api/v1/${name}/meta`);
  }
});
