/**
 * Wrong passwords: told apart by nothing, counted for all replicas, and never a way to keep others out or the service
 * busy.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Actors } from '../../src/auth/actors.js';
import { type Answer, chosenPassword, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { cookieOf, logIn } from '../support/log-in.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
  replica = await app.replica();
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
});

const me = '/api/v1/Users/LoggedUser?format=json&include=[Login]';
const attempts = '/api/v1/LoginAttempts';
const basic = (login: string, password: string, on = app, headers = {}): Promise<Answer> =>
  on.raw(me, {
    headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`, ...headers },
  });
const guess = async (login: string, times: number, on = app): Promise<number[]> => {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await basic(login, `wrong ${time}`, on)).status);
  return statuses;
};
const ten = Array.from({ length: 10 }, () => 401);

describe('A6, A7: the tenth wrong password in ten minutes', () => {
  it('locks the login for ten minutes, the right password too, on every replica', async () => {
    expect((await basic('alice', 'demo')).status).toBe(200);
    expect((await basic('alice', 'demo', replica)).status).toBe(200);
    expect([...(await guess('alice', 5)), ...(await guess('alice', 5, replica))]).toEqual(ten);
    for (const on of [app, replica]) {
      await eventually(async () => expect((await basic('alice', 'demo', on)).status).toBe(429));
      const answer = await basic('alice', 'demo', on);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(590);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(600);
      expect(answer.json).toMatchObject({ Status: 'TooManyRequests' });
    }
    const form = await logIn(app, 'alice', 'demo');
    expect([form.status, form.headers.get('set-cookie')]).toEqual([429, null]);
    // Somebody else from the same address.
    expect((await basic('elena', 'demo')).status).toBe(200);
  });

  it('stops neither tokens nor sessions that are there', async () => {
    const token = (await app.json('/api/v1/Authentication', { as: 'elena' })).Token;
    const cookie = cookieOf(await logIn(app, 'elena', 'demo'));
    expect(await guess('elena', 10)).toEqual(ten);
    await eventually(async () => expect((await basic('elena', 'demo')).status).toBe(429));
    expect((await app.raw(`${me}&token=${encodeURIComponent(token)}`)).status).toBe(200);
    expect((await app.raw(me, { headers: { cookie } })).status).toBe(200);
  });

  it('is counted whatever the letter case, the spaces, the form of the letters and the address said to come from', async () => {
    await app.post('/api/v1/Users', { Login: 'Mixed', Email: 'm@example.com', Password: chosenPassword });
    const spellings = ['mixed', 'MIXED', ' Mixed ', 'mixed\u3000', 'ｍixed'];
    for (let time = 0; time < 10; time++) {
      const { status } = await basic(spellings[time % 5]!, 'wrong', app, { 'x-forwarded-for': `10.0.0.${time}` });
      expect(status).toBe(401);
    }
    expect((await basic('mixed', chosenPassword)).status).toBe(429);
    expect((await basic('MIXED', chosenPassword, app, { 'x-forwarded-for': '10.9.9.9' })).status).toBe(429);
  });

  it('locks a login that nobody has just the same', async () => {
    expect(await guess('nobody-at-all', 10)).toEqual(ten);
    expect((await basic('nobody-at-all', 'wrong')).status).toBe(429);
  });

  it('is counted however many are sent at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => basic('grace', `wrong ${at}`)));
    const refused = answers.filter(({ status }) => status === 401);
    expect(refused).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('counts those of ten minutes, and only them', async () => {
    await guess('uma', 9);
    await app.rows(`update login_attempt set failures = array(select f - interval '11 minutes' from unnest(failures) f)
      where login = 'uma'`);
    expect(await guess('uma', 9)).toEqual(ten.slice(1));
    expect((await basic('uma', 'demo')).status).toBe(200);
    await guess('uma', 1);
    await eventually(async () => expect((await basic('uma', 'demo')).status).toBe(429));
    await app.rows("update login_attempt set locked_until = now() where login = 'uma'");
    await eventually(async () => expect((await basic('uma', 'demo')).status).toBe(200));
    // A lock that is over has used up what led to it.
    expect(await guess('uma', 1)).toEqual([401]);
    expect((await basic('uma', 'demo')).status).toBe(200);
  });

  it('is survived by a restart, seen by administrators, and undone by them', async () => {
    await app.post('/api/v1/Users', { Login: 'locked-out', Email: 'lo@example.com', Password: chosenPassword });
    await guess('locked-out', 10);
    const later = await app.replica();
    expect((await basic('locked-out', chosenPassword, later)).status).toBe(429);
    await later.stop();
    const [attempt] = await app.items(`${attempts}?where=(Login eq 'locked-out')`);
    expect(attempt).toMatchObject({ Login: 'locked-out', IsLocked: true, LockedUntil: expect.any(String) });
    const asked = await app.ask(`${attempts}?format=json`, { as: 'bruno' });
    expect([asked.status, asked.json.Items]).toEqual([200, []]);
    expect((await app.ask(`${attempts}/${attempt.Id}`, { as: 'bruno', method: 'DELETE' })).status).toBe(404);
    expect((await app.ask(`${attempts}/${attempt.Id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await basic('locked-out', chosenPassword)).status).toBe(200);
    await eventually(async () => expect((await basic('locked-out', chosenPassword, replica)).status).toBe(200));
  });

  it('leaves no heap of guessed logins behind', async () => {
    await app.rows(`insert into login_attempt (login, last_date, failures)
      select 'guess-' || n, now() - interval '1 hour', array[now() - interval '1 hour'] from generate_series(1, 50) n`);
    for (let time = 0; time < 3; time++) await basic(`guess-new-${time}`, 'wrong');
    const rows = await app.rows("select 1 from login_attempt where last_date < now() - interval '30 minutes'");
    expect(rows).toEqual([]);
  });
});

describe('a service that is busy', () => {
  it('tells nobody which password is right, nor which logins there are', { timeout: 90_000 }, async () => {
    const login = 'remembered';
    const password = `${chosenPassword} caf\u00e9`;
    await app.post('/api/v1/Users', { Login: login, Email: `${login}@example.com`, Password: password });
    const ask = (as: string, which: string) => {
      // As a second later: what was loaded of the user is too old.
      app.nest.get(Actors).forget();
      return basic(as, which);
    };
    expect((await ask(login, password)).status).toBe(200);
    await whileBusy(async () => {
      // However it is spelled, the right password is taken.
      for (const which of [password, password.normalize('NFD')])
        for (const as of [login, login.toUpperCase()]) expect((await ask(as, which)).status).toBe(200);
      for (const as of [login, 'remembers-nothing']) {
        const wrong = await refusals(10, (at) => basic(as, `wrong ${at}`));
        // Those that were checked count, and no refusal does.
        expect(await failuresOf(as)).toBe(wrong);
      }
      // From now on a refusal tells nothing: the right one waits as well, even where its account was just loaded.
      await refusals(1, () => basic(login, password));
    });
    expect((await basic(login, password)).status).toBe(200);
  });

  /** Asks until so many were refused for now. Gives how many were checked and wrong. */
  async function refusals(count: number, ask: (at: number) => Promise<Answer>): Promise<number> {
    let wrong = 0;
    for (let refused = 0, at = 0; refused < count; at++) {
      const { status } = await ask(at);
      if (status === 503) refused += 1;
      if (status === 401) wrong += 1;
    }
    return wrong;
  }

  async function failuresOf(login: string): Promise<number> {
    const [row] = await app.rows(`select failures from login_attempt where login = '${login}'`);
    return row?.failures.length ?? 0;
  }

  let sent = 0;

  /** What is done while as many passwords are checked as can be, no login twice. */
  async function whileBusy<T>(act: () => Promise<T>): Promise<T> {
    let isOver = false;
    let becomeBusy = () => {};
    const isBusy = new Promise<void>((resolve) => {
      becomeBusy = resolve;
    });
    const crowd = Array.from({ length: 100 }, async () => {
      while (!isOver) if ((await basic(`crowding-${++sent}`, 'wrong')).status === 503) becomeBusy();
    });
    try {
      await isBusy;
      return await act();
    } finally {
      isOver = true;
      await Promise.all(crowd);
    }
  }
});

describe('A2: what is wrong', () => {
  it('is told apart by nothing in the answer', async () => {
    const answers = await Promise.all([
      basic('bruno', 'wrong'),
      basic('never-heard-of', 'wrong'),
      basic('viktor', 'demo'),
      basic('requester1', 'demo'),
      basic('wanda', 'demo'),
    ]);
    const shapes = answers.map(({ status, headers, text }) => ({
      status,
      headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
      text: text.replace(/"ErrorId":"[^"]*"/, ''),
    }));
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(shapes[0]!.status).toBe(401);
  });

  it('is not in the answer, nor is anything of the credential', async () => {
    const { text } = await basic('bruno', 'a very secret guess');
    expect(text).not.toContain('secret guess');
    expect(text).not.toContain(Buffer.from('bob:a very').toString('base64').slice(0, 8));
  });
});

describe('A8: many logins at once', () => {
  it('are told to come back later, and hold up no token', async () => {
    const token = encodeURIComponent((await app.json('/api/v1/Authentication')).Token);
    const guesses = Array.from({ length: 120 }, (_, at) => basic(`crowd-${at}`, 'wrong'));
    const asked = await Promise.all(Array.from({ length: 10 }, () => app.raw(`${me}&token=${token}`)));
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
  });
});
