/**
 * Answers of many megabytes: their memory is bounded in the service and in the database, and they hold nobody up. Rows
 * D14 and E24 (readers) of the list of hostile requests, and F13 of that of faults.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocks } from '../../src/bytes/block-pool.js';
import { AnswerRoom } from '../../src/http/answer-room.js';
import { type Ask, basic, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { parseXml } from '../support/xml.js';

const megabyte = 2 ** 20;

let app: TestApp;
let ids: number[];
const long = (at: number): string => `${at} "ä€😀" `.repeat(megabyte).slice(0, megabyte).toWellFormed();

beforeAll(async () => {
  app = await TestApp.start({ MAX_ANSWER_MB: '32', MAX_BUFFERED_ANSWERS_MB: '48' });
  const stories = await app.items('/api/v1/UserStories?include=[Id]&take=24&orderBy=Id');
  ids = stories.map(({ Id }) => Id);
  for (const id of ids)
    await app.rows('update general set description = $2, name = $3 where id = $1', [id, long(id), `long ${id}`]);
  for (let at = 0; at < 24; at += 1)
    await app.rows('insert into comment (general_id, owner_id, description, create_date) values ($1, 1, $2, now())', [
      ids[0],
      'c'.repeat(megabyte),
    ]);
}, 120_000);
afterAll(() => app.stop());

const held = (): number => app.nest.get(AnswerRoom).held;
const nothingHeld = () => eventually(async () => expect(held()).toBe(0), 20_000);

const stories = (take: number, more = ''): string =>
  `/api/v1/UserStories?include=[Name,Description]&where=(Name contains 'long ')&orderBy=Id&take=${take}${more}`;
const storiesV2 = (take: number): string =>
  `/api/v2/UserStory?select={id,description}&where=(name.startsWith("long "))&orderBy=id&take=${take}`;

describe('D14: a long answer', () => {
  it.each([2, 5])('of %d MiB and more is whole, in JSON', async (take) => {
    const plain = { headers: { 'accept-encoding': 'identity' } };
    const { json, headers, text } = await app.ask(stories(take, '&format=json'), plain);
    expect(json.Items.map(({ Description }: { Description: string }) => Description)).toEqual(
      ids.slice(0, take).map(long),
    );
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
    await nothingHeld();
  });

  it('is whole in XML, sorted by another field, and in version 2', async () => {
    const { children } = await parseXml((await app.ask(stories(5))).text);
    expect(children.map(({ attributes }) => Number(attributes.Id))).toEqual(ids.slice(0, 5));
    const byName = await app.json(stories(5).replace('orderBy=Id', 'orderByDesc=Name'));
    const names = byName.Items.map(({ Name }: { Name: string }) => Name);
    expect(names).toEqual([...names].sort().reverse());
    const { items } = (await app.ask(storiesV2(5))).json;
    expect(items).toEqual(ids.slice(0, 5).map((id) => ({ id, description: long(id) })));
    await nothingHeld();
  });

  it.each(['br', 'gzip'])('is the same when it is compressed (%s)', async (coding) => {
    const plain = await app.ask(stories(5, '&format=json'));
    const packed = await app.ask(stories(5, '&format=json'), { headers: { 'accept-encoding': coding } });
    expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, coding]);
    expect(packed.text === plain.text).toBe(true);
    await nothingHeld();
  });

  it('has no body for HEAD', async () => {
    const { status, text } = await app.ask(stories(5), { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    await nothingHeld();
  });

  it('of more than is allowed is refused before a byte of it is sent', async () => {
    for (const path of [stories(24, '&format=json'), storiesV2(24)]) {
      const { status, json } = await app.ask(path);
      expect([status, json.Status]).toEqual([400, 'BadRequest']);
      expect(json.Message).toMatch(/more than 32 MiB.*take.*include/);
    }
    expect((await app.ask(stories(24))).text).toContain('more than 32 MiB');
    expect((await app.ask(stories(24, '&format=json').replace('UserStories', 'Generals'))).status).toBe(400);
    await nothingHeld();
  });
});

describe('D14: a whole list of long items', () => {
  it.each([
    `/api/v1/UserStories?include=[Description]&where=(Name contains 'long ')`,
    '/api/v2/UserStory?select={description}&where=name.startsWith("long ")',
  ])('comes in parts that are not too long: %s', async (path) => {
    const { status, text } = await app.ask(`${path}&format=ndjson`);
    const lines = text.split('\n').filter((line) => line !== '');
    expect([status, lines.length]).toEqual([200, ids.length]);
    const descriptions = lines.map((line) => JSON.parse(line)).map((item) => item.Description ?? item.description);
    expect(descriptions.every((description, at) => description === long(ids[at]!))).toBe(true);
    await nothingHeld();
  });

  it('holds nothing when its reader has left in the middle', async () => {
    const leaving = new AbortController();
    const headers = { authorization: basic('admin') };
    const path = `${app.base}/api/v1/Generals?format=ndjson&include=[Name]`;
    const answer = await fetch(path, { headers, signal: leaving.signal });
    await answer.body!.getReader().read();
    leaving.abort();
    await nothingHeld();
  });

  it('is refused where one item takes too much', async () => {
    const where = `where=(Id eq ${ids[0]})`;
    const { status, json } = await app.ask(
      `/api/v1/UserStories?include=[Comments[Description]]&innerTake=24&${where}&format=ndjson`,
    );
    expect([status, json.Message]).toEqual([400, expect.stringMatching(/include/)]);
    await nothingHeld();
  });
});

describe('D14: long collections of an item', () => {
  const comments = (innerTake: number): string =>
    `/api/v1/UserStories/${ids[0]}?include=[Comments[Description]]&innerTake=${innerTake}&format=json`;

  it('are shown up to what an item may take', async () => {
    const { Comments } = await app.json(comments(6));
    expect(Comments.Items.map(({ Description }: { Description: string }) => Description.length)).toEqual(
      Array(6).fill(megabyte),
    );
    await nothingHeld();
  });

  it.each([
    ['of one entity', () => comments(20)],
    ['of a page', () => `/api/v1/UserStories?include=[Comments[Description]]&innerTake=20&take=1000&format=json`],
    [
      'of a page sorted by name',
      () => stories(24, '&innerTake=20&format=json').replace('Description]', 'Comments[Description]]'),
    ],
    ['of projects', () => `/api/v1/Projects?include=[UserStories[Description]]&innerTake=1000&take=1000&format=json`],
  ])('%s are refused beyond', async (_, path) => {
    const { status, json } = await app.ask(path());
    expect([status, json.Message]).toEqual([400, expect.stringMatching(/innerTake.*include/)]);
    await nothingHeld();
  });

  it('are not longer by one that is not shown', async () => {
    await app.rows(
      `insert into comment (general_id, owner_id, description, create_date) select $1, 1, repeat('漢', $2), now() from generate_series(1, 2)`,
      [ids[3], megabyte],
    );
    const path = `/api/v1/UserStories/${ids[3]}?include=[Id,Comments[Description],Tasks[Description]]&innerTake=1`;
    const { Comments } = await app.json(`${path}&format=json`);
    expect([Comments.Items.length, Comments.Next]).toEqual([1, expect.stringContaining('skip=1')]);
    await app.rows('delete from comment where general_id = $1', [ids[3]]);
  });

  it('are refused in version 2', async () => {
    for (const select of ['{comments.select(description)}', '{c:comments.select({id,d:description}).distinct()}']) {
      const { status, json } = await app.ask(`/api/v2/UserStory/${ids[0]}?select=${select}`);
      expect([select, status, status === 400 && /innerTake|take/.test(json.Message)]).toEqual([select, 400, true]);
    }
  });

  it('and many lists of an item share what it may take, however short their items are', async () => {
    const id = ids[4];
    await app.rows(
      `insert into comment (general_id, owner_id, description, create_date) select $1, 1, repeat('c', 400), now() from generate_series(1, 1000)`,
      [id],
    );
    const lists = (count: number) =>
      app.ask(
        `/api/v2/UserStory/${id}?select={${Array.from({ length: count }, (_, at) => `c${at}:comments.select(description.substring(0,400))`)}}`,
      );
    expect((await lists(15)).status).toBe(200);
    const { status, json } = await lists(40);
    expect([status, json.Message]).toEqual([400, expect.stringContaining('than can be put together')]);
    await app.rows('delete from comment where general_id = $1', [id]);
    await nothingHeld();
  });

  it('are of no more values than there are in the beginning of a text', async () => {
    await app.rows("update general set description = repeat(',', $2) where id = $1", [ids[4], megabyte]);
    const values = 'SafeConvert.ToStringArray(description)';
    const { status, text } = await app.ask(
      `/api/v2/UserStory/${ids[4]}?select={c:${values}.count(),d:${values}.distinct().count()}`,
    );
    expect([status, text]).toEqual([200, expect.stringContaining('"c":100001,"d":1')]);
    await app.rows('update general set description = $2 where id = $1', [ids[4], long(ids[4]!)]);
  });

  it('and many long texts of an item share what it may take', async () => {
    const texts = (count: number) => Array.from({ length: count }, (_, at) => `d${at}:description`).join();
    const story = (id: number | undefined, count: number) =>
      app.ask(`/api/v2/UserStory/${id}?select={${texts(count)}}`);
    expect((await story(ids[0], 4)).status).toBe(200);
    const { status, json } = await story(ids[0], 20);
    expect([status, json.Message]).toEqual([400, expect.stringMatching(/innerTake.*include/)]);
    const [{ Id }] = await app.items(`/api/v1/UserStories?include=[Id]&where=(Name not contains 'long ')&take=1`);
    expect((await story(Id, 20)).status).toBe(200);
    const all = app.ask(
      `/api/v1/UserStories/${Id}?include=[Description,CustomFields,Tasks[Description],Bugs[Description],Comments[Description],Release[Description],Iteration[Description],Times[Description],Attachments[Description],Project[Description],Feature[Description]]`,
    );
    expect((await all).text).toContain('<UserStory');
  });

  it.each([
    ['quotes', '"'],
    ['line breaks', '\n'],
    ['three bytes a character', '漢'],
    ['four bytes a character', '😀'],
  ])('and texts count as they are spelled: %s', async (_, character) => {
    const id = ids.at(-1);
    const story = (count: number, of: string) =>
      app.ask(`/api/v2/UserStory/${id}?select={${Array.from({ length: count }, (_, at) => `d${at}:${of}`)}}`);
    const description = character.repeat(megabyte / character.length);
    await app.rows('update general set description = $2 where id = $1', [id, description]);
    await app.rows('insert into comment (general_id, owner_id, description, create_date) values ($1, 1, $2, now())', [
      id,
      description,
    ]);
    expect((await story(2, 'description')).status).toBe(200);
    for (const [count, of] of [
      [6, 'description'],
      [6, 'description.substring(0)'],
      [1, 'comments.select({a:description,b:description,c:description,d:description,e:description})'],
    ] as const)
      expect([of, (await story(count, of)).status]).toEqual([of, 400]);
    await app.rows('delete from comment where general_id = $1', [id]);
    await app.rows('update general set description = $2 where id = $1', [id, long(id!)]);
    await nothingHeld();
  });

  it('are shown beside texts that are short', async () => {
    const id = ids[3];
    const [[{ description }]] = [await app.rows('select description from general where id = $1', [id])];
    await app.rows("update general set description = 'short' where id = $1", [id]);
    await app.rows(
      `insert into comment (general_id, owner_id, description, create_date) select $1, 1, repeat('漢', $2), now() from generate_series(1, 2)`,
      [id, megabyte],
    );
    const { Comments } = await app.json(`/api/v1/UserStories/${id}?include=[Id,Description,Comments[Description]]`);
    expect(Comments.Items.length).toBe(2);
    const own = await app.ask(`/api/v2/UserStory/${id}?select={description,c:comments.select(description)}`);
    expect([own.status, own.text.length > 2 * megabyte]).toEqual([200, true]);
    await app.rows('delete from comment where general_id = $1', [id]);
    await app.rows('update general set description = $2 where id = $1', [id, '漢'.repeat(megabyte)]);
    const include = '[Id,Description,Feature[Description],Project[Description],Release[Description]]';
    const alone = await app.json(`/api/v1/UserStories/${id}?include=${include}`);
    expect(alone.Description.length).toBe(megabyte);
    const three = await app.ask(`/api/v2/UserStory/${id}?select={a:description,b:description,c:description}`);
    expect(three.status).toBe(400);
    await app.rows('update general set description = $2 where id = $1', [id, description]);
  });

  it('are allowed as much inside of others as alone', async () => {
    const Project = { Id: (await app.items('/api/v1/Projects?take=1&include=[Id]'))[0].Id };
    const made = async (collection: string, more: object) =>
      (await app.post(`/api/v1/${collection}?format=json`, { Name: 'inner', Project, ...more })).json.Id as number;
    const epic = await made('Epics', {});
    const feature = await made('Features', { Epic: { Id: epic } });
    const story = await made('UserStories', { Feature: { Id: feature } });
    const task = { Name: 'inner', Project, UserStory: { Id: story }, Description: 't'.repeat(45_000) };
    expect((await app.post('/api/v1/Tasks/bulk', Array(25).fill(task))).status).toBe(200);
    const inner = (name: string, more: string) => `{id,description,${name}:${name}.select(${more})}`;
    const select = inner('features', inner('userStories', inner('tasks', '{id,description}')));
    const { status, text } = await app.ask(`/api/v2/Epic/${epic}?select=${select}`);
    expect([status, text.length > 25 * 45_000]).toEqual([200, true]);
  });
});

describe('the memory of long texts is given back', () => {
  const json = { 'content-type': 'application/json' };
  const update = (at: number) => JSON.stringify({ Id: ids[at], Name: `long ${ids[at]}` });
  const one = (): string => `/api/v1/UserStories/${ids[1]}?format=json&include=[Id,Name,Description]`;
  const tagOf = async (path: string) => (await app.ask(path, { method: 'HEAD' })).headers.get('etag')!;

  it.each<[what: string, status: number, path: () => string, ask: () => Ask | Promise<Ask>]>([
    ['of one entity', 200, one, () => ({})],
    ['of an entity that has not changed', 304, one, async () => ({ headers: { 'if-none-match': await tagOf(one()) } })],
    ['of a page', 200, () => stories(5), () => ({})],
    ['of a short page without its body', 200, () => stories(2), () => ({ method: 'HEAD' })],
    ['of a long page without its body', 200, () => stories(10), () => ({ method: 'HEAD' })],
    ['of a long page, compressed', 200, () => stories(10), () => ({ headers: { 'accept-encoding': 'gzip' } })],
    ['of version 2', 200, () => storiesV2(5), () => ({})],
    [
      'of version 2, indented',
      200,
      () => `/api/v2/UserStory/${ids[1]}?select={id,d:description.substring(0,200000)}&prettify=true`,
      () => ({}),
    ],
    ['of a write', 200, one, () => ({ method: 'POST', headers: json, body: update(1) })],
    [
      'of a write with a key',
      200,
      one,
      () => ({ method: 'POST', headers: { ...json, 'idempotency-key': 'long' }, body: update(1) }),
    ],
    [
      'of many writes',
      200,
      () => '/api/v1/UserStories/bulk?include=[Description]&format=json',
      () => ({ method: 'POST', headers: json, body: `[${update(1)},${update(2)}]` }),
    ],
    ['of a page for people', 200, () => `/entity/${ids[1]}`, () => ({})],
    ['of comments for people', 200, () => `/entity/${ids[0]}`, () => ({})],
  ])('%s', async (_, status, path, ask) => {
    const asked = await ask();
    const before = blocks.used;
    const answer = await app.ask(path(), asked);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
    await eventually(async () => expect(blocks.used).toBeLessThanOrEqual(before));
  });
});

describe('what was written', () => {
  it('and would be too long an answer is answered with kind and id', async () => {
    const { status, headers, json } = await app.post(
      '/api/v1/UserStories/bulk?include=[Description]',
      ids.map((Id) => ({ Id, Name: `long ${Id}` })),
    );
    expect([status, headers.get('warning')]).toEqual([200, expect.stringContaining('Stored')]);
    expect(json.Items).toEqual(ids.map((Id) => ({ ResourceType: 'UserStory', Id })));
    await nothingHeld();
  });

  it.each([
    'json',
    'xml',
  ])('is told whole to the first request with a key, and again by kind and id, in %s', async (format) => {
    const [one, ...others] = ids;
    const sent: [path: string, body: unknown, count: number][] = [
      ['bulk?include=[Description]', others.slice(0, 6).map((Id) => ({ Id, Name: `long ${Id}` })), 6],
      [`${one}?include=[Comments[Description]]`, { Name: `long ${one}` }, 1],
    ];
    for (const [path, body, count] of sent) {
      const headers = { 'idempotency-key': `long-${format}-${count}` };
      const ask = () => app.post(`/api/v1/UserStories/${path}&innerTake=6&format=${format}`, body, { headers });
      const [first, second] = [await ask(), await ask()];
      expect([first.status, first.headers.get('warning')]).toEqual([200, null]);
      expect(first.text.length).toBeGreaterThan(4 * megabyte);
      expect([second.status, second.headers.get('warning')]).toEqual([200, expect.stringContaining('Stored')]);
      expect(second.text.match(/ResourceType/g)).toHaveLength(count);
      expect(second.text.length).toBeLessThan(100 * (count + 1));
    }
    const kept = await app.rows(
      "select max(length(answer::text)) as longest from idempotency_key where key like 'long-%'",
    );
    expect(kept[0].longest).toBeLessThan(2000);
    await nothingHeld();
  });
});

/** Asks and never reads. */
async function silentReader(path: string): Promise<Socket> {
  const { hostname, port } = new URL(app.base);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${encodeURI(path)} HTTP/1.1\r\nHost: here\r\nAuthorization: ${basic('admin')}\r\n\r\n`);
  return socket;
}

describe('E24, F13: clients that do not read their answers', () => {
  it('are cut off while others wait, who are all answered', { timeout: 120_000 }, async () => {
    const before = held();
    const silent = await Promise.all(Array.from({ length: 8 }, () => silentReader(stories(16, '&format=json'))));
    await eventually(async () => expect(held()).toBeGreaterThan(before + 8 * megabyte), 20_000);
    for (let count = 0; count < 3; count += 1)
      expect((await app.ask('/api/v1/UserStories?take=10&include=[Id]')).status).toBe(200);
    // Those that wait for room go on when the silent ones are cut off.
    const patient = async () => {
      const { status } = await app.ask(stories(3, '&format=json'));
      expect(status).toBe(200);
    };
    await eventually(patient, 60_000);
    for (const socket of silent) socket.destroy();
    await nothingHeld();
  });

  it('and leave give back what was held for them', { timeout: 60_000 }, async () => {
    const silent = await silentReader(stories(16, '&format=json'));
    await eventually(async () => expect(held()).toBeGreaterThan(4 * megabyte), 20_000);
    silent.destroy();
    await nothingHeld();
    const { status, text } = await app.ask(stories(2));
    expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  });
});
