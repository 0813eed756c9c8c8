/** Clients that hold downloads without taking them: others are served, and little memory is held. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Downloads } from '../../src/files/downloads.js';
import { basic, TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';
import { eventually } from '../support/eventually.js';
import { heldBytes } from '../support/held-bytes.js';
import { Connection } from '../support/socket.js';
import { uploaded } from '../support/uploads.js';

let app: TestApp;
let file: number;
const ids: Ids = { Process: 3, Role: 1 };
const logins = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'].map((name) => `downloads.${name}`);
const megabytes = 24;

beforeAll(async () => {
  app = await TestApp.start({ MAX_DOWNLOADS: '8' });
  const place = { mark: 'downloads', ids };
  for (const kind of ['Project', 'UserStory']) ids[kind] = await make(app, kind, place);
  for (const login of logins) {
    ids.User = await make(app, 'User', place, { Login: login });
    await make(app, 'ProjectMember', place);
  }
  file = await uploaded(app, ids.UserStory!, { name: 'a.bin', bytes: Buffer.alloc(megabytes * 2 ** 20, 7) });
});
afterAll(() => app.stop());

const path = (more = '') => `/Attachment.aspx?AttachmentID=${file}${more}`;

/** Takes the beginning of an answer, and then nothing more. */
async function held(login: string): Promise<Connection> {
  const connection = await Connection.open(app);
  connection.socket.write(`GET ${path()} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(login)}\r\n\r\n`);
  expect(await connection.answers()).toEqual([200]);
  connection.socket.pause();
  return connection;
}

const ask = async (login: string, headers: Record<string, string> = { range: 'bytes=0-1' }) => {
  const answer = await app.ask(path(), { as: login, headers: { accept: 'application/json', ...headers } });
  return [answer.status, answer.headers.get('retry-after')];
};

it('have a quarter of the places each, leave the service to others, and hold little', { timeout: 60_000 }, async () => {
  const before = heldBytes();
  const open: Connection[] = [];
  try {
    for (const login of logins.slice(0, 3)) open.push(await held(login), await held(login));
    expect(await ask(logins[0]!)).toEqual([429, '5']);
    // What sends no bytes of the file takes no place.
    expect((await app.ask(path(), { as: logins[0]!, method: 'HEAD' })).status).toBe(200);
    const thumbnail = await app.ask(`/avatar.ashx?format=json`, { as: logins[0]! });
    expect(thumbnail.status).toBe(200);
    expect(await ask(logins[3]!)).toEqual([206, null]);
    open.push(await held(logins[3]!), await held(logins[3]!));
    // All places are taken; a few users who have none find one all the same.
    for (const login of logins.slice(4, 6)) open.push(await held(login));
    expect(await ask(logins[6]!)).toEqual([503, '5']);
    expect((await app.ask('/api/v1/UserStories?take=1', { as: logins[0]! })).status).toBe(200);
    expect(heldBytes() - before).toBeLessThan((open.length * megabytes * 2 ** 20) / 8);
  } finally {
    for (const { socket } of open) socket.destroy();
  }
  await eventually(async () => {
    for (const login of [...logins, 'admin']) expect(await ask(login)).toEqual([206, null]);
  }, 20_000);
});

it('are cut off when they take hardly anything', { timeout: 60_000 }, async () => {
  const downloads = app.nest.get(Downloads);
  const usual = downloads.pace;
  downloads.pace = { bytes: 64 * 1024, milliseconds: 1000 };
  const open = [await held(logins[0]!), await held(logins[0]!)];
  try {
    expect(await ask(logins[0]!)).toEqual([429, '5']);
    await eventually(async () => expect(await ask(logins[0]!)).toEqual([206, null]), 20_000);
  } finally {
    downloads.pace = usual;
    for (const { socket } of open) socket.destroy();
  }
});

it('may leave in the middle of anything', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 20; round += 1) {
    const connection = await Connection.open(app);
    connection.socket.write(`GET ${path()} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(logins[0]!)}\r\n\r\n`);
    await new Promise((resolve) => setImmediate(resolve));
    if (round % 2) await connection.answers();
    connection.socket.destroy();
  }
  await eventually(async () => expect(await ask(logins[0]!)).toEqual([206, null]), 20_000);
});
