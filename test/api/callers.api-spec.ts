/** Who gets in: Basic on every request, service tokens, and what is refused, with the same words and headers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenPassword, TestApp } from '../support/app.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
const withHeader = (authorization: string) => app.ask(me, { as: 'nobody', headers: { authorization } });
const withoutSheet = (xml: string): string => xml.replace(/^<\?xml-stylesheet.*\?>\n/, '');
const blob = (text: string): string => Buffer.from(text).toString('base64');
const token = async (as: string): Promise<string> => (await app.json('/api/v1/Authentication', { as })).Token;

describe('Basic', () => {
  it('A5: works for passwords with colons and letters of every script', async () => {
    for (const [login, password] of [
      ['colon', 'a:b::c:d:'],
      ['letters', 'ä€😀 пароль'],
      ['plus', 'a+b%20c=d'],
    ] as const) {
      const made = await app.post('/api/v1/Users', { Login: login, Email: `${login}@example.com`, Password: password });
      expect(made.status).toBe(201);
      expect((await withHeader(`Basic ${blob(`${login}:${password}`)}`)).json.Login).toBe(login);
      expect((await withHeader(`basic ${blob(`${login.toUpperCase()}:${password}`)}`)).status).toBe(200);
      expect((await withHeader(`Basic ${blob(`${login}:${password.slice(0, -1)}`)}`)).status).toBe(401);
    }
  });

  it.each([
    ['NotBasic', `NotBasic ${blob('admin:admin')}`],
    ['no credentials', 'Basic'],
    ['no base64', 'Basic %%%%'],
    ['white space within', `Basic ${blob('admin:admin').slice(0, 4)} ${blob('admin:admin').slice(4)}`],
    ['no colon', `Basic ${blob('admin')}`],
    ['an empty login', `Basic ${blob(':admin')}`],
    ['an empty password', `Basic ${blob('admin:')}`],
    ['no UTF-8', `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x61]).toString('base64')}`],
    ['far too long', `Basic ${blob(`admin:${'x'.repeat(8000)}`)}`],
    ['a token', `Basic ${blob('1:0123456789ABCDEF0123456789ABCDEF')}`],
  ])('refuses %s', async (_, header) => {
    const answer = await withHeader(header);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    expect(answer.text.length).toBeLessThan(1024);
  });

  it('stops with the login, at once on this replica and within a second on others', async () => {
    const made = await app.post('/api/v1/Users?format=json', {
      Login: 'leaver',
      Email: 'l@example.com',
      Password: chosenPassword,
    });
    expect((await app.ask(me, { as: 'leaver' })).status).toBe(200);
    await app.post(`/api/v1/Users/${made.json.Id}`, { IsActive: false });
    const deadline = performance.now() + 1500;
    let status = 200;
    while (status === 200 && performance.now() < deadline) ({ status } = await app.ask(me, { as: 'leaver' }));
    expect(status).toBe(401);
  });
});

describe('service tokens', () => {
  it('are told in XML and JSON and sign their owner in', async () => {
    const xml = await parseXml(await app.xml('/api/v1/Authentication', { as: 'alice' }));
    expect(xml).toMatchObject({ name: 'Authentication', attributes: { Token: await token('alice') } });
    const answer = await app.ask(`${me}&token=${encodeURIComponent(await token('alice'))}`, { as: 'nobody' });
    expect(answer.json.Login).toBe('alice');
    expect((await app.ask(`${me}&TOKEN=${encodeURIComponent(await token('alice'))}`, { as: 'nobody' })).status).toBe(
      200,
    );
  });

  it('die when the password changes', async () => {
    const made = await app.post('/api/v1/Users?format=json', {
      Login: 'changer',
      Email: 'c@example.com',
      Password: chosenPassword,
    });
    const old = encodeURIComponent(await token('changer'));
    await app.post(`/api/v1/Users/${made.json.Id}`, { Password: 'another word' });
    const deadline = performance.now() + 1500;
    let status = 200;
    while (status === 200 && performance.now() < deadline)
      ({ status } = await app.ask(`${me}&token=${old}`, { as: 'nobody' }));
    expect(status).toBe(401);
    expect(encodeURIComponent(await token('changer:another word'))).not.toBe(old);
  });

  it('of others are for administrators only', async () => {
    expect(await token('alice')).toBe((await app.json('/api/v1/Authentication?login=ALICE')).Token);
    expect((await app.ask('/api/v1/Authentication?login=admin', { as: 'alice' })).status).toBe(403);
    for (const login of ['nobody-at-all', 'requester1', 'viktor', 'wanda']) {
      expect((await app.ask(`/api/v1/Authentication?login=${login}`)).status, login).toBe(404);
    }
  });

  it('of the System user work only once it has a password', async () => {
    const { Token } = await app.json('/api/v1/Authentication?login=System');
    expect((await app.ask(`${me}&token=${encodeURIComponent(Token)}`, { as: 'nobody' })).status).toBe(401);
  });

  it.each([
    [
      'one bit off',
      (good: string) =>
        `token=${encodeURIComponent(good.replace(/.(?=.{6}$)/, (letter) => (letter === 'A' ? 'B' : 'A')))}`,
      401,
    ],
    ['text of a statement', () => `token=${encodeURIComponent("' or 1=1--")}`, 401],
    ['a NUL', () => 'token=a%00b', 401],
    ['far too long', () => `token=${'A'.repeat(10_000)}`, 401],
    ['given twice', (good: string) => `token=${encodeURIComponent(good)}&token=${encodeURIComponent(good)}`, 400],
    ['an array', (good: string) => `token[]=${encodeURIComponent(good)}`, /^(400|401)$/],
    ['another kind of credential', (good: string) => `access_token=${encodeURIComponent(good)}`, 401],
  ])('are refused with %s', async (_, query, status) => {
    const answer = await app.ask(`${me}&${query(await token('alice'))}`, { as: 'nobody' });
    expect(String(answer.status)).toMatch(status instanceof RegExp ? status : String(status));
  });

  it('beside the credentials of another user are refused', async () => {
    const mine = encodeURIComponent(await token('alice'));
    expect((await app.ask(`${me}&token=${mine}`, { as: 'admin' })).status).toBe(400);
    expect((await app.ask(`${me}&token=${mine}`, { as: 'alice' })).status).toBe(200);
  });
});

describe('health', () => {
  it('is asked without credentials and tells nothing else', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await app.ask(path, { as: 'nobody' });
      expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    }
  });
});

describe('metadata', () => {
  it('describes each resource in words of its own', async () => {
    const { Items } = await app.json('/api/v1/Index/meta');
    const xml = await parseXml(withoutSheet(await app.xml('/api/v1/Index/meta')));
    expect(xml.children.map(({ attributes }) => attributes)).toEqual(Items);
    for (const { Name, Uri, Description } of Items) {
      expect([Name, Description.length > 5]).toEqual([Name, true]);
      expect(Items.filter((one: { Description: string }) => one.Description === Description)).toHaveLength(1);
      expect((await app.json(Uri.replace(app.base, ''))).Description).toBe(Description);
    }
  });

  it('names a style sheet in XML that makes a page of it and is there for everybody', async () => {
    for (const path of ['/api/v1/Index/meta', '/api/v1/meta', '/api/v1/UserStories/meta', '/api/v1/Bugs//meta']) {
      const [, type, href] = /^<\?xml-stylesheet type="([^"]+)" href="([^"]+)"\?>\n/.exec(await app.xml(path))!;
      const sheet = await app.raw(href!.replace(app.base, ''));
      expect([path, type, sheet.status, sheet.headers.get('content-type')]).toEqual([
        path,
        'text/css',
        200,
        'text/css; charset=utf-8',
      ]);
      expect(sheet.text).toContain('attr(Description)');
      expect(sheet.text).not.toMatch(/url\(|@import/);
    }
  });

  it('tells every resource with its fields, in JSON and XML', async () => {
    const index = await app.json('/api/v1/Index/meta');
    const names = index.Items.map((item: { Name: string }) => item.Name);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(['UserStory', 'Bug', 'Release', 'Time', 'CustomField']));
    for (const { Uri } of index.Items) {
      const described = await app.json(Uri.replace(app.base, ''));
      expect(
        described.ResourceMetadataPropertiesDescription.ResourceMetadataPropertiesResourceValuesDescription.Items
          .length,
      ).toBeGreaterThan(0);
    }
    const root = await parseXml(withoutSheet(await app.xml('/api/v1/userstorys//meta')));
    expect(root.attributes).toMatchObject({
      Name: 'UserStory',
      CanCreate: 'true',
      CanUpdate: 'true',
      CanDelete: 'true',
    });
    expect(root.children.map((child) => child.name)).toEqual([
      'ResourceMetadataHierarchyDescription',
      'ResourceMetadataPropertiesDescription',
      'ResourceMetadataRemarksDescription',
    ]);
    const story = await app.json('/api/v1/UserStories/meta');
    const values =
      story.ResourceMetadataPropertiesDescription.ResourceMetadataPropertiesResourceValuesDescription.Items;
    expect(values.find((field: { Name: string }) => field.Name === 'EffortToDo')).toMatchObject({
      CanSet: false,
      CanGet: true,
      Type: 'Decimal',
    });
    expect(values.find((field: { Name: string }) => field.Name === 'Name')).toMatchObject({
      CanSet: true,
      IsRequired: true,
      Type: 'String',
    });
    expect(story.ResourceMetadataRemarksDescription.Body).toBe(
      'Result of GET request is ordered by Id field with descending direction.',
    );
  });
});

describe('context', () => {
  it('tells the projects and teams of the caller, and how their processes are set up', async () => {
    const everything = await app.json('/api/v1/Context');
    const projects = await app.items('/api/v1/Projects?take=1000');
    expect(everything.SelectedProjects.Items.map((project: { Id: number }) => project.Id).sort()).toEqual(
      projects.map((project) => project.Id).sort(),
    );
    expect(everything.Processes.Items.map((process: { Id: number }) => process.Id)).toEqual([1, 2, 3]);
    expect(everything).toMatchObject({
      Acid: expect.stringMatching(/^[0-9A-F]{32}$/),
      LoggedUser: { Id: 1 },
      AppContext: { ProjectContext: { No: false } },
    });
    const one = await app.json(`/api/v1/context/?ids=${projects[0].Id}`);
    expect(one.SelectedProjects.Items).toHaveLength(1);
    const alices = await app.items('/api/v1/Projects?take=1000', { as: 'alice' });
    const context = await app.json('/api/v1/Context', { as: 'alice' });
    expect(context.SelectedProjects.Items).toHaveLength(alices.length);
    expect((await parseXml(await app.xml('/api/v1/Context'))).attributes.Acid).toBe(everything.Acid);
  });
});

describe('attachments', () => {
  it('are downloaded byte by byte, as files and never as pages', async () => {
    const [row] = await app.rows(
      "select a.id, a.name, a.content from attachment a join general g on g.id = a.general_id where g.delete_date is null and mime_type = 'text/plain' order by a.id limit 1",
    );
    const answer = await app.ask(`/Attachment.aspx?AttachmentID=${row.id}`);
    expect([answer.status, answer.text]).toEqual([200, row.content.toString()]);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]*"; filename\*=UTF-8''/);
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect((await app.ask('/Attachment.aspx?AttachmentID=999999')).status).toBe(404);
    expect((await app.ask(`/Attachment.aspx?AttachmentID=${row.id}`, { as: 'nobody' })).status).toBe(401);
  });
});
