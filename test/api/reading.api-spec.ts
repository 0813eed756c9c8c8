/** The service document's read sections, sentence by sentence, each answer checked against the rows themselves. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const live = 'delete_date is null';
const ids = async (text: string, values: unknown[] = []): Promise<number[]> =>
  (await app.rows(text, values)).map((row) => row.id);
const listed = async (path: string, as?: string): Promise<number[]> =>
  (await app.items(path, { as })).map((item) => item.Id);
const where = (text: string): string => `where=${encodeURIComponent(text)}`;

describe('what the service does', () => {
  it('answers in XML unless JSON is asked for', async () => {
    const plain = await app.ask('/api/v1/UserStories/?take=1');
    expect(plain.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect((await parseXml(plain.text)).name).toBe('UserStories');
    const json = await app.ask('/api/v1/UserStories/?take=1&format=json');
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const accepted = await app.ask('/api/v1/UserStories/?take=1', { headers: { accept: 'application/json' } });
    expect(accepted.json.Items).toHaveLength(1);
  });

  it.each([
    'UserStories',
    'userstories',
    'USERSTORIES',
    'UserStorys',
    'userstory',
    'userStories.asmx',
    '/UserStories',
    'UserStories/',
  ])('addresses a collection as %s', async (name) => {
    const items = await app.items(`/api/v1/${name}?take=2&include=[Id]`);
    expect(items.map((item) => item.Id)).toEqual(
      await ids(`select id from general where entity_type_id = 4 and ${live} order by id desc limit 2`),
    );
  });

  it('has no anonymous access', async () => {
    for (const path of ['/api/v1/UserStories', '/api/v1/nothing', '/api/v1/UserStories/1', '/api']) {
      const xml = await app.ask(path, { as: 'nobody' });
      expect(xml.status).toBe(401);
      expect(xml.headers.get('www-authenticate')).toMatch(/^Basic /);
      expect((await parseXml(xml.text)).children[0]).toMatchObject({ name: 'Status', text: 'Unauthorized' });
      const json = await app.ask(`${path}?format=json`, { as: 'nobody' });
      expect([json.status, json.json.Status]).toEqual([401, 'Unauthorized']);
    }
  });
});

describe('conventions for all entities', () => {
  it('shows Id always, also in nested entities', async () => {
    const [story] = await app.items('/api/v1/UserStories?take=1&include=[Effort,Project[Abbreviation]]');
    expect(Object.keys(story)).toEqual(['ResourceType', 'Id', 'Project', 'Effort']);
    expect(Object.keys(story.Project)).toEqual(['ResourceType', 'Id', 'Abbreviation']);
  });

  it('shows Id and Name of a nested entity that is requested without inner fields', async () => {
    const [bug] = await app.items('/api/v1/Bugs?take=1&include=[EntityState,Priority,EntityType,Project,Owner]');
    expect(Object.keys(bug.EntityType)).toEqual(['ResourceType', 'Id', 'Name']);
    expect(Object.keys(bug.EntityState)).toEqual(['ResourceType', 'Id', 'Name', 'NumericPriority']);
    expect(Object.keys(bug.Priority)).toEqual(['ResourceType', 'Id', 'Name', 'Importance']);
    expect(Object.keys(bug.Project)).toEqual(['ResourceType', 'Id', 'Name', 'Process']);
    expect(Object.keys(bug.Project.Process)).toEqual(['ResourceType', 'Id']);
    expect(Object.keys(bug.Owner)).toEqual(['ResourceType', 'Id', 'FirstName', 'LastName', 'Login', 'FullName']);
  });

  it('carries Id, Name and ResourceType as attributes in XML, and null as nil', async () => {
    const [row] = await app.rows(
      `select id, name from general where entity_type_id = 4 and ${live} and release_id is null limit 1`,
    );
    const story = await parseXml(await app.xml(`/api/v1/UserStories/${row.id}?include=[Id,Name,Release]`));
    expect(story).toMatchObject({
      name: 'UserStory',
      attributes: { ResourceType: 'UserStory', Id: String(row.id), Name: row.name },
      children: [{ name: 'Release', attributes: { nil: 'true' }, text: '' }],
    });
  });

  it('keeps the canonical order of fields whatever the order asked', async () => {
    const [time] = await app.items('/api/v1/Times?take=1&include=[Assignable,User,Date,Spent,Id]');
    expect(Object.keys(time)).toEqual(['ResourceType', 'Id', 'Spent', 'Date', 'Assignable', 'User']);
  });

  it('spells decimals with four places and dates with their zone', async () => {
    const answer = await app.ask('/api/v1/Times?take=1&format=json&include=[Spent,Date]');
    expect(answer.text).toMatch(/"Spent":\d+\.\d{4},"Date":"\\\/Date\(\d+\+0000\)\\\/"/);
    const [time] = await app.items('/api/v1/Times?take=1&include=[Date]&dateformat=iso');
    expect(time.Date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
    const [local] = await app.items('/api/v1/Times?take=1&include=[Date]&isodate=1');
    expect(local.Date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/);
  });

  it('switches isodate on and off by the same words as the flags of version 2', async () => {
    const path = '/api/v1/Times?take=1&include=[Date]';
    const shown = (more: string) => app.items(`${path}${more}`);
    for (const word of ['', '0', 'FALSE', 'no', 'Off'])
      expect(await shown(`&isodate=${word}`)).toEqual(await shown(''));
    for (const word of ['true', 'Yes', '%201', 'on', 'isoDate'])
      expect(await shown(`&isodate=${word}`)).toEqual(await shown('&isodate=1'));
    for (const asked of [path, '/api/v1/Times/1', '/api/v1/Search?q=a', '/api/deleteditems/v1/projects'])
      for (const more of ['', '&format=xml', '&format=csv', '&format=ndjson', '&dateformat=iso']) {
        const { status, text } = await app.ask(`${asked}${asked.includes('?') ? '&' : '?'}isodate=maybe${more}`);
        expect([asked, more, status, text]).toEqual([asked, more, 400, expect.stringContaining('isodate: use ')]);
      }
  });
});

describe('where', () => {
  const stories = `select id from general where entity_type_id = 4 and ${live}`;

  it.each([
    ['Id gt 5', 'id > 5'],
    ['Effort gte 3.5 and Effort lt 8', 'effort >= 3.5 and effort < 8'],
    ["(Effort gt 0)and(Effort lte '5')", 'effort > 0 and effort <= 5'],
    ["EntityState.Name eq 'Done'", "entity_state_id in (select id from entity_state where name = 'Done')"],
    ["EntityState.Name eq 'dONE'", "entity_state_id in (select id from entity_state where name = 'Done')"],
    ["EntityState.Name ne 'Done'", "entity_state_id not in (select id from entity_state where name = 'Done')"],
    [
      'EntityState.Name in ("Open","In Progress")',
      "entity_state_id in (select id from entity_state where name in ('Open','In Progress'))",
    ],
    ["EntityState.IsFinal eq 'true'", 'entity_state_id in (select id from entity_state where is_final)'],
    ["Name contains 'a'", "lower(name) like '%a%'"],
    ["Name not contains 'a'", "lower(name) not like '%a%'"],
    ['Name contains "%"', "name like '%\\%%'"],
    ['Name contains "_"', "name like '%\\_%'"],
    ['Release is null', `(release_id is null or release_id in (select id from general where delete_date is not null))`],
    ['Release is not null', `release_id in (select id from general where ${live})`],
    ['EndDate eq "null"', 'end_date is null'],
    ['EndDate ne null', 'end_date is not null'],
    ["CreateDate lt '2100-01-01'", 'true'],
    ['CreateDate gte Today-30', "create_date >= date_trunc('day', now()) - interval '30 days'"],
    ['Id in (1,2,3,4,5,6,7,8,9,10,200,300,400)', 'id in (1,2,3,4,5,6,7,8,9,10,200,300,400)'],
    ['Id not in (400, 401)', 'id not in (400, 401)'],
    ['Effort gt 5 or Effort eq 0', '(effort > 5 or effort = 0)'],
    ['not (Effort gt 5)', 'not effort > 5'],
    ["Feature.Name ne 'x'", 'true'],
    ['Feature.Id gt 0', `feature_id in (select id from general where ${live})`],
    [
      "Release.IsCurrent eq 'true'",
      `release_id in (select id from general where ${live} and now() between start_date and end_date)`,
    ],
    ['AssignedUser is null', 'id not in (select assignable_id from assignment)'],
    ['AssignedUser.Id gt 2', 'id in (select assignable_id from assignment where general_user_id > 2)'],
    [
      "Tasks.EntityState.Name eq 'Open'",
      `id in (select t.user_story_id from general t join entity_state s on s.id = t.entity_state_id where s.name = 'Open' and t.entity_type_id = 5 and t.delete_date is null)`,
    ],
    [
      "TagObjects.Name eq 'plugin'",
      "id in (select general_id from general_tag join tag on tag.id = tag_id where name = 'plugin')",
    ],
    [
      "Tags contains 'plugin'",
      "id in (select general_id from general_tag join tag on tag.id = tag_id where name = 'plugin')",
    ],
    [
      `Tags contains "'two words'"`,
      "id in (select general_id from general_tag join tag on tag.id = tag_id where name = 'two words')",
    ],
    [
      "Tags contains '*o*'",
      "id in (select general_id from general_tag join tag on tag.id = tag_id where lower(name) like '%o%')",
    ],
    [
      "Tags not contains '*o*'",
      "id not in (select general_id from general_tag join tag on tag.id = tag_id where lower(name) like '%o%')",
    ],
    ["'CustomFields.Release Notes' is not null", "custom_values ->> 'Release Notes' is not null"],
    ["CustomFields.Risk eq 'high'", "lower(custom_values ->> 'Risk') = 'high'"],
    ['Project.Process.Id eq 3', 'project_id in (select id from general where process_id = 3)'],
    ["Owner.Login ne 'nobody at all'", 'true'],
    ["Name eq 'a''b' or Name eq 'a\\'b'", "name = 'a''b'"],
    ["Name eq '; drop table general;--'", 'false'],
  ])('%s', async (text, condition) => {
    const expected = await ids(`${stories} and ${condition} order by id desc`);
    expect(await listed(`/api/v1/UserStories?take=1000&include=[Id]&${where(text)}`)).toEqual(expected);
  });

  it('takes spaces as + and quotes raw', async () => {
    const some = await listed("/api/v1/UserStories?take=1000&where=(EntityState.Name+eq+'Done')and(Effort+gt+0)");
    expect(some).toEqual(
      await ids(
        `${stories} and effort > 0 and entity_state_id in (select id from entity_state where name = 'Done') order by id desc`,
      ),
    );
  });

  it('finds users who never signed in with LastLoginDate eq "null"', async () => {
    const users = await listed(
      `/api/v1/Users?take=1000&${where('(IsActive eq "true") and (LastLoginDate eq "null")')}`,
    );
    expect(users.sort()).toEqual(
      (
        await ids(
          `select id from general_user where kind = 'User' and is_active and ${live} and last_login_date is null`,
        )
      ).sort(),
    );
    expect(users.length).toBeGreaterThan(0);
  });

  it('lists deleted users, to administrators, by their delete date', async () => {
    const deleted = await ids(
      "select id from general_user where kind = 'User' and delete_date is not null order by last_name, id",
    );
    expect(deleted.length).toBeGreaterThan(1);
    expect(await listed(`/api/v1/Users?${where('(DeleteDate is not null)')}`)).toEqual(deleted);
    const [member] = await app.rows(
      "select login from general_user where kind = 'User' and is_active and delete_date is null and not is_administrator and not coalesce(is_observer, false) limit 1",
    );
    expect(await listed(`/api/v1/Users?${where('(DeleteDate is not null)')}`, member.login)).toEqual([]);
  });

  it.each([
    ['asdad asd asda', 'where: expected an operator'],
    ["Name eqq 'x'", "where: expected an operator such as 'eq' or 'contains' at 5, found \"eqq\""],
    ["(Name eq 'x'", 'where: expected'],
    ["Name eq 'x", 'where: expected'],
    ["Password eq 'x'", "Property 'Password' does not exist in 'UserStory'."],
    ["Asdsd eq 'x'", "Property 'Asdsd' does not exist in 'UserStory'."],
    ["Effort eq 'x'", "Effort: 'x' is not a number."],
    ['Tasks-Count gt 2', '/api/v2 can'],
  ])('%s is refused with its place or name, in both formats', async (text, message) => {
    const json = await app.ask(`/api/v1/UserStories?format=json&${where(text)}`);
    expect([json.status, json.json.Status]).toEqual([400, 'BadRequest']);
    expect(json.json.Message).toContain(message);
    const xml = await app.ask(`/api/v1/UserStories?${where(text)}`);
    expect(xml.status).toBe(400);
    const messageElement = (await parseXml(xml.text)).children.find((child) => child.name === 'Message');
    expect(messageElement?.text).toContain(message);
  });
});

describe('include, exclude and append', () => {
  it('refuses include with exclude', async () => {
    for (const path of [
      'UserStories?include=[Name]&exclude=[Id]',
      'UserStories/1?include=[]&exclude=[]',
      'UserStories?INCLUDE=[Name]&Exclude=[Id]',
    ]) {
      expect((await app.ask(`/api/v1/${path}`)).status).toBe(400);
    }
  });

  it('excludes fields from the default ones', async () => {
    const [all] = await app.items('/api/v1/UserStories?take=1');
    const [some] = await app.items('/api/v1/UserStories?take=1&exclude=[Description,Project,CustomFields]');
    const { Description: _, Project: __, CustomFields: ___, ...rest } = all;
    expect(some).toEqual(rest);
  });

  it('appends counts, sums, averages, least and greatest', async () => {
    const query =
      'append=[Bugs-Count,Tasks-count,Bugs-Effort-Sum,Tasks-Effort-Avg,Times-Spent-Max,Comments-CreateDate-Min]';
    const items = await app.items(`/api/v1/UserStories?take=1000&include=[Id]&${query}`);
    const expected = await app.rows(`select s.id,
      (select count(*) from general b where b.entity_type_id = 8 and b.user_story_id = s.id and b.delete_date is null)::int bugs,
      (select count(*) from general t where t.entity_type_id = 5 and t.user_story_id = s.id and t.delete_date is null)::int tasks,
      (select coalesce(sum(effort), 0) from general b where b.entity_type_id = 8 and b.user_story_id = s.id and b.delete_date is null)::float sum,
      (select avg(effort) from general t where t.entity_type_id = 5 and t.user_story_id = s.id and t.delete_date is null)::float avg,
      (select max(spent) from time where assignable_id = s.id)::float max,
      (select extract(epoch from min(create_date)) * 1000 from comment where general_id = s.id)::float8 min
      from general s where s.entity_type_id = 4 and s.delete_date is null order by s.id desc`);
    expect(items.length).toBe(expected.length);
    items.forEach((item, index) => {
      const row = expected[index];
      expect(item).toMatchObject({
        Id: row.id,
        'Bugs-Count': row.bugs,
        'Tasks-Count': row.tasks,
        'Bugs-Effort-Sum': row.sum,
        'Times-Spent-Max': row.max,
      });
      if (row.avg === null) expect(item['Tasks-Effort-Avg']).toBeNull();
      else expect(item['Tasks-Effort-Avg']).toBeCloseTo(row.avg, 6);
      expect(item['Comments-CreateDate-Min']).toBe(row.min === null ? null : `/Date(${row.min}+0000)/`);
    });
    expect(items.some((item) => item['Bugs-Count'] > 0)).toBe(true);
  });

  it('sums of no decimals have four places as other sums have, in both formats', async () => {
    const { Id } = await app.write('UserStories', { Name: 'no parts', Project: { Id: 8 } });
    const path = `/api/v1/UserStories/${Id}?include=[Id]&append=[Tasks-Effort-Sum,Times-Spent-Sum,Tasks-Id-Sum]`;
    const json = await app.ask(`${path}&format=json`);
    expect(json.text).toMatch(/"Tasks-Effort-Sum":0\.0000,"Times-Spent-Sum":0\.0000,"Tasks-Id-Sum":0\b(?!\.)/);
    const { text } = await app.ask(`${path}&format=xml`);
    for (const sum of ['Tasks-Effort-Sum>0.0000<', 'Times-Spent-Sum>0.0000<', 'Tasks-Id-Sum>0<'])
      expect(text).toContain(sum);
    const select = '{tasks.sum(effort),ids:tasks.sum(id)}';
    const v2 = await app.ask(`/api/v2/UserStory/${Id}?${new URLSearchParams({ select })}`);
    expect(v2.text).toContain('{"sum":0.0000,"ids":0}');
  });

  it('reckons sums and averages of doubles whatever the order of rows is', async () => {
    const write = (path: string, body: unknown) => app.write(path, body);
    const { Id } = await write('Projects', { Name: 'sums', Process: { Id: 3 } });
    const bugs: { Id: number }[] = [];
    for (const NumericPriority of [0.1, 0.2, 0.3])
      bugs.push(await write('Bugs', { Name: 'b', Project: { Id }, NumericPriority }));
    const append = `/api/v1/Projects/${Id}?include=[Id]&append=[Bugs-NumericPriority-Sum,Bugs-NumericPriority-Avg]`;
    const where = new URLSearchParams({
      where: `project.id==${Id}`,
      result: '{sum(numericPriority),average(numericPriority)}',
    });
    const reckoned = async () => [await app.json(append), (await app.ask(`/api/v2/Bug?${where}`)).json];
    const first = await reckoned();
    expect(first).toMatchObject([
      { 'Bugs-NumericPriority-Sum': 0.6, 'Bugs-NumericPriority-Avg': 0.2 },
      { sum: 0.6, average: 0.2 },
    ]);
    // Written anew, rows lie in another order.
    for (const bug of [...bugs].reverse()) await app.rows('update general set name = name where id = $1', [bug.Id]);
    expect(await reckoned()).toEqual(first);
  });

  it('puts appended numbers before collections, on single entities too', async () => {
    const [row] = await app.rows(`select id from general where entity_type_id = 1 and ${live} order by id limit 1`);
    const project = await app.json(`/api/v1/Projects/${row.id}?include=[Tasks]&append=[Tasks-Count]`);
    expect(Object.keys(project)).toEqual(['ResourceType', 'Id', 'Tasks-Count', 'Tasks']);
  });

  it.each([
    '',
    '&innerTake=1',
    '&innerTake=2&innerSkip=1',
    '&innerTake=1000',
  ])('counts all of a collection that it shows only a part of%s', async (inner) => {
    const shown = `take=1000&include=[Tasks,Bugs[Id]]&append=[Tasks-Count,Bugs-Count,Tasks-Effort-Sum]${inner}`;
    const both = await app.items(`/api/v1/UserStories?${shown}`);
    const counted = await app.items('/api/v1/UserStories?take=1000&include=[Id]&append=[Tasks-Count,Bugs-Count]');
    const counts = (items: Record<string, unknown>[]) =>
      items.map((item) => [item.Id, item['Tasks-Count'], item['Bugs-Count']]);
    expect(counts(both)).toEqual(counts(counted));
    expect(both.some((item) => item['Tasks-Count'] > 2)).toBe(true);
  });

  it('shows what a filter names by its id as it shows all else', async () => {
    const [row] = await app.rows(
      `select project_id, min(release_id) release from general where entity_type_id = 4 and release_id is not null and ${live} group by 1 order by 1 limit 1`,
    );
    const shown = 'take=1000&include=[Project[Name,Process],Release,Feature]';
    const all = await app.items(`/api/v1/UserStories?${shown}`);
    const inProject = all.filter((item) => item.Project.Id === row.project_id);
    expect(inProject.length).toBeGreaterThan(1);
    const within = where(`Project.Id eq ${row.project_id}`);
    expect(await app.items(`/api/v1/UserStories?${shown}&${within}`)).toEqual(inProject);
    expect(await app.items(`/api/v1/Projects/${row.project_id}/UserStories?${shown}`)).toEqual(inProject);
    // In an order that is sorted for, and where it is one of two alternatives.
    const sorted = await app.items(`/api/v1/UserStories?${shown}&${within}&orderByDesc=Id`);
    expect(sorted).toEqual(inProject);
    const either = where(`(Project.Id eq ${row.project_id}) or (Release.Id eq ${row.release})`);
    expect(await app.items(`/api/v1/UserStories?${shown}&${either}`)).toEqual(
      all.filter((item) => item.Project.Id === row.project_id || item.Release?.Id === row.release),
    );
    const released = where(`Project.Id eq ${row.project_id} and Release.Id eq ${row.release}`);
    expect(await app.items(`/api/v1/UserStories?${shown}&${released}&orderBy=Name`)).toHaveLength(
      inProject.filter((item) => item.Release?.Id === row.release).length,
    );
  });

  it('cuts an inner collection at innerTake and links to the rest', async () => {
    const [row] = await app.rows(
      `select user_story_id id, count(*)::int n from general where entity_type_id = 5 and ${live} group by 1 having count(*) > 2 order by n desc, id limit 1`,
    );
    const path = `/api/v1/UserStories/${row.id}?include=[Tasks[Name,Effort]]&innerTake=2`;
    const { Tasks } = await app.json(path);
    expect(Tasks.Items).toHaveLength(2);
    const rest = await app.json(Tasks.Next.replace(app.base, ''));
    expect(Object.keys(rest.Items[0])).toEqual(['ResourceType', 'Id', 'Name', 'Effort']);
    const all = await listed(`/api/v1/UserStories/${row.id}/Tasks?take=1000`);
    expect([...Tasks.Items, ...rest.Items].map((item: { Id: number }) => item.Id)).toEqual(all.slice(0, 4));
    const xml = await parseXml(await app.xml(path));
    expect(xml.children[0]?.attributes.Next).toBe(Tasks.Next.replace('format=json&', ''));
    const none = path.replace('innerTake=2', 'innerTake=0');
    expect((await app.json(none)).Tasks).toEqual({ Items: [] });
    expect((await parseXml(await app.xml(none))).children[0]?.attributes.Next).toBeUndefined();
  });

  it('shows all custom fields of the process and kind, unset ones as null', async () => {
    const [row] = await app.rows(`select g.id, p.process_id from general g join general p on p.id = g.project_id
      where g.entity_type_id = 4 and g.delete_date is null and g.custom_values <> '{}' limit 1`);
    const { CustomFields } = await app.json(`/api/v1/UserStories/${row.id}?include=[CustomFields]`);
    const names = await app.rows(
      'select name, field_type from custom_field where process_id = $1 and entity_type_id = 4 order by numeric_priority, id',
      [row.process_id],
    );
    expect(CustomFields.map((field: { Name: string; Type: string }) => [field.Name, field.Type])).toEqual(
      names.map((name) => [name.name, name.field_type]),
    );
  });
});

describe('order and pages', () => {
  it.each([
    ['', 'id desc'],
    ['orderBy=Name', 'name, id'],
    ['orderBy=name', 'name, id'],
    ['OrderByDesc=CreateDate', 'create_date desc, id desc'],
    ['orderBy=Effort desc,Name', 'effort desc nulls last, name, id'],
    ['orderBy=EndDate', 'end_date nulls first, id'],
    ['orderByDesc=EndDate', 'end_date desc nulls last, id desc'],
    ['orderBy=Project.Name,Id', '(select p.name from general p where p.id = general.project_id), id'],
  ])('sorts by %s', async (order, sql) => {
    const expected = await ids(`select id from general where entity_type_id = 4 and ${live} order by ${sql}`);
    expect(await listed(`/api/v1/UserStories?take=1000&include=[Id]&${order}`)).toEqual(expected);
  });

  it('pages by 25, at most by 1000, and links back and forth over every item once', async () => {
    const all = await ids(`select id from general where entity_type_id = 4 and ${live} order by id desc`);
    const seen: number[] = [];
    let path: string | undefined = `/api/v1/userstorys?format=json&include=[Id]&${where('Id gt 0')}`;
    let pages = 0;
    let last = '';
    while (path) {
      const page: { Items: { Id: number }[]; Next?: string } = await app.json(path);
      seen.push(...page.Items.map((item) => item.Id));
      pages += 1;
      last = path;
      path = page.Next?.replace(app.base, '');
    }
    expect(seen).toEqual(all);
    expect(pages).toBe(Math.ceil(all.length / 25));
    expect(last).toBe(
      `/api/v1/UserStories/?where=Id%20gt%200&include=%5BId%5D&format=json&take=25&skip=${(pages - 1) * 25}`,
    );
    const { Prev } = await app.json(last);
    expect(Prev).toContain(`skip=${(pages - 2) * 25}`);
  });

  it('keeps credentials out of links', async () => {
    const { Token } = await app.json('/api/v1/Authentication');
    const page = await app.json(`/api/v1/UserStories?take=1&token=${encodeURIComponent(Token)}`, { as: 'nobody' });
    expect(page.Next).toBe(`${app.base}/api/v1/UserStories/?format=json&take=1&skip=1`);
  });

  it('lets the page before start no earlier than the first item, and end where this one starts', async () => {
    const page = await app.json('/api/v1/UserStories?take=20&skip=10');
    expect(page.Prev).toMatch(/take=10&skip=0$/);
    expect((await app.ask('/api/v2/Bug?take=20&skip=10')).json.prev).toMatch(/take=10&skip=0$/);
    expect(Object.keys(page)).toEqual(['Prev', 'Next', 'Items']);
    const xml = await parseXml(await app.xml('/api/v1/UserStories?take=2&skip=4'));
    expect(xml.attributes.Prev).toMatch(/take=2&skip=2$/);
    expect(xml.attributes.Next).toMatch(/take=2&skip=6$/);
  });

  it('treats more than 1000 as 1000 and takes 0 for an empty page', async () => {
    const page = await app.json('/api/v1/Generals?take=5000&include=[Id]');
    expect(page.Items).toHaveLength(1000);
    expect(page.Next).toMatch(/take=1000&skip=1000$/);
    expect(await app.json('/api/v1/Generals?take=0')).toEqual({ Items: [] });
    expect(await app.json('/api/v1/Generals?skip=1000000')).toMatchObject({ Items: [] });
  });

  it.each([
    'take=-1',
    'take=1.5',
    'take=abc',
    'take=1e3',
    'skip=-1',
    'skip=9223372036854775808',
    'take=1&take=2',
    'take=5&TAKE=6',
    'where[]=x',
    'were=x',
    'inlcude=[Id]',
    'format=yaml',
  ])('refuses %s', async (query) => expect((await app.ask(`/api/v1/UserStories?${query}`)).status).toBe(400));

  it('ignores parameters that are none of its own', async () => {
    expect(await app.items('/api/v1/UserStories?take=1&_=123&callback=cb&v=2')).toHaveLength(1);
  });
});

describe('endpoints', () => {
  it('answers Generals and Assignables by their base type', async () => {
    const [row] = await app.rows(`select id, name from general where entity_type_id = 8 and ${live} limit 1`);
    expect(await app.json(`/api/v1/Generals/${row.id}?include=[Id,Name,EntityType]`)).toEqual({
      ResourceType: 'General',
      Id: row.id,
      Name: row.name,
      EntityType: { ResourceType: 'EntityType', Id: 8, Name: 'Bug' },
    });
    expect(await app.json(`/api/v1/assignables/${row.id}?include=[TimeRemain,RoleEfforts]&format=json`)).toMatchObject({
      ResourceType: 'Assignable',
      Id: row.id,
      TimeRemain: expect.any(Number),
      RoleEfforts: { Items: expect.any(Array) },
    });
    expect((await app.ask(`/api/v1/UserStories/${row.id}`)).status).toBe(404);
  });

  it('answers the assignments of an entity with their role and user', async () => {
    const [row] = await app.rows(
      'select a.assignable_id id, g.entity_type_id from assignment a join general g on g.id = a.assignable_id where g.entity_type_id = 4 and g.delete_date is null limit 1',
    );
    const items = await app.items(
      `/api/v1/UserStories/${row.id}/Assignments?include=[Role[Name],GeneralUser[FirstName,LastName]]`,
    );
    const rows = await app.rows(
      `select a.id, r.id role_id, r.name role, u.id user_id, u.first_name, u.last_name from assignment a
      join role r on r.id = a.role_id join general_user u on u.id = a.general_user_id where a.assignable_id = $1 order by u.id, a.id`,
      [row.id],
    );
    expect(items).toEqual(
      rows.map((one) => ({
        ResourceType: 'Assignment',
        Id: one.id,
        GeneralUser: { ResourceType: 'User', Id: one.user_id, FirstName: one.first_name, LastName: one.last_name },
        Role: { ResourceType: 'Role', Id: one.role_id, Name: one.role },
      })),
    );
  });

  it('filters, orders, includes and pages inner collections', async () => {
    const [row] = await app.rows(
      `select project_id id from general where entity_type_id = 4 and ${live} group by 1 order by count(*) desc limit 1`,
    );
    const got = await listed(
      `/api/v1/Projects/${row.id}/UserStories?take=5&skip=1&orderBy=Name&${where('Effort gt 0')}&include=[Id]`,
    );
    expect(got).toEqual(
      await ids(
        `select id from general where entity_type_id = 4 and ${live} and project_id = $1 and effort > 0 order by name, id limit 5 offset 1`,
        [row.id],
      ),
    );
  });

  it.each([
    ['/api/v1/UserStories/999999999/Tasks', 404],
    ['/api/v1/UserStories/99999999999999999999', 404],
    ['/api/v1/UserStories/asd', 400],
    ['/api/v1/UserStories/1;drop', 400],
    ['/api/v1/UserStories/1%00', 400],
    ['/api/v1/UserStories/0x1', 400],
    ['/api/v1/Foobars', 404],
    ['/api/v1/__proto__', 404],
    ['/api/v1/constructor/1', 404],
    ['/api/v3/UserStories', 404],
  ])('%s is %i', async (path, status) => {
    const answer = await app.ask(`${path}?format=json`);
    expect([answer.status, answer.json.ErrorId]).toEqual([status, expect.any(String)]);
  });

  it('refuses an unknown inner collection with a suggestion', async () => {
    const answer = await app.ask('/api/v1/UserStories/1/Taks?format=json');
    expect(answer.json.Message).toContain("Did you mean 'Tasks'?");
  });

  it.each([
    ['GET', 'Project'],
    ['GET', 'name'],
    ['POST', 'Project'],
    ['DELETE', 'Owner/1'],
  ])('says of a field that it is no collection: %s …/%s', async (method, path) => {
    const body = method === 'POST' ? '{"Id":1}' : undefined;
    const headers = { 'content-type': 'application/json' };
    const answer = await app.ask(`/api/v1/UserStories/1/${path}?format=json`, { method, body, headers });
    expect([answer.status, answer.json.Message]).toEqual([
      400,
      expect.stringContaining("of 'UserStory' is no collection"),
    ]);
  });

  it('finds releases of a project in all their projects, and lists them under the first only', async () => {
    const [shared] =
      await app.rows(`select r.id, r.project_id first, array_agg(l.project_id) projects from general r join release_project l on l.release_id = r.id
      where r.entity_type_id = 2 and r.${live} group by r.id having count(*) > 1 limit 1`);
    for (const project of shared.projects) {
      expect(
        await listed(`/api/v1/Releases?include=[Name,Projects]&take=1000&${where(`(Projects.ID eq ${project})`)}`),
      ).toContain(shared.id);
    }
    const projects = await app.items('/api/v1/Projects?include=[Name,Releases]&take=1000&innerTake=1000');
    const holders = projects.filter((project) =>
      project.Releases.Items.some((release: { Id: number }) => release.Id === shared.id),
    );
    expect(holders.map((project) => project.Id)).toEqual([shared.first]);
    const [release] = await app.items(
      `/api/v1/Releases?include=[Projects]&append=[Iterations-Count,TeamIterations-Count]&${where(`Id eq ${shared.id}`)}`,
    );
    expect(release.Projects.Items.map((project: { Id: number }) => project.Id).sort()).toEqual(shared.projects.sort());
    expect(release['Iterations-Count']).toEqual(expect.any(Number));
  });

  it('lists entities assigned to a team', async () => {
    const [team] =
      await app.rows(`select t.name, t.id from general t join team_assignment a on a.team_id = t.id join general g on g.id = a.assignable_id
      where g.entity_type_id = 9 and g.${live} limit 1`);
    const items = await app.items(
      `/api/v1/TeamAssignments?take=1000&include=[Assignable[ID,Name,AssignedTeams[Team]]]&${where(`(Team.Name eq "${team.name}") and (Assignable.EntityType.Name eq "Feature")`)}`,
    );
    const expected = await ids(
      `select a.id from team_assignment a join general g on g.id = a.assignable_id where a.team_id = $1 and g.entity_type_id = 9 and g.${live} order by a.id`,
      [team.id],
    );
    expect(items.map((item) => item.Id)).toEqual(expected);
    for (const item of items) {
      expect(item.Assignable.AssignedTeams.Items.map((one: { Team: { Id: number } }) => one.Team.Id)).toContain(
        team.id,
      );
    }
  });

  it('tells who is logged in', async () => {
    const me = await app.json('/api/v1/Users/LoggedUser?include=[Id,Login,IsAdministrator]');
    expect(me).toEqual({ ResourceType: 'User', Id: 1, Login: 'admin', IsAdministrator: true });
    expect((await parseXml(await app.xml('/api/v1/users/loggeduser/'))).name).toBe('User');
  });

  it('answers PUT, PATCH and what a resource does not offer with 405 and Allow', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/v1/UserStories/1', 'GET, HEAD, POST, DELETE'],
      ['PUT', '/api/v1/UserStories/bulk', 'POST, DELETE'],
      ['DELETE', '/api/v1/UserStories/1/AssignedUser?childrenIds=3', 'GET, HEAD'],
      ['PATCH', '/api/v1/UserStories', 'GET, HEAD, POST'],
      ['POST', '/api/v1/EntityTypes', 'GET, HEAD'],
      ['DELETE', '/api/v1/EntityTypes/4', 'GET, HEAD'],
    ] as const) {
      const answer = await app.ask(path, {
        method,
        body: method === 'POST' ? '{}' : undefined,
        headers: method === 'POST' ? { 'content-type': 'application/json' } : {},
      });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    }
  });
});
