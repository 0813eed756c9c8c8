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
async function whole(shown: string, kind?: string): Promise<string> {
  const [, begun, left, ask] = cutOff.exec(shown) ?? [];
  if (begun === undefined) return shown;
  const given = JSON.parse(ask!.replace('"id": …', `"id": ${story}`));
  let text = begun;
  for (let from: number | undefined = given.from; from !== undefined; ) {
    const piece = await agent.use('get', { ...(kind && { kind }), ...given, from });
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
  expect(await whole(comments[0].text, 'Comment')).toBe(text);
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
