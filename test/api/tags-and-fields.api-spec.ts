/** Tags and custom fields of an entity, as they are written and as they read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, makeEverything, model } from '../support/builder.js';
import { scrumProjects } from '../support/demonstration.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const post = (path: string, body: unknown, ask = {}) =>
  app.post(`/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`, body, ask);

async function story(more: object = {}): Promise<number> {
  const made = await post('UserStories', { Name: 'tagged', Project: { Id: project }, ...more });
  expect(made.status, made.text).toBe(201);
  return made.json.Id;
}

const tagsOf = async (id: number): Promise<string> => (await app.json(`/api/v1/UserStories/${id}?include=[Tags]`)).Tags;

describe('Tags', () => {
  it('replace all tags of the entity; an empty text clears them', async () => {
    const id = await story({ Tags: 'beta, alpha ,, ALPHA,' });
    expect(await tagsOf(id)).toBe('alpha, beta');
    await post(`UserStories/${id}`, { Tags: 'gamma,alpha' });
    expect(await tagsOf(id)).toBe('alpha, gamma');
    await post(`UserStories/${id}`, { Name: 'left alone' });
    expect(await tagsOf(id)).toBe('alpha, gamma');
    await post(`UserStories/${id}`, { Tags: '' });
    expect(await tagsOf(id)).toBe('');
    await post(`UserStories/${id}`, '<UserStory Tags="one two,three"/>');
    expect(await tagsOf(id)).toBe('one two, three');
    await post(`UserStories/${id}`, { Tags: null });
    expect(await tagsOf(id)).toBe('');
  });

  it('use the tag that is there, whatever its letter case, and change the entity’s ModifyDate', async () => {
    const first = await story({ Tags: 'Shared-Tag' });
    const second = await story();
    const before = await app.json(`/api/v1/UserStories/${second}?include=[ModifyDate]`);
    await post(`UserStories/${second}`, { Tags: 'shared-tag' });
    expect([await tagsOf(first), await tagsOf(second)]).toEqual(['Shared-Tag', 'Shared-Tag']);
    expect(await app.rows("select 1 from tag where lower(name) = 'shared-tag'")).toHaveLength(1);
    const after = await app.json(`/api/v1/UserStories/${second}?include=[ModifyDate]`);
    expect(after.ModifyDate).not.toBe(before.ModifyDate);
    // The same once more is no change.
    await post(`UserStories/${second}`, { Tags: 'SHARED-TAG' });
    expect(await app.json(`/api/v1/UserStories/${second}?include=[ModifyDate]`)).toEqual(after);
  });

  it('of a body are counted together, those of its collections included', async () => {
    const entity = { Name: 'counted', Project: { Id: project } };
    const Tags = Array.from({ length: 200 }, (_, n) => `counted ${n}`).join();
    const most = Array.from({ length: 100 }, () => ({ ...entity, Tags }));
    const task = { ...entity, Tags: 'one more' };
    for (const more of [task, { ...entity, Tasks: [task] }]) {
      const { status, text } = await post('UserStories/bulk', [...most, more]);
      expect([status, text]).toEqual([400, expect.stringContaining('more than 20000 tags')]);
    }
    const { status, json } = await post('UserStories/bulk?include=[Tags]', [...most, entity]);
    expect([status, json.Items[99].Tags.split(', ').length]).toEqual([200, 200]);
  });

  it('that are spelled in another case leave the words of their items as they are, and others do not', async () => {
    const id = await story({ Tags: 'respelled' });
    const [tag] = await app.rows("select id from tag where name = 'respelled'");
    const words = async () =>
      (await app.rows('select xmin::text as written from search_text where general_id = $1', [id]))[0].written;
    const before = await words();
    await post(`Tags/${tag.id}`, { Name: 'Respelled' });
    expect([await tagsOf(id), await words()]).toEqual(['Respelled', before]);
    await post(`Tags/${tag.id}`, { Name: 'another' });
    expect(await words()).not.toBe(before);
    const { Items } = await app.json('/api/v1/Search?q=another&include=[Id]');
    expect(Items.map((item: { Id: number }) => item.Id)).toContain(id);
  });

  it('are spelled as a list has them first', async () => {
    const Project = { Id: project };
    const texts = ['Spelled First, other', 'SPELLED FIRST', 'spelled first,OTHER'];
    const { status } = await post(
      'UserStories/bulk',
      texts.map((Tags) => ({ Name: 'tagged', Project, Tags })),
    );
    expect(status).toBe(200);
    const made = await app.rows("select name from tag where lower(name) in ('spelled first', 'other') order by name");
    expect(made.map(({ name }) => name)).toEqual(['other', 'Spelled First']);
  });

  it('leave out names that show nothing, of new items and old ones', async () => {
    const nothing = ['\u200b', '\u3164 \u2060', '\u00ad', '\ufe0f'];
    const id = await story({ Tags: `alpha,${nothing.join()},` });
    expect(await tagsOf(id)).toBe('alpha');
    expect((await post(`UserStories/${id}`, { Tags: `${nothing.join()},beta` })).status).toBe(200);
    expect(await tagsOf(id)).toBe('beta');
    expect((await post(`UserStories/${id}`, `<UserStory Tags="${nothing[0]}"/>`)).status).toBe(200);
    expect(await tagsOf(id)).toBe('');
    expect(await app.rows('select name from tag where name = any($1)', [nothing])).toEqual([]);
    const refused = await post('Tags', { Name: nothing[0] });
    expect([refused.status, refused.json.Message]).toEqual([400, 'Name: a value is required.']);
  });

  it('that show nothing and are there may be sent back, and taken away', async () => {
    const id = await story({ Tags: 'alpha,unseen' });
    await app.rows("update tag set name = '\u2061' where name = 'unseen'");
    const read = await app.json(`/api/v1/UserStories/${id}?include=[Tags,ModifyDate]`);
    expect(read.Tags.split(', ').sort()).toEqual(['alpha', '\u2061']);
    expect((await post(`UserStories/${id}`, { Tags: read.Tags })).status).toBe(200);
    expect(await app.json(`/api/v1/UserStories/${id}?include=[Tags,ModifyDate]`)).toEqual(read);
    await post(`UserStories/${id}`, { Tags: `${read.Tags}, beta` });
    expect((await tagsOf(id)).split(', ').sort()).toEqual(['alpha', 'beta', '\u2061']);
    await post(`UserStories/${id}`, { Tags: 'beta' });
    expect(await tagsOf(id)).toBe('beta');
  });

  it.each([
    [{ Tags: ['a'] }, 'Tags: tags are one text'],
    [{ Tags: 'x'.repeat(256) }, 'Tags: a tag has at most 255 characters.'],
    [{ Tags: Array.from({ length: 201 }, (_, n) => `many${n}`).join() }, 'Tags: more than 200 tags are sent.'],
    [{ Tags: 'a\u0000b' }, 'NUL'],
    [{ Tags: 'a', TagObjects: [{ Name: 'b' }] }, 'Tags and TagObjects cannot be used in one request.'],
    [{ Tags: 'a', TagObjects: [{ Id: 1 }] }, 'Tags and TagObjects cannot be used in one request.'],
  ])('refuse what is no list of names', async (body, message) => {
    const id = await story();
    const answer = await post(`UserStories/${id}`, body);
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining(message)]);
    expect(await tagsOf(id)).toBe('');
  });
});

describe('TagObjects', () => {
  it('with names create tags and add them, and fail as a whole if any exists', async () => {
    const id = await story({ Tags: 'here-before' });
    expect((await post(`UserStories/${id}`, { TagObjects: [{ Name: 'made-1' }, { Name: 'made-2' }] })).status).toBe(
      200,
    );
    expect(await tagsOf(id)).toBe('here-before, made-1, made-2');
    const answer = await post(`UserStories/${id}`, { TagObjects: { Items: [{ Name: 'made-3' }, { Name: 'MADE-1' }] } });
    const why = "TagObjects[1].Name: the tag 'MADE-1' exists already; add it by its Id.";
    expect([answer.status, answer.json.Message]).toEqual([400, why]);
    expect(await tagsOf(id)).toBe('here-before, made-1, made-2');
    expect(await app.rows("select 1 from tag where name = 'made-3'")).toHaveLength(0);
    const twice = await post(`UserStories/${id}`, { TagObjects: [{ Name: 'twin' }, { Name: 'Twin' }] });
    expect([twice.status, twice.json.Message]).toEqual([400, "TagObjects[1].Name: the tag 'Twin' is sent twice."]);
    const comma = await post(`UserStories/${id}`, { TagObjects: [{ Name: 'a,b' }] });
    expect([comma.status, comma.json.Message]).toEqual([400, 'TagObjects[0].Name: a tag has no comma in its name.']);
  });

  it('with ids add existing tags, and fail as a whole if any is missing', async () => {
    const tag = (await post('Tags', { Name: 'by-id' })).json.Id;
    const id = await story();
    const missing = await post(`UserStories/${id}`, { TagObjects: [{ Id: tag }, { Id: 999_999 }] });
    expect([missing.status, await tagsOf(id)]).toEqual([404, '']);
    await post(`UserStories/${id}`, { TagObjects: { Items: [{ Id: String(tag) }] } });
    await post(`UserStories/${id}`, `<UserStory><TagObjects><Tag Id="${tag}"/></TagObjects></UserStory>`);
    expect(await tagsOf(id)).toBe('by-id');
    const out = await app.ask(`/api/v1/UserStories/${id}/TagObjects/${tag}?format=json`, { method: 'DELETE' });
    expect([out.status, await tagsOf(id)]).toEqual([200, '']);
    expect((await app.ask(`/api/v1/Tags/${tag}`)).status).toBe(200);
  });

  it('lets one of two parallel creations of a name win', async () => {
    const ids = await Promise.all([story(), story(), story(), story()]);
    const answers = await Promise.all(ids.map((id) => post(`UserStories/${id}`, { TagObjects: [{ Name: 'raced' }] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const tags = await Promise.all(ids.map(tagsOf));
    expect(tags.filter((text) => text === 'raced')).toHaveLength(1);
    expect(await app.rows("select 1 from tag where name = 'raced'")).toHaveLength(1);
    // Tags, which take what is there, all win.
    const all = await Promise.all(ids.map((id) => post(`UserStories/${id}`, { Tags: 'raced-too,raced' })));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(await Promise.all(ids.map(tagsOf)))).toEqual(new Set(['raced, raced-too']));
  });
});

describe('CustomFields', () => {
  // biome-ignore lint/suspicious/noExplicitAny: values have the form of their type
  const fieldOf = async (id: number, name: string): Promise<any> =>
    (await app.json(`/api/v1/UserStories/${id}?include=[CustomFields]`)).CustomFields.find(
      (field: { Name: string }) => field.Name === name,
    ).Value;

  it.each([
    ['Risk', 'high', 'High', 'High'],
    ['Notes', 'a <b> & "c"', 'a <b> & "c"', 'a <b> & "c"'],
    ['Release Notes', '<p>x</p>', '<p>x</p>', '<p>x</p>'],
    ['Ready', 'true', true, 'true'],
    ['Due', '2026-05-01', '/Date(1777593600000+0000)/', '2026-05-01T00:00:00'],
    ['Score', '35679.5', 35679.5, '35679.5'],
    ['Budget', 12, 12, '12'],
    [
      'Spec',
      { Url: 'https://example.com/?a=1&b=2', Label: 'L' },
      { Url: 'https://example.com/?a=1&b=2', Label: 'L' },
      { Url: 'https://example.com/?a=1&b=2', Label: 'L' },
    ],
    ['Ticket', 'T-5', 'T-5', 'T-5'],
    ['Platforms', 'web, ios', 'Web,iOS', 'Web,iOS'],
  ])('take a value for %s and tell it in both formats', async (name, sent, json, xml) => {
    const id = await story({ CustomFields: [{ Name: name.toUpperCase(), Type: 'ignored', Value: sent }] });
    expect(await fieldOf(id, name)).toEqual(json);
    const read = itemOf(await parseXml(await app.xml(`/api/v1/UserStories/${id}?include=[CustomFields]`))) as {
      CustomFields: { Name: string; Value: unknown }[];
    };
    expect(read.CustomFields.find((field) => field.Name === name)!.Value).toEqual(xml);
    // The same through XML.
    const value =
      typeof sent === 'object'
        ? `<Url>${sent.Url.replaceAll('&', '&amp;')}</Url><Label>${sent.Label}</Label>`
        : String(sent).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const made = await post(
      'UserStories',
      `<UserStory Name="x"><Project Id="${project}"/><CustomFields><Field><Name>${name}</Name><Value>${value}</Value></Field></CustomFields></UserStory>`,
    );
    expect(made.status, made.text).toBe(201);
    expect(await fieldOf(made.json.Id, name)).toEqual(json);
    // Null clears it and leaves the others alone.
    await post(`UserStories/${id}`, { CustomFields: [{ Name: 'Notes', Value: 'stays' }] });
    await post(`UserStories/${id}`, { CustomFields: [{ Name: name, Value: null }] });
    expect(await fieldOf(id, name)).toBeNull();
    if (name !== 'Notes') expect(await fieldOf(id, 'Notes')).toBe('stays');
  });

  it('tell that an address has no label', async () => {
    const id = await story({ CustomFields: [{ Name: 'Spec', Value: 'https://example.com' }] });
    expect(await fieldOf(id, 'Spec')).toEqual({ Url: 'https://example.com', Label: null });
    expect(await app.xml(`/api/v1/UserStories/${id}`)).toContain('<Label nil="true" />');
  });

  it('point at entities that are there', async () => {
    const [requester] = await app.rows(
      "select id from general_user where kind = 'Requester' and delete_date is null limit 1",
    );
    const id = await story({ CustomFields: [{ Name: 'Customer', Value: { Id: requester.id, Kind: 'requester' } }] });
    expect(await fieldOf(id, 'Customer')).toMatchObject({
      Id: requester.id,
      Kind: 'Requester',
      Name: expect.any(String),
    });
    const other = await story();
    await post(`UserStories/${id}`, { CustomFields: [{ Name: 'Affects', Value: [{ Id: other, Kind: 'UserStory' }] }] });
    expect(await fieldOf(id, 'Affects')).toBe(`${other} userstory`);
    const gone = await post(`UserStories/${id}`, {
      CustomFields: [{ Name: 'Customer', Value: { Id: 999_999, Kind: 'Requester' } }],
    });
    expect([gone.status, gone.json.Message]).toEqual([
      400,
      'CustomFields[0].Value: there is no Requester with Id 999999, or access to it is forbidden.',
    ]);
  });

  it('may stand among the members by their names where no field has that name', async () => {
    const id = await story({ risk: 'Low', 'Release Notes': '<i>n</i>' });
    expect([await fieldOf(id, 'Risk'), await fieldOf(id, 'Release Notes')]).toEqual(['Low', '<i>n</i>']);
  });

  it.each([
    [
      [{ Name: 'No such', Value: 1 }],
      "CustomFields[0].Name: 'UserStory' has no custom field 'No such' in this process.",
    ],
    [[{ Name: 'Rsik', Value: 'Low' }], "Did you mean 'Risk'?"],
    [[{ Name: 'Risk', Value: 'Enormous' }], 'CustomFields[0].Value: '],
    [[{ Name: 'Score', Value: 'many' }], 'CustomFields[0].Value: '],
    [[{ Name: 'Due', Value: '2026-13-01' }], 'CustomFields[0].Value: '],
    [
      [
        { Name: 'Risk', Value: 'Low' },
        { Name: 'risk', Value: 'High' },
      ],
      'CustomFields',
    ],
    [[{ Name: '__proto__', Value: 1 }], 'CustomFields[0].Name: '],
    [{ Risk: 'Low' }, 'CustomFields'],
  ])('refuse %j', async (CustomFields, message) => {
    const before = await app.rows('select count(*)::int n from general');
    const answer = await post('UserStories', { Name: 'x', Project: { Id: project }, CustomFields });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining(message)]);
    expect(await app.rows('select count(*)::int n from general')).toEqual(before);
  });

  it.each([
    ['the service’s own', 'Own', 'true, null'],
    ['calculated', 'Sum', `false, '{"CalculationModel": "Effort * 2"}'`],
  ])('that are %s are only read', async (_, Name, kept) => {
    await app.rows(
      `insert into custom_field (name, field_type, entity_type_id, process_id, is_system, config)
       values ('${Name}', 'Text', 4, 3, ${kept})`,
    );
    const id = await story();
    const answer = await post(`UserStories/${id}`, {
      Name: 'not renamed',
      CustomFields: [{ Name, Value: 'x' }],
    });
    expect([answer.status, answer.json.Message]).toEqual([400, expect.stringContaining('cannot be written')]);
    expect((await app.json(`/api/v1/UserStories/${id}?include=[Name]`)).Name).toBe('tagged');
    expect((await post(`UserStories/${id}`, { CustomFields: [{ Name, Value: null }] })).status).toBe(200);
  });

  it('of a task are those of the project of its story; users and teams have their own', async () => {
    const id = await story();
    const task = await post('Tasks', {
      Name: 't',
      UserStory: { Id: id },
      CustomFields: [{ Name: 'Notes', Value: 'of a task' }],
    });
    expect([
      task.status,
      task.json.CustomFields.find((field: { Name: string }) => field.Name === 'Notes').Value,
    ]).toEqual([201, 'of a task']);
    const user = await post('Users/3', { CustomFields: [{ Name: 'Notes', Value: 'of a user' }] });
    expect(user.json.CustomFields.find((field: { Name: string }) => field.Name === 'Notes').Value).toBe('of a user');
  });
});

describe('custom fields of each kind', () => {
  const kinds = model.resources.filter(
    ({ name, isAbstract, settings }) =>
      !isAbstract &&
      !['Milestone', 'PortfolioEpic'].includes(name) &&
      settings.customFields &&
      settings.operations.update &&
      settings.entityTypeId,
  );
  let ids: Ids;
  beforeAll(async () => {
    const { id: Process } = (await app.items('/api/v1/Processes?where=Name eq "Scrum"&include=[Id]')).map(({ Id }) => ({
      id: Id,
    }))[0]!;
    for (const { settings } of kinds) {
      const definition = { Name: 'Level', FieldType: 'Number', EntityType: { Id: settings.entityTypeId } };
      const ofProcess = await post('CustomFields', { ...definition, Process: { Id: Process } });
      // Some are the same in all processes.
      const made = ofProcess.status === 201 ? ofProcess : await post('CustomFields', definition);
      expect(made.status, made.text).toBe(201);
    }
    ({ ids } = await makeEverything(app, 'fields', { Project: project }));
  });

  it.each(
    kinds.map(({ name, collection }) => [name, collection] as const),
  )('%s is updated by them alone', async (kind, collection) => {
    const read = async () => {
      const { CustomFields } = await app.json(`/api/v1/${collection}/${ids[kind]}?include=[CustomFields]`);
      return CustomFields.find(({ Name }: { Name: string }) => Name === 'Level')?.Value;
    };
    const answers = [
      await post(`${collection}/${ids[kind]}`, { CustomFields: [{ Name: 'Level', Value: 5 }] }),
      await post(`${collection}/bulk`, [{ Id: ids[kind], CustomFields: [{ Name: 'Level', Value: 6 }] }]),
      await post(
        `${collection}/${ids[kind]}`,
        `<${kind}><CustomFields><Field><Name>Level</Name><Value>7</Value></Field></CustomFields></${kind}>`,
      ),
    ];
    expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual([
      [200, ''],
      [200, ''],
      [200, ''],
    ]);
    expect(await read()).toBe(7);
  });
});
