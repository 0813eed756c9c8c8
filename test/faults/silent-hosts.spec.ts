/** Several addresses in DATABASE_URL, one of which lets the service log in and then answers nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { forward, ProtocolProxy } from '../support/protocol-proxy.js';

let app: TestApp;
let silent: ProtocolProxy;
let sound: ProtocolProxy;
beforeAll(async () => {
  app = await TestApp.start(async (url) => {
    silent = await ProtocolProxy.start(url);
    sound = await ProtocolProxy.start(url);
    const name = new URL(url).pathname.slice(1);
    const [first, second] = [new URL(silent.urlOf(name)), new URL(sound.urlOf(name))];
    const DATABASE_URL = first.href.replace(first.host, `${first.host},${second.host}`);
    return { DATABASE_URL, STATEMENT_TIMEOUT: '1', WAITING_TIMEOUT: '5' };
  });
});
afterAll(async () => {
  await app.stop();
  await silent.stop();
  await sound.stop();
});

const write = async (Name: string) => (await app.post('/api/v1/Tags', { Name })).status;

it('F5, F30: writes go on at the other one as soon as that is there', { timeout: 60_000 }, async () => {
  expect(await write('before')).toBe(201);
  silent.decide = ({ text }) => (text.includes('pg_is_in_recovery') ? { kind: 'swallow' } : forward);
  sound.refuseNewConnections();
  for (const one of [silent, sound]) one.endConnections();
  expect(await write('nowhere')).toBe(503);
  sound.acceptConnections();
  await eventually(async () => expect(await write('back')).toBe(201));
});
