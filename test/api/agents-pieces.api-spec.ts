/** What is cut off answers to agents is told, and the rest follows where the first part ends. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';
import { diceOf, pick } from '../support/dice.js';

let app: TestApp;
let agent: Agent;
let story: number;

beforeAll(async () => {
  app = await TestApp.start();
  story = (await app.write('UserStories', { Name: 'Pick apples', Project: { Id: 8 } })).Id;
  agent = await Agent.http(app.base, { authorization: basic('admin') });
});
afterAll(async () => {
  await agent.close();
  await app.stop();
});

const mark = '<!--markdown-->';
const cutOff = /^([\s\S]*)… \[(\d+) more characters: get (\{.*\})\]$/;

/** Follows what an answer says of the rest. */
async function whole(shown: string): Promise<string> {
  const [, begun, left, ask] = cutOff.exec(shown) ?? [];
  if (begun === undefined) return shown;
  const given = JSON.parse(ask!);
  let text = begun;
  for (let from: number | undefined = given.from; from !== undefined; ) {
    const piece = await agent.use('get', { ...given, from });
    text += piece.text;
    from = /from (\d+)/.exec(piece.next ?? '')?.[1] as number | undefined;
    from = from && Number(from);
  }
  expect([...text].length - [...begun].length).toBe(Number(left));
  return text;
}

function randomText(seed: number): string {
  const dice = diceOf(seed);
  const letters = pick(dice, [['a'], ['😀'], ['😀', 'b'], ['é', '\n', 'c d'], ['𝒳', 'ab']]);
  const length = pick(dice, [5, 599, 600, 601, 1985, 1999, 2000, 2001, 2015, 2016, 4100, 9000]);
  return Array.from({ length }, (_, at) => `${pick(dice, letters)}${at % 100 === 0 ? at : ''}`)
    .join('')
    .trim();
}

it.each(
  Array.from({ length: 16 }, (_, at) => [at % 2 === 0 ? 'plain' : 'marked', at] as const),
)('a %s text, %i', async (kind, seed) => {
  const text = randomText(seed + 100 * Number(process.env.SEED ?? 1));
  const Description = kind === 'marked' ? mark + text : text;
  await app.write(`UserStories/${story}`, { Description });
  expect(await whole((await agent.use('get', { id: story })).description)).toBe(text);
  const { items } = await agent.use('list', { kind: 'UserStory', where: `id==${story}`, select: ['description'] });
  expect(await whole(items[0].description)).toBe(text);
  await app.write('Comments', { General: { Id: story }, Description });
  const { comments } = await agent.use('get', { id: story });
  expect(await whole(comments[0].text)).toBe(text);
});

/** Of comments, times and items each is counted for itself: the call names the kind, or it would give another text. */
it('what is cut off an entity of any kind follows by the call that it tells', async () => {
  const long = (kind: string, id: number) => `${kind} ${id} ${'word '.repeat(600)}`.trim();
  await agent.use('comment', { id: story, text: 'x' });
  await agent.use('log_time', { id: story, hours: 1 });
  const followed: string[] = [];
  for (const kind of Object.keys(await agent.use('describe'))) {
    const { fields, canUpdate } = await agent.use('describe', { kind });
    if (!canUpdate || !fields.Description || fields.Description.includes('read only')) continue;
    const [entity] = (await agent.use('list', { kind, take: 1 })).items;
    if (!entity) continue;
    const text = long(kind, entity.id);
    await agent.use('update', { kind, id: entity.id, fields: { Description: text } });
    const { items } = await agent.use('list', { kind, where: `id==${entity.id}`, select: ['Description'] });
    const { description } = await agent.use('get', { kind, id: entity.id });
    expect([kind, await whole(items[0].description)]).toEqual([kind, text]);
    expect([kind, await whole(description)]).toEqual([kind, text]);
    followed.push(kind);
  }
  expect(followed).toEqual(expect.arrayContaining(['UserStory', 'Bug', 'Comment', 'Time', 'Project', 'Release']));
});

