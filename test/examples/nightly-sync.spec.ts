/**
 * The nightly sync of `examples/`: it prints every change, also those that move no date, and its copy is what the
 * service shows.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TestApp } from '../support/app.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { Example, languages, type Ran, tokenOf } from './example.js';

vi.setConfig({ testTimeout: 120_000 });

const collections = ['UserStories', 'Bugs', 'Assignments', 'RoleEfforts', 'Times', 'Comments'];

/** Items by collection and Id, such as `Times 7`. */
type Items = Map<string, unknown>;
type Item = { Id: number };

let app: TestApp;
let proxy: CuttingProxy;
let token: string;
beforeAll(async () => {
  app = await TestApp.start();
  // Fewer pages say as much, but for times, of which there are three.
  await app.rows('delete from role_effort where id % 20 > 0');
  await app.rows('delete from assignment where id % 8 > 0');
  await app.rows('delete from comment where id % 4 > 0');
  // A database that was just copied has no statistics yet.
  await app.rows('analyze');
  proxy = await CuttingProxy.to(app.base);
  token = await tokenOf(app, 'admin', { IsReadOnly: true });
});
afterAll(async () => {
  await proxy.stop();
  await app.stop();
});

async function served(): Promise<Items> {
  const items: Items = new Map();
  for (const collection of collections) {
    let page: Item[] = [];
    do {
      page = await app.items(`/api/v1/${collection}?where=Id gt ${page.at(-1)?.Id ?? 0}&orderBy=Id&take=1000`);
      for (const item of page) items.set(`${collection} ${item.Id}`, item);
    } while (page.length > 0);
  }
  return items;
}

/** Of what the item refers to only the Id. */
const own = (item: unknown) =>
  Object.entries(item as object).map(([name, value]) => [name, value?.Id === undefined ? value : value.Id]);

/** What a sync should print. */
function differences(before: Items, after: Items): string[] {
  const isSame = (name: string) => JSON.stringify(own(before.get(name))) === JSON.stringify(own(after.get(name)));
  return [
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) => `new ${name}`),
    ...[...after.keys()].filter((name) => before.has(name) && !isSame(name)).map((name) => `changed ${name}`),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => `deleted ${name}`),
  ];
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** How each language keeps its copy. */
const copies: Record<string, (copy: string) => Items> = {
  sh: (copy) => {
    const lines = collections.flatMap((collection) =>
      readFileSync(join(copy, `${collection}.tsv`), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => [collection, ...line.split('\t')] as [string, string, string]),
    );
    return new Map(lines.map(([collection, id, text]) => [`${collection} ${id}`, JSON.parse(text)]));
  },
  py: (copy) => {
    const rows = `import json, sqlite3
for row in sqlite3.connect("${copy}").execute("select collection, id, text from item"): print(json.dumps(row))`;
    const lines = linesOf(execFileSync('python3', ['-c', rows], { encoding: 'utf8', maxBuffer: 2 ** 28 }));
    return new Map(lines.map(([collection, id, text]) => [`${collection} ${id}`, JSON.parse(text)]));
  },
  mts: (copy) => {
    const items: Items = new Map();
    for (const { collection, id, item } of linesOf(readFileSync(copy, 'utf8')))
      if (item) items.set(`${collection} ${id}`, item);
      else if (id) items.delete(`${collection} ${id}`);
    return items;
  },
};

const sorted = (items: Items) => [...items].sort(([a], [b]) => (a < b ? -1 : 1));

const first = async (collection: string, where: string): Promise<number> =>
  (await app.items(`/api/v1/${collection}?where=${encodeURIComponent(where)}&orderBy=Id&take=1`))[0].Id;

