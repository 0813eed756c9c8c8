/**
 * Names that every object of JavaScript has, wherever a client writes a name or chooses among words: they are known
 * nowhere, and no request with one fails. Rows B26, B27 and B32 of the list of hostile requests.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';
import { messageOf } from '../support/refusal.js';
import { inParallel } from '../support/sweep.js';

const names = ['constructor', '__proto__', 'toString'];

let app: TestApp;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  [{ Id: story }] = await app.items('/api/v1/UserStories?take=1');
});
afterAll(() => app.stop());

type Asked = { path: string; method?: string; body?: string };

/** None fails, and what is refused is refused in words, pages aside. */
async function allAnswered(requests: readonly Asked[]): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  await inParallel(
    [...requests],
    async ({ path, method, body }) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await app.ask(path, { method, ...(body !== undefined && { body: Buffer.from(body), headers }) });
      const asked = `${method ?? 'GET'} ${path} ${body ?? ''}`;
      expect(`${answer.status} ${asked}`).toMatch(/^[234]/);
      const isPage = answer.headers.get('content-type')?.startsWith('text/html');
      if (answer.status >= 400 && !isPage) await messageOf(answer);
      statuses.set(asked, answer.status);
      // As many whole lists as one user may ask for at once.
    },
    2,
  );
  return statuses;
}

interface Operation {
  parameters?: { $ref?: string; name?: string }[];
}

/** One address of each version and length for each parameter of the description of the API. */
async function described(): Promise<Asked[]> {
  const { paths, components } = (await app.ask('/api/openapi.json')).json;
  const chosen = new Map<string, Asked[]>();
  for (const [path, operations] of Object.entries<Record<string, Operation>>(paths))
    for (const [method, { parameters = [] }] of Object.entries(operations).filter(([key]) => key !== 'parameters'))
      for (const { $ref, ...own } of parameters) {
        const one = $ref ? components.parameters[$ref.split('/').at(-1)!] : own;
        if (one.in === 'header') continue;
        const segments = path.split('/');
        const key = [method, one.in, one.name, segments.slice(0, 3).join('/'), segments.length].join(' ');
        const requests = names.map((name) => {
          const filled = path.replace(/\{(\w+)\}/g, (_, part) => (part === one.name ? name : '1'));
          const query = one.in === 'query' ? `?${one.name}=${name}` : '';
          return { path: filled + query, method: method.toUpperCase(), ...(method === 'post' && { body: '{}' }) };
        });
        if (!chosen.has(key)) chosen.set(key, requests);
      }
  return [...chosen.values()].flat();
}

it('as the value of every parameter, and in every place of a path', async () => {
  const requests = await described();
  expect(requests.length).toBeGreaterThan(100);
  await allAnswered(requests);
});

