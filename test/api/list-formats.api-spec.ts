/** Lists in CSV, and whole lists with an item on each line. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBounds } from '../../src/http/whole-list.js';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

describe('CSV', () => {
  it.each([
    ['format=csv', {}],
    ['', { accept: 'text/csv' }],
  ])('is a page with a header of paths: %s', async (format, headers) => {
    const path = `/api/v1/Bugs?include=[Name,Severity[Name],Effort]&take=2&${format}`;
    const { status, text, headers: answered } = await app.ask(path, { headers: headers as Record<string, string> });
    const bugs = await app.items('/api/v1/Bugs?include=[Name,Severity[Name],Effort]&take=2');
    expect([status, answered.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(answered.get('link')).toMatch(/^<http.*take=2&skip=2>; rel="next"$/);
    const rows = bugs.map(
      ({ Id, Name, Effort, Severity }) =>
        `${Id},"${Name.replaceAll('"', '""')}",${Effort.toFixed(4)},${Severity.Id},"${Severity.Name}"`,
    );
    expect(text).toBe(
      `"Id","Name","Effort","Severity.Id","Severity.Name"\r\n${rows.map((row) => `${row}\r\n`).join('')}`,
    );
  });

  it('has default fields, custom fields and dates with the offset', async () => {
    const { text } = await app.ask('/api/v1/UserStories?format=csv&take=1');
    const [header, row] = text.split('\r\n');
    expect(header).toContain('"CreateDate"');
    expect(header).toContain('"CustomFields.Risk"');
    expect(row).toMatch(/"\d{4}-\d\d-\d\dT[\d:.]+\+00:00"/);
  });

  it('has the same header on every page, also on an empty one', async () => {
    const header = async (more: string) =>
      (await app.ask(`/api/v1/UserStories?format=csv&${more}`)).text.split('\r\n')[0];
    expect(await header('take=1&skip=3')).toBe(await header('where=Id eq 0'));
  });

  it('has inner collections, and collections as lines of a cell', async () => {
    const [story] = await app.items('/api/v1/UserStories?include=[Tasks]&where=Tasks.Id gt 0&take=1');
    const one = await app.ask(`/api/v1/UserStories?format=csv&include=[Tasks[Name]]&where=Id eq ${story.Id}`);
    const tasks = story.Tasks.Items.map((task: { Id: number; Name: string }) => `${task.Id} ${task.Name}`);
    expect(one.text).toBe(`"Id","Tasks"\r\n${story.Id},"${tasks.join('\n')}"\r\n`);
    const inner = await app.ask(`/api/v1/UserStories/${story.Id}/Tasks?format=csv&include=[Id]&orderBy=Id`);
    const ids = story.Tasks.Items.map((task: { Id: number }) => task.Id).sort((a: number, b: number) => a - b);
    expect(inner.text).toBe(`"Id"\r\n${ids.map((id: number) => `${id}\r\n`).join('')}`);
  });

  it('is a page of version 2, too, with the columns that its items have', async () => {
    const { text, headers } = await app.ask('/api/v2/Bug?select={id,name,severity:{severity.name}}&take=2&format=csv');
    const { items } = (await app.ask('/api/v2/Bug?select={id,name,severity:{severity.name}}&take=2')).json;
    const rows = items.map((one: { id: number; name: string; severity: { name: string } }) => {
      return `${one.id},"${one.name.replaceAll('"', '""')}","${one.severity.name}"\r\n`;
    });
    expect(text).toBe(`"id","name","severity.name"\r\n${rows.join('')}`);
    expect([headers.get('content-type'), headers.get('link')]).toEqual([
      'text/csv; charset=utf-8; header=present',
      expect.stringMatching(/rel="next"$/),
    ]);
  });

  it('of version 2 leads to pages in the same format, with dates as in version 1', async () => {
    const first = await app.ask('/api/v2/Bug?select={createDate}&take=1&format=csv&orderBy=id');
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link')!)!;
    const second = await app.ask(next!.slice(next!.indexOf('/api/')));
    expect(second.headers.get('content-type')).toContain('text/csv');
    const old = await app.ask('/api/v1/Bugs?include=[CreateDate]&take=1&format=csv&orderBy=Id&skip=1');
    const dateIn = (text: string) => text.split('\r\n')[1]!.split(',').at(-1);
    expect(dateIn(second.text)).toMatch(/^"?\d{4}-\d\d-\d\dT/);
    expect(dateIn(second.text)).toBe(dateIn(old.text));
  });

  it('leads on alone where links are long, in both versions', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => at + 100_000);
    for (const path of [
      `/api/v1/Bugs?include=[Id]&where=(Id not in (${ids}))`,
      `/api/v2/Bug?select={id}&where=(not(id in [${ids.slice(0, 300)}]))`,
    ]) {
      const { status, headers } = await app.ask(`${path}&format=csv&take=1&skip=1`);
      expect([status, headers.get('link')]).toEqual([200, expect.stringMatching(/^<[^>]+take=1&skip=2>; rel="next"$/)]);
      const next = headers.get('link')!.replace(/^<|>.*$/g, '');
      expect((await app.ask(next.slice(next.indexOf('/api/')))).status).toBe(200);
    }
    const short = await app.ask('/api/v1/Bugs?include=[Id]&format=csv&take=1&skip=1');
    expect(short.headers.get('link')).toMatch(/rel="next", <[^>]+>; rel="prev"$/);
  });

  it('is a table of whole items and of groups of version 2', async () => {
    const whole = await app.ask('/api/v2/UserStory?take=3', { headers: { accept: 'text/csv' } });
    expect(whole.text).toMatch(/^"resourceType","id","name",.*"project\.name".*"customValues\.customFields\.Risk"/);
    const groups = await app.ask('/api/v2/Bug?groupBy=severity:severity.name&result={count}&format=csv');
    expect(groups.text).toMatch(/^"severity","count"\r\n"/);
    expect((await app.ask('/api/v2/Bug?result=count()&format=csv')).status).toBe(400);
  });

  it.each([
    ['{id,resourceType:name,x:{resourceType:name}}', '"id","resourceType","x.resourceType"'],
    ['{customFields:tasks.select({id,name}),y:1}', '"customFields","y"'],
    ['{x:{items:tasks.select(id),y:1},z:{items:1}}', '"x.items","x.y","z.items"'],
    ['{tasks,x:customValues}', /^"tasks","x\.customFields\.\w+"/],
  ])('of version 2 shows members by the names that JSON has: %s', async (select, header) => {
    const { text } = await app.ask(`/api/v2/UserStory?where=(tasks.count()>0)&take=2&format=csv&select=${select}`);
    if (typeof header === 'string') expect(text.split('\r\n')[0]).toBe(header);
    else expect(text).toMatch(header);
  });

  it('of version 2 shows the kinds of the items of a cell by the names that they were given', async () => {
    const path = '/api/v2/UserStory?where=(tasks.count()>0)&take=1&select={a:tasks.select({resourceType:name})}';
    const [{ a }] = (await app.ask(path)).json.items;
    const names = a.map(({ resourceType }: { resourceType: string }) => resourceType).join('\n');
    expect((await app.ask(`${path}&format=csv`)).text).toBe(`"a"\r\n"${names}"\r\n`);
  });

  it.each([
    ['/api/v1/UserStories?format=csv&take=1', 'UserStories'],
    ['/api/v1/userstorys/?format=csv&include=[Name]', 'UserStories'],
    ['/api/v1/Projects/8/Bugs?format=csv&take=1', 'Bugs'],
    ['/api/v2/Bug?format=csv&take=1', 'Bugs'],
    ['/api/v2/Bug?format=csv&groupBy=name', 'Bugs'],
    ['/api/history/v2/UserStory?format=csv&take=1', 'UserStoryHistories'],
    ['/api/v1/UserStories?format=csv&include=[Nmae]', undefined],
    ['/api/v1/UserStories?format=json&take=1', undefined],
    ['/api/v2/Bug?take=1', undefined],
  ])('is saved by browsers as a file named after its collection: %s', async (path, name) => {
    const { headers } = await app.ask(path);
    expect(headers.get('content-disposition')).toBe(name === undefined ? null : `attachment; filename="${name}.csv"`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is a row of one entity of version 2, which is a list of one there', async () => {
    const [id] = (await app.ask('/api/v2/Bug?select=id&take=1')).json.items;
    for (const [asked, headers] of [['&format=csv'], ['', { accept: 'text/csv' }]] as const) {
      const answer = await app.ask(`/api/v2/Bug/${id}?select={id,a:1}${asked}`, { headers });
      expect([answer.text, answer.headers.get('link')]).toEqual([`"id","a"\r\n${id},1\r\n`, null]);
      const missing = await app.ask(`/api/v2/Bug/${id}9999${asked && `?${asked}`}`, { headers });
      expect([missing.status, missing.json.Status]).toEqual([404, 'NotFound']);
    }
    const body = 'select={id}&format=csv';
    const sent = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await app.ask(`/api/v2/Bug/${id}`, { method: 'POST', body, headers: sent })).text).toBe(
      `"id"\r\n${id}\r\n`,
    );
  });

  it('refuses in JSON, and answers one entity of version 1 in JSON', async () => {
    const refused = await app.ask('/api/v1/Bugs?format=csv&include=[Nmae]');
    expect([refused.status, refused.json.Status]).toEqual([400, 'BadRequest']);
    const [{ Id }] = await app.items('/api/v1/Bugs?take=1&include=[Id]');
    for (const more of ['', '&dateformat=iso', '&isodate=1', '&dateformat=ms']) {
      const { text } = await app.ask(`/api/v1/Bugs/${Id}?format=json${more}`);
      for (const format of ['csv', 'ndjson'])
        expect([format, more, (await app.ask(`/api/v1/Bugs/${Id}?format=${format}${more}`)).text]).toEqual([
          format,
          more,
          text,
        ]);
    }
  });
});

describe('ndjson', () => {
  it.each([
    ['format=ndjson', {}],
    ['', { accept: 'application/x-ndjson' }],
  ])('is all of a list in the order of Ids: %s', async (format, headers) => {
    const { text, headers: answered } = await app.ask(`/api/v1/Generals?include=[Id,Name]&${format}`, {
      headers: headers as Record<string, string>,
    });
    expect(answered.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const all = await app.items('/api/v1/Generals?include=[Id,Name]&orderBy=Id&take=1000');
    const rest = await app.items('/api/v1/Generals?include=[Id,Name]&orderBy=Id&take=1000&skip=1000');
    expect(linesOf(text).map((line) => JSON.parse(line))).toEqual([...all, ...rest]);
  });

  it('goes on behind an Id', async () => {
    const ids = async (where: string) =>
      linesOf((await app.ask(`/api/v1/Comments?format=ndjson&include=[Id]&where=${where}`)).text).map(
        (line) => JSON.parse(line).Id,
      );
    const all = await ids('Id gt 0');
    expect(all.length).toBeGreaterThan(10);
    expect(await ids(`Id gt ${all[4]}`)).toEqual(all.slice(5));
  });

  it('shows each caller what that one sees', async () => {
    const seen = async (as: string, format: string, rest = '') =>
      (await app.ask(`/api/v1/UserStories?include=[Id]&format=${format}${rest}`, { as })).text;
    const { Items } = JSON.parse(await seen('alice', 'json', '&take=1000&orderBy=Id'));
    const lines = linesOf(await seen('alice', 'ndjson')).map((line) => JSON.parse(line));
    expect(lines).toEqual(Items);
    const rows = (await seen('alice', 'csv', '&take=1000&orderBy=Id')).split('\r\n').slice(1, -1);
    expect(rows).toEqual(Items.map(({ Id }: { Id: number }) => String(Id)));
    expect(lines.length).toBeLessThan(linesOf(await seen('admin', 'ndjson')).length);
  });

  it.each([
    ['whole items', '', ''],
    [
      'what is selected, behind the Id',
      '&select={name,tasks:tasks.select({id,effort})}',
      '&select={id,name,tasks:tasks.select({id,effort})}',
    ],
    ['an Id that is selected, before all else', '&select={name,id}&dateformat=iso', '&select={id,name}&dateformat=iso'],
    [
      'those that a filter leaves',
      '&where=entityState.isFinal==true and tasks.count()>0&select={id}',
      '&where=entityState.isFinal==true and tasks.count()>0&select={id}',
    ],
    ['deleted ones, too', '&includeDeleted=true&select={id}', '&includeDeleted=true&select={id}'],
  ])('is all of a list of version 2: %s', async (_, asked, shown) => {
    const { text, headers } = await app.ask(`/api/v2/UserStory?format=ndjson${asked}`);
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const { items, next } = (await app.ask(`/api/v2/UserStory?orderBy=id&take=1000${shown}`)).json;
    expect([items.length > 10, next]).toEqual([true, undefined]);
    const lines = linesOf(text);
    expect(lines.map((line) => JSON.parse(line))).toEqual(items);
    for (const line of lines) expect(line).toMatch(/^\{("resourceType":"UserStory",)?"id":\d+[,}]/);
  });

  it('is one line of one entity of version 2', async () => {
    const [id] = (await app.ask('/api/v2/Bug?select=id&take=1')).json.items;
    const { text, headers } = await app.ask(`/api/v2/Bug/${id}?select={a:1}&format=ndjson`);
    expect([text, headers.get('content-type')]).toEqual([
      `{"id":${id},"a":1}\n`,
      'application/x-ndjson; charset=utf-8',
    ]);
    const missing = await app.ask(`/api/v2/Bug/${id}9999?format=ndjson`);
    expect([missing.status, missing.json.Status]).toEqual([404, 'NotFound']);
  });

  it('goes on behind an id of version 2, by a form, too, as far as the caller sees', async () => {
    const ids = async (where: string, as = 'alice') => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/x-ndjson' };
      const body = new URLSearchParams({ where, select: '{name}' }).toString();
      const { text } = await app.ask('/api/v2/General', { method: 'POST', body, headers, as });
      return linesOf(text).map((line): number => JSON.parse(line).id);
    };
    const all = await ids('id>0');
    const { items } = (await app.ask('/api/v2/General?select={id}&orderBy=id&take=1000', { as: 'alice' })).json;
    expect(all.slice(0, 1000)).toEqual(items.map(({ id }: { id: number }) => id));
    expect(await ids(`id>${all[700]}`)).toEqual(all.slice(701));
    expect(all.length).toBeLessThan((await ids('id>0', 'admin')).length);
  });

  it.each([
    '/api/v1/Tags?format=ndjson&',
    '/api/v2/Tag?format=ndjson&select={id}&',
  ])('%s takes skip=0 and empty parameters as none', async (path) => {
    const { text } = await app.ask(path);
    expect(linesOf(text).length).toBeGreaterThan(1);
    for (const none of ['skip=0', 'skip=', 'orderBy=']) expect((await app.ask(path + none)).text).toBe(text);
    expect((await app.ask(`${path}skip=1`)).status).toBe(400);
  });

  it('is empty for an empty list', async () => {
    const { status, text } = await app.ask('/api/v1/Bugs?format=ndjson&where=Id eq 0');
    expect([status, text]).toEqual([200, '']);
  });

  it.each([
    ['/api/v1/Bugs?format=ndjson&orderBy=Name', 'order of their Ids'],
    ['/api/v1/Bugs?format=ndjson&skip=5', 'where=(Id gt 5)'],
    ['/api/v1/InboundAssignables?format=ndjson', 'no order of Ids'],
    ['/api/v1/UserStories/1/Tasks?format=ndjson', 'Ask for /Tasks'],
    ['/api/v1/Bugs?format=ndjson&include=[Nmae]', 'Nmae'],
    ['/api/v2/Bug?format=ndjson&orderBy=name', 'Leave orderBy out'],
    ['/api/v2/Bug?format=ndjson&orderByDesc=name', 'Leave orderByDesc out'],
    ['/api/v2/Bug?format=ndjson&skip=5', 'where=(id>5)'],
    ['/api/v2/Bug?format=ndjson&result=count()', 'Leave result and groupBy out'],
    ['/api/v2/Bug?format=ndjson&groupBy=name', 'Leave result and groupBy out'],
    ['/api/v2/Bug?format=ndjson&prettify', 'Leave prettify out'],
    ['/api/v2/Bug?format=ndjson&select=project', 'select={id,name}'],
    ['/api/v2/Bug?format=ndjson&select={id:name}', 'another name'],
    ['/api/v2/Bug?format=ndjson&select={nmae}', 'nmae'],
    ['/api/v2/OutboundAssignable?format=ndjson', 'no order of Ids'],
  ])('%s is refused', async (path, words) => {
    const { status, json } = await app.ask(path);
    expect([status, json.Message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('is open to a few at once, and to others when these are gone', { timeout: 120_000 }, async () => {
    const leaving = new AbortController();
    const open = () =>
      fetch(`${app.base}/api/v1/Generals?format=ndjson&access_token=${token}`, { signal: leaving.signal });
    const { Token: token } = await app.write('AccessTokens', { Name: 'streams' });
    // Longer than what fits into the buffers of a connection.
    await app.rows(
      `update general set description = repeat('x', 100000) where id in (select id from general where entity_type_id = 4 order by id limit 200)`,
    );
    const answers = await Promise.all(Array.from({ length: listBounds.ofUser }, open));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const refused = await open();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    leaving.abort();
    await eventually(async () => {
      const { status } = await app.ask('/api/v1/Terms?format=ndjson');
      expect(status).toBe(200);
    }, 30_000);
  });

  it('is cut off when something goes wrong in the middle', async () => {
    await app.rows(
      'create or replace function fail_at(id bigint) returns boolean language plpgsql as $$ begin if id > 900 then raise exception $x$no$x$; end if; return true; end $$',
    );
    await app.rows('alter table general rename to general_rows');
    await app.rows('create view general as select * from general_rows where fail_at(id)');
    const { token } = await app.json('/api/v1/Authentication').then(({ Token }) => ({ token: Token }));
    const answer = await fetch(`${app.base}/api/v1/Generals?format=ndjson&include=[Id]&token=${token}`);
    const pieces: Uint8Array[] = [];
    const reading = (async () => {
      for await (const piece of answer.body!) pieces.push(piece);
    })();
    await expect(reading).rejects.toThrow();
    expect(answer.status).toBe(200);
    expect(JSON.parse(linesOf(Buffer.concat(pieces).toString())[0]!).Id).toBe(1);
    await app.rows('drop view general');
    await app.rows('alter table general_rows rename to general');
  });
});
