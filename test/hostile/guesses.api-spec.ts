/** Guessed logins beside users: rows A8 and E23 (second half) of the list of hostile requests. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Actors } from '../../src/auth/actors.js';
import { type Answer, basic, chosenPassword, TestApp } from '../support/app.js';
import { logIn } from '../support/log-in.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ TRUSTED_PROXIES: '127.0.0.1' });
  const logins = ['proven', ...[1, 2, 3].flatMap((at) => [`basic-${at}`, `form-${at}`])];
  await app.post(
    '/api/v1/Users/bulk',
    logins.map((login) => ({ Login: login, Email: `${login}@example.com`, Password: chosenPassword })),
  );
});
afterAll(() => app.stop());

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
const ask = (as: string, address: string): Promise<Answer> =>
  app.raw(me, { headers: { authorization: basic(as), 'x-forwarded-for': address } });
const byForm = (login: string, password: string, address: string): Promise<Answer> =>
  logIn(app, login, password, { 'x-forwarded-for': address });

let guesses = 0;

/**
 * Sends made-up names from these addresses, so many at once, until `act` is done. It begins when each had a wrong
 * password and one was refused.
 */
async function besideGuesses(
  addresses: readonly string[],
  ofEach: number,
  act: () => Promise<void>,
): Promise<Answer[]> {
  let isOver = false;
  const wrong = new Set<string>();
  const refusals: Answer[] = [];
  let begin = (): void => undefined;
  const isBusy = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const guess = async (address: string): Promise<void> => {
    const answer = await ask(`made-up-${++guesses}:wrong`, address);
    if (answer.status === 503) refusals.push(answer);
    else wrong.add(address);
    if (refusals.length > 0 && wrong.size === addresses.length) begin();
  };
  const crowd = addresses.flatMap((address) =>
    Array.from({ length: ofEach }, async () => {
      while (!isOver) await guess(address);
    }),
  );
  try {
    await isBusy;
    await act();
  } finally {
    isOver = true;
    await Promise.all(crowd);
  }
  return refusals;
}

const many = (count: number, address: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => address(at));

it.each<[from: string, addresses: string[], ofEach: number]>([
  ['one address', ['192.0.2.1'], 70],
  ['many addresses', many(53, (at) => `198.51.100.${at}`), 5],
  ['one network of IPv6', many(70, (at) => `2001:db8::${at.toString(16)}:1`), 1],
])('E23: beside made-up logins from %s users get in', { timeout: 180_000 }, async (from, addresses, ofEach) => {
  const host = { 'one address': 1, 'many addresses': 2 }[from] ?? 3;
  expect((await ask('proven', '203.0.113.1')).status).toBe(200);
  const refusals = await besideGuesses(addresses, ofEach, async () => {
    // A first right password, from an address of its own.
    expect((await ask(`basic-${host}`, `203.0.113.1${host}`)).status).toBe(200);
    expect((await byForm(`form-${host}`, chosenPassword, `203.0.113.2${host}`)).status).toBe(303);
    for (const address of ['203.0.113.1', ...addresses.slice(0, 4)]) {
      // As a second later: what was loaded of the user is too old.
      app.nest.get(Actors).forget();
      expect((await ask('proven', address)).status).toBe(200);
      app.nest.get(Actors).forget();
      expect((await byForm('proven', chosenPassword, address)).status).toBe(303);
    }
  });
  expect(new Set(refusals.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
});

it('A8: wrong passwords for one login do not hold up its right one from elsewhere while it is not locked', async () => {
  const first = ask('admin:wrong 1', '192.0.2.9');
  const right = ask('admin', '203.0.113.40');
  expect([(await first).status, (await right).status]).toEqual([401, 200]);
});