it('so does what is cut off a text by its path, by a name for it, and of a custom field', async () => {
  const text = (about: string) => `${about} ${'word '.repeat(600)}`.trim();
  const feature = await app.write('Features', { Name: 'Cider', Project: { Id: 8 }, Description: text('Feature') });
  const CustomFields = [{ Name: 'Release Notes', Value: text('Notes') }];
  await app.write(`UserStories/${story}`, { Feature: { Id: feature.Id }, Description: text('Story'), CustomFields });
  const select = [
    'feature.description',
    'about:description',
    'ReleaseNotes',
    "x:name+'. '+description",
    'customValues',
  ];
  const { items } = await agent.use('list', { kind: 'UserStory', where: `id==${story}`, select });
  const got = await agent.use('get', { id: story, fields: select });
  for (const shown of [items[0], got]) {
    expect(await whole(shown.featureDescription)).toBe(text('Feature'));
    expect(await whole(shown.about)).toBe(text('Story'));
    expect(await whole(shown.releaseNotes)).toBe(text('Notes'));
    expect(await whole(shown.x)).toBe(`Pick apples. ${text('Story')}`);
  }
  for (const { customValues } of [items[0], got, await agent.use('get', { id: story })]) {
    const notes = customValues.customFields.find(({ name }: { name: string }) => name === 'Release Notes');
    expect(await whole(notes.value)).toBe(text('Notes'));
  }
  const inner = {
    kind: 'Feature',
    where: `id==${feature.Id}`,
    select: ['stories:userStories.select({id,description})'],
  };
  const [{ stories }] = (await agent.use('list', inner)).items;
  expect(stories[0].description).toMatch(/… \[\d+ more characters: ask for a part by substring\(from, length\)\]$/);
});

it('comments that are not shown follow by the call that is told', async () => {
  const { Id } = await app.write('UserStories', { Name: 'Much is said', Project: { Id: 8 } });
  for (let at = 0; at < 7; at += 1) await app.write('Comments', { General: { Id }, Description: `Comment ${at}` });
  const { comments, moreComments } = await agent.use('get', { id: Id });
  const rest = await agent.use('list', JSON.parse(moreComments.replace(/^list /, '')));
  const texts = [
    ...comments.map(({ text }: { text: string }) => text),
    ...rest.items.map((one: { description: string }) => one.description),
  ];
  expect(texts).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `Comment ${at}`));
});

it('what is asked for by name is shown, whatever else an answer leaves out', async () => {
  const select = [
    'numericPriority',
    'entityVersion',
    'resourceType',
    'who:owner.select({id,fullName,email})',
    'owner',
    'entityState',
  ];
  const expected = {
    id: story,
    numericPriority: expect.any(Number),
    entityVersion: expect.any(Number),
    resourceType: 'UserStory',
    who: { id: 1, fullName: expect.any(String), email: expect.any(String) },
    owner: { id: 1, name: expect.any(String) },
    entityState: { id: expect.any(Number), name: 'Open' },
  };
  const { items } = await agent.use('list', { kind: 'UserStory', where: `id==${story}`, select });
  expect(items).toEqual([expected]);
  const { link: _, ...got } = await agent.use('get', { id: story, fields: select });
  expect(got).toEqual(expected);
  const groupBy = ['resourceType', 'numericPriority'];
  const { groups } = await agent.use('report', { kind: 'UserStory', where: `id==${story}`, groupBy });
  expect(groups).toEqual([{ resourceType: 'UserStory', numericPriority: expect.any(Number), count: 1 }]);
});

it('every field that is asked for by name has a member where version 2 has one', async () => {
  const compared = new Set<string>();
  for (const kind of Object.keys(await agent.use('describe'))) {
    const { fields } = await agent.use('describe', { kind });
    const names = Object.keys(fields).filter((name) => !fields[name].startsWith('list of'));
    for (let at = 0; at < names.length; at += 20) {
      const select = names.slice(at, at + 20);
      const plain = await app
        .json(`/api/v2/${kind}?take=1&select={${['id', ...select].join()}}`)
        .catch(() => undefined);
      if (!plain?.items[0]) continue;
      const { items } = await agent.use('list', { kind, take: 1, select });
      expect([kind, Object.keys(items[0])]).toEqual([kind, Object.keys(plain.items[0])]);
      compared.add(kind);
    }
  }
  expect(compared.size).toBeGreaterThan(30);
});

it('groups that do not fit are told to be missing', async () => {
  const asked = { kind: 'UserStory', groupBy: ["long:name+'-'+name+name+name+name+name+name+name+name", 'id'] };
  const { groups, note } = await agent.use('report', { ...asked, where: 'id<600' });
  expect(groups.length).toBeLessThan(100);
  expect(note).toMatch(new RegExp(`^Only the first ${groups.length} groups are shown`));
  const few = await agent.use('report', { ...asked, where: `id==${story}` });
  expect(few).toEqual({ groups: [{ long: expect.any(String), id: story, count: 1 }] });
});

it('a member that no object takes is refused, not lost', async () => {
  for (const args of ['{"customFields":{"__proto__":"High"}}', '{"fields":{"__proto__":{"Name":"x"}}}']) {
    const params = `{"name":"update","arguments":{"id":${story},${args.slice(1)}}`;
    const answer = await app.post('/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('__proto__: no member can have this')]);
  }
});