async function post(path: string, body: object): Promise<number> {
  const answer = await app.post(`/api/v1/${path}?format=json`, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json.Id;
}

const remove = async (path: string) =>
  expect((await app.ask(`/api/v1/${path}`, { method: 'DELETE' })).status).toBe(200);

/** Changes of every sort; gives what must be printed of them. */
async function work(): Promise<string[]> {
  const [story, another] = (await app.items('/api/v1/UserStories?where=Comments is not null&take=2')).map(
    ({ Id }) => Id,
  );
  const bug = await first('Bugs', 'Id gt 0');
  const [assignment, effort] = [await first('Assignments', 'Id gt 0'), await first('RoleEfforts', 'Id gt 0')];
  const [time, comment] = [
    await first('Times', `Assignable.Id ne ${bug}`),
    await first('Comments', `General.Id eq ${story}`),
  ];
  const estimate = Math.random();
  await post(`UserStories/${another}`, { Name: `renamed ${estimate}` });
  await post(`UserStories/${story}`, { Tags: `synced ${estimate}` });
  await post(`RoleEfforts/${effort}`, { InitialEstimate: 1 + Math.round(estimate * 1000) });
  await post(`Times/${time}`, { Description: `synced ${estimate}` });
  await post(`Comments/${comment}`, { Description: `synced ${estimate}` });
  await remove(`Bugs/${bug}`);
  await remove(`Assignments/${assignment}`);
  const [newTime, newComment] = [
    await post('Times', { Assignable: { Id: another }, Spent: 1 }),
    await post('Comments', { General: { Id: another }, Description: 'new' }),
  ];
  return [
    `changed UserStories ${another}`,
    ...[`changed UserStories ${story}`, `changed RoleEfforts ${effort}`, `changed Times ${time}`],
    ...[`changed Comments ${comment}`, `deleted Bugs ${bug}`, `deleted Assignments ${assignment}`],
    ...[`new Times ${newTime}`, `new Comments ${newComment}`],
  ];
}

/** Breaks the connection within the third page of a collection. */
function withinThirdPage(collection: string): Promise<void> {
  let pages = 0;
  const moment = (from: 'client' | 'server', piece: Buffer): boolean => {
    if (from === 'client' && piece.includes(`/${collection}?`)) pages += 1;
    return from === 'server' && pages === 3;
  };
  return proxy.breakAt(moment, 'cut');
}

/** The requests that come to a collection from now on. */
function requestsTo(collection: string): string[] {
  const requests: string[] = [];
  void proxy.breakAt((from, piece) => {
    if (from === 'client' && piece.includes(`/${collection}?`)) requests.push(piece.toString().split('\r\n', 1)[0]!);
    return false;
  }, 'cut');
  return requests;
}

describe.each(languages)('$name', (language) => {
  let example: Example;
  let copy: string;
  beforeAll(() => {
    example = new Example('nightly-sync', language, token);
    copy = join(example.folder, 'copy');
  });
  afterAll(() => example.remove());

  async function run(url = app.base): Promise<Ran> {
    const ran = await example.run(url, [copy]);
    expect(ran.status, ran.errors).toBe(0);
    return ran;
  }
  const copied = () => sorted(copies[language.suffix]!(copy));

  it.skipIf(!language.isThere)(`copies everything, then prints what has changed, in ${language.name}`, async () => {
    const before = await served();
    expect((await run()).lines.sort()).toEqual([...before.keys()].map((name) => `new ${name}`).sort());
    expect(copied()).toEqual(sorted(before));
    expect((await run()).lines).toEqual([]);
    const changes = await work();
    const after = await served();
    const { lines } = await run();
    expect(lines.sort()).toEqual(differences(before, after).sort());
    expect(lines).toEqual(expect.arrayContaining(changes));
    expect(copied()).toEqual(sorted(after));
  });

  it.skipIf(!language.isThere)(`copies items too long for an answer together, in ${language.name}`, async () => {
    const narrow = await TestApp.start({ MAX_ANSWER_MB: '1' });
    onTestFinished(() => narrow.stop());
    const another = new Example('nightly-sync', language, await tokenOf(narrow, 'admin', { IsReadOnly: true }));
    onTestFinished(() => another.remove());
    for (const kind of ['time', 'role_effort', 'assignment', 'comment', 'bug'])
      await narrow.rows(
        kind === 'bug' ? `update general set delete_date = now() where entity_type_id = 8` : `delete from ${kind}`,
      );
    await narrow.rows(`update general set description = repeat('x', 300000) where id in
      (select id from general where entity_type_id = 4 and delete_date is null order by id limit 9)`);
    const stories = await narrow.items('/api/v1/UserStories?include=[Id]&take=1000');
    const ran = await another.run(narrow.base, [join(another.folder, 'copy')]);
    expect(ran.status, ran.errors).toBe(0);
    expect(ran.lines.sort()).toEqual(stories.map(({ Id }) => `new UserStories ${Id}`).sort());
  });

  it.skipIf(!language.isThere)(`goes on where it was interrupted and misses nothing, in ${language.name}`, async () => {
    const before = await served();
    const changes = await work();
    const broken = withinThirdPage('Times');
    const interrupted = await example.run(proxy.url, [copy]);
    await broken;
    expect(interrupted.status).not.toBe(0);
    const later = await work();
    const requests = requestsTo('Times');
    const resumed = await run(proxy.url);
    expect(requests[0]).toMatch(/Id(\+|%20)gt(\+|%20)[1-9]/);
    const last = await run();
    const printed = [interrupted, resumed, last].flatMap(({ lines }) => lines);
    expect(printed).toEqual(expect.arrayContaining([...changes, ...later]));
    const after = await served();
    expect(printed).toEqual(expect.arrayContaining(differences(before, after)));
    expect(copied()).toEqual(sorted(after));
    expect((await run()).lines).toEqual([]);
  });
});