describe('in lists', () => {
  const styles = ['json', 'xml', 'csv', 'ndjson'].map((format) => `format=${format}`);

  it('as the style of their dates', async () => {
    const paths = ['Bugs', 'Bugs/1', `UserStories/${story}/Tasks`].flatMap((path) =>
      styles.flatMap((style) => names.map((name) => ({ path: `/api/v1/${path}?${style}&dateformat=${name}` }))),
    );
    const refused = await allAnswered([...paths, ...names.map((name) => ({ path: `/api/v2/Bug?dateformat=${name}` }))]);
    for (const [asked, status] of refused)
      if (!/xml|Bugs\/1/.test(asked)) expect([asked, status]).toEqual([asked, 400]);
    for (const name of names) {
      const refusal = await app.ask(`/api/v1/Bugs?format=json&dateformat=${name}`);
      expect(await messageOf(refusal)).toBe("dateformat: use 'iso' or 'ms'.");
    }
  });

  it.each<[1 | 2, string[]]>([
    [
      1,
      [
        ...['where=NAME eq 1', 'where=Project.NAME eq 1', 'where=NAME.Name eq 1', "where=CustomFields.NAME eq 'x'"],
        ...['where=Name NAME 1', 'where=Name is NAME', 'where=Id eq NAME', 'where=CreateDate gt NAME', 'where=NAME'],
        ...['where=EntityType.Name eq "NAME"', "where=Name contains 'NAME'", "where=Tags contains 'NAME'"],
        ...['include=[NAME]', 'include=[Project[NAME]]', 'include=[NAME[Id]]', 'exclude=[NAME]', 'append=[NAME]'],
        ...['append=[Tasks-NAME]', 'append=[Tasks-Effort-NAME]', 'append=[NAME-Count]', 'append=[Tasks-NAME-Sum]'],
        ...['orderBy=NAME', 'orderBy=Project.NAME', 'orderByDesc=NAME', 'orderBy=CustomFields.NAME', 'NAME=1'],
      ],
    ],
    [
      2,
      [
        ...['where=NAME==1', 'where=NAME', 'where=NAME()', 'where=NAME(1)', 'where=name.NAME', 'where=name.NAME(1)'],
        ...[
          'where=project.NAME==1',
          'where=NAME.name==1',
          'where=tasks.NAME()',
          'where=tasks.NAME(name)',
          'where=1 NAME 2',
        ],
        ...['where=it.as<NAME>.name==null', 'where=Math.NAME(1)==1', 'where=NAME.Abs(1)==1', 'where=Convert.NAME(1)'],
        ...[
          'where=createDate.NAME==1',
          "where=createDate.ToString('NAME')=='x'",
          "where=DateTime.NAME('x')",
          'where=Me.NAME',
        ],
        ...[
          "where=CustomValues['NAME']=='x'",
          "where=CustomValues.Text('NAME')=='x'",
          "where=CustomValues.Get('NAME')==1",
        ],
        ...['where=CustomValues.NAME==1', "where=CustomValues.NAME('x')==1", "where=GetCustomValueString('NAME')=='x'"],
        ...['select={NAME}', 'select={NAME:name}', 'select={name as NAME}', 'select={NAME:{NAME:id}}', 'select=NAME'],
        ...['select={NAME:tasks.select({NAME:id})}', 'select={NAME:tasks.NAME}', 'result={NAME:count}', 'result=NAME'],
        ...[
          'groupBy=NAME',
          'groupBy=NAME:name&result={count}',
          'groupBy={NAME:entityState.name}',
          'orderBy=NAME',
          'orderBy=name NAME',
        ],
        ...['filter=NAME', 'filter=?NAME', 'NAME=1', 'take=NAME', 'isoDate=NAME'],
      ],
    ],
  ])('of version %i, in every place of a parameter', async (version, texts) => {
    const requests = texts.flatMap((text) =>
      names.flatMap((name) => {
        const query = text
          .replaceAll('NAME', name)
          .replace(/=(.*?)(?=$|&(?=\w+=))/g, (_, value) => `=${encodeURIComponent(value)}`);
        const of = ['format=json', 'format=csv'];
        return of.map((style) => ({
          path: `/api/v${version}/${version === 1 ? 'UserStories' : 'UserStory'}?${query}&${style}`,
        }));
      }),
    );
    const statuses = await allAnswered(requests);
    expect(new Set(statuses.values())).toEqual(new Set([200, 400]));
  });
});

it('as the names of custom fields and processes, which are like others', async () => {
  for (const Name of names) {
    const made = async (collection: string, body: object): Promise<number> => {
      const { status, json } = await app.post(`/api/v1/${collection}?format=json`, body);
      expect(status).toBe(201);
      return json.Id;
    };
    const Process = { Id: await made('Processes', { Name }) };
    const list = { Value: 'High\nLow', FieldType: 'DropDown', EntityType: { Id: 4 }, Process };
    await made('CustomFields', { Name, ...list });
    const Project = { Id: await made('Projects', { Name, Process }) };
    const CustomFields = [{ Name, Value: 'high' }];
    const id = await made('UserStories', { Name, Project, CustomFields });
    const none = await made('UserStories', { Name, Project });
    const shown = { Name, Type: 'DropDown', Value: 'High' };
    expect((await app.json(`/api/v1/UserStories/${id}`)).CustomFields).toEqual([shown]);
    const ids = async (path: string) => (await app.items(`/api/v1/UserStories?${path}`)).map(({ Id }) => Id);
    expect(await ids(`where=CustomFields.${Name} eq 'high' and Project.Id eq ${Project.Id}`)).toEqual([id]);
    expect(await ids(`where=CustomFields.${Name} is null and Project.Id eq ${Project.Id}`)).toEqual([none]);
    const [first] = (await app.ask(`/api/v2/UserStory?where=CustomValues.${Name}=='High'&select={${Name}}`)).json.items;
    expect(Object.entries(first)).toEqual([[Name, 'High']]);
  }
  const agent = await Agent.http(app.base, { authorization: basic('admin') });
  const { states } = await agent.use('describe', { kind: 'UserStory' });
  await agent.close();
  expect(Object.keys(states)).toEqual(expect.arrayContaining(names));
});
