/**
 * Writes whose transaction fails at each of its statements in turn: stored once and whole, or not at all, and answered
 * as it is.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { cookieOf, logIn } from '../support/log-in.js';
import { type Fate, forward, type Passing, ProtocolProxy } from '../support/protocol-proxy.js';

/** On the database itself. */
let direct: TestApp;
let proxy: ProtocolProxy;
/** The service by way of the proxy. */
let app: TestApp;
let project: number;
let made = 0;

beforeAll(async () => {
  direct = await TestApp.start();
  const [{ name }] = await direct.rows('select current_database() as name');
  proxy = await ProtocolProxy.start(inject('databaseUrl'));
  app = await direct.replica({ DATABASE_URL: proxy.urlOf(name) });
  project = (await direct.post('/api/v1/Projects?format=json', { Name: 'broken' })).json.Id;
});

afterAll(async () => {
  await app?.stop();
  await direct?.stop();
  await proxy?.stop();
});

beforeEach(() => {
  proxy.decide = () => forward;
  proxy.acceptConnections();
});

type Stored = 'no' | 'whole' | { partly: unknown };

/** One kind of write: `act` is sent by way of the proxy. */
interface Write {
  prepare?(mark: string): Promise<number>;
  act(mark: string, id: number): Promise<Answer>;
  stored(mark: string, id: number): Promise<Stored>;
}

const as = (stored: unknown, whole: unknown, none: unknown): Stored => {
  const text = JSON.stringify(stored);
  if (text === JSON.stringify(whole)) return 'whole';
  return text === JSON.stringify(none) ? 'no' : { partly: stored };
};

const story = (mark: string) => ({
  Name: mark,
  Project: { Id: project },
  Tasks: [{ Name: `${mark} task 1` }, { Name: `${mark} task 2` }],
  Assignments: [{ GeneralUser: { Id: 1 }, Role: { Id: 1 } }],
  Tags: 'broken',
});

const send = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  app.post(`/api/v1/${path}?format=json`, body, { headers });

async function makeStory(mark: string): Promise<number> {
  const answer = await direct.post('/api/v1/UserStories?format=json', story(mark));
  return answer.json.Id;
}

/** Stories, tasks, assignments and tags of a mark; of each one story, two, one and one make it whole. */
async function countsOf(mark: string): Promise<number[]> {
  const [row] = await direct.rows(
    `with s as (select id from general where entity_type_id = 4 and name = $1)
     select (select count(*)::int from s) as a, (select count(*)::int from general where user_story_id in (select id from s)) as b,
       (select count(*)::int from assignment where assignable_id in (select id from s)) as c,
       (select count(*)::int from general_tag where general_id in (select id from s)) as d`,
    [mark],
  );
  return Object.values(row);
}

const firstPassword = 'broken at first';
const cookies = new Map<string, string>();

async function makeUser(Login: string): Promise<number> {
  const body = { Login, Email: `${Login}@example.com`, Password: firstPassword };
  return (await direct.post('/api/v1/Users?format=json', body)).json.Id;
}

// biome-ignore lint/suspicious/noExplicitAny: each write states what it selects
const accountOf = (login: string, columns: string): Promise<any[]> =>
  direct.rows(`select ${columns} from general_user u where login = $1`, [login]);

const deletedOf = async (mark: string): Promise<number[]> =>
  (
    await direct.rows(`select count(*)::int as n from general where name like $1 || '%' and delete_date is not null`, [
      mark,
    ])
  ).map(({ n }) => n);

const writes: Record<string, Write> = {
  'a create': {
    act: (mark) => send('UserStories', story(mark)),
    stored: async (mark) => as(await countsOf(mark), [1, 2, 1, 1], [0, 0, 0, 0]),
  },
  'a create with a key': {
    act: (mark) => send('UserStories', story(mark), { 'idempotency-key': mark }),
    stored: async (mark) => as(await countsOf(mark), [1, 2, 1, 1], [0, 0, 0, 0]),
  },
  'a bulk': {
    act: (mark) => send('UserStories/bulk', [story(mark), story(mark), story(mark)]),
    stored: async (mark) => as(await countsOf(mark), [3, 6, 3, 3], [0, 0, 0, 0]),
  },
  'an update': {
    prepare: (mark) => makeStory(`${mark} before`),
    act: (mark, id) => send(`UserStories/${id}`, { Name: mark, Tasks: [{ Name: 'task 3' }] }),
    stored: async (mark) => as(await countsOf(mark), [1, 3, 1, 1], [0, 0, 0, 0]),
  },
  'a deletion': {
    prepare: makeStory,
    act: (_, id) => app.ask(`/api/v1/UserStories/${id}?format=json`, { method: 'DELETE' }),
    stored: async (mark) => as(await deletedOf(mark), [3], [0]),
  },
  'a restoration': {
    prepare: async (mark) => {
      const id = await makeStory(mark);
      await direct.ask(`/api/v1/UserStories/${id}`, { method: 'DELETE' });
      return id;
    },
    act: (_, id) => send('undelete', { EntityType: 'UserStory', Id: id }),
    stored: async (mark) => as(await deletedOf(mark), [0], [3]),
  },
  'a setting': {
    act: (mark) => send('GlobalSettings', { CompanyName: mark }),
    stored: async (mark) =>
      as(
        await direct.rows('select company_name = $1 as is from global_settings', [mark]),
        [{ is: true }],
        [{ is: false }],
      ),
  },
  'an access token': {
    act: (mark) => send('AccessTokens', { Name: mark }),
    stored: async (mark) =>
      as(
        await direct.rows('select count(*)::int as n from access_token where name = $1', [mark]),
        [{ n: 1 }],
        [{ n: 0 }],
      ),
  },
  'a service token': {
    prepare: makeUser,
    act: (mark) => app.post(`/api/v1/Authentication?login=${mark}&format=json`, ''),
    stored: async (mark) => as(await accountOf(mark, 'token_version as v'), [{ v: 1 }], [{ v: 0 }]),
  },
  'a password of who has a session': {
    prepare: async (mark) => {
      const id = await makeUser(mark);
      cookies.set(mark, cookieOf(await logIn(direct, mark, firstPassword)));
      await direct.rows('create table if not exists hash_before as select * from general_user where false');
      await direct.rows('insert into hash_before select * from general_user where id = $1', [id]);
      return id;
    },
    act: (mark) => {
      const body = JSON.stringify({ CurrentPassword: firstPassword, NewPassword: `${firstPassword}, then` });
      const headers = { cookie: cookies.get(mark)!, origin: app.base, 'content-type': 'application/json' };
      return app.raw('/api/v1/Users/LoggedUser/Password?format=json', { method: 'POST', body, headers });
    },
    stored: async (mark) => {
      const same = 'password_hash = (select h.password_hash from hash_before h where h.id = u.id) as is_same';
      const sessions = '(select count(*)::int from session where user_id = u.id) as n';
      const whole = [{ is_same: false, n: 1 }];
      return as(await accountOf(mark, `${same}, ${sessions}`), whole, [{ is_same: true, n: 1 }]);
    },
  },
};

type Place = 'begin' | 'within' | 'commit' | 'behind';

/** What happens to a statement, by where it stands. */
interface Fault {
  fate(place: Place): Fate | undefined;
  /** The write is stored all the same, wherever it strikes. */
  isOvercome?: boolean;
}

/** As a server refuses: outside of a transaction it has none afterwards, within one it takes nothing more. */
const refused = (code: string, isOvercome = false): Fault => ({
  isOvercome,
  fate: (place) => ({
    kind: 'refuse',
    code,
    status: place === 'within' ? 'E' : 'I',
    ...(place === 'commit' && { instead: 'rollback' }),
  }),
});

const onlyCommit = (fate: Fate): Fault => ({
  isOvercome: true,
  fate: (place) => (place === 'commit' ? fate : undefined),
});

const faults: Record<string, Fault> = {
  'cut before': { isOvercome: true, fate: () => ({ kind: 'cut' }) },
  'cut within': { isOvercome: true, fate: () => ({ kind: 'cut within' }) },
  'cut behind': { isOvercome: true, fate: () => ({ kind: 'forward and cut' }) },
  'refused with 08P01': refused('08P01'),
  'refused with 25P02': refused('25P02'),
  'refused with XX000': refused('XX000'),
  'refused with 57P01': refused('57P01', true),
  'refused with 40001': refused('40001', true),
  'refused by what keeps the transaction open': {
    fate: (place) => ({ kind: 'refuse', code: 'XX000', status: place === 'within' ? 'T' : 'I' }),
  },
  'carried out but answered with 08P01': onlyCommit({ kind: 'forward and refuse', code: '08P01', status: 'I' }),
  'carried out but answered with 40001': onlyCommit({ kind: 'forward and refuse', code: '40001', status: 'I' }),
  'refused by what leaves the transaction open': onlyCommit({ kind: 'refuse', code: '40001', status: 'I' }),
  'begun but answered with 08P01': {
    isOvercome: true,
    fate: (place) => (place === 'begin' ? { kind: 'forward and refuse', code: '08P01', status: 'I' } : undefined),
  },
};

interface Strike {
  /** What it struck, if there was so much. */
  at?: { place: Place; text: string };
  /** What was asked on any connection afterwards. */
  readonly later: string[];
}

/**
 * Lets a fault strike once: the statement that comes that many behind the first `begin`, of those that it can strike.
 */
function strike(at: number, { fate }: Pick<Fault, 'fate'>): Strike {
  const places = new Map<number, Place>();
  const strike: Strike = { later: [] };
  let count = 0;
  proxy.decide = ({ text, connection }: Passing) => {
    if (strike.at) strike.later.push(text);
    const place = nextPlace(places.get(connection), text);
    if (!place) return forward;
    places.set(connection, place);
    const wanted = fate(place);
    if (!wanted || strike.at || count++ !== at) return forward;
    strike.at = { place, text };
    return wanted;
  };
  return strike;
}

function nextPlace(before: Place | undefined, text: string): Place | undefined {
  if (text.startsWith('begin')) return 'begin';
  if (before === undefined) return undefined;
  if (text.startsWith('commit')) return 'commit';
  return before === 'commit' || before === 'behind' ? 'behind' : 'within';
}

interface Run extends Strike {
  answer: Answer;
  stored: Stored;
}

async function run(write: Write, at: number, fault: Pick<Fault, 'fate'>): Promise<Run> {
  made += 1;
  const mark = `broken-${made}`;
  const id = (await write.prepare?.(mark)) ?? 0;
  const struck = strike(at, fault);
  const answer = await write.act(mark, id);
  proxy.decide = () => forward;
  return { ...struck, answer, stored: await write.stored(mark, id) };
}

/** Strikes each statement in turn, until there is none left. */
async function everywhere(write: Write, fault: Pick<Fault, 'fate'>): Promise<Run[]> {
  const runs: Run[] = [];
  for (let at = 0; ; at += 1) {
    const done = await run(write, at, fault);
    if (!done.at) return runs;
    runs.push(done);
  }
}

const isDone = ({ status }: Answer): boolean => status === 200 || status === 201;

const isUnknown = ({ status, text, json, headers }: Answer): boolean =>
  status === 503 &&
  json.Code === 'OutcomeUnknown' &&
  /unknown.*Idempotency-Key/.test(text) &&
  !headers.has('retry-after');

const shown = ({ at, answer, stored }: Run) =>
  `${at?.place}: ${at?.text.slice(0, 60)} -> ${answer.status} ${isDone(answer) ? '' : answer.text} ${JSON.stringify(stored)}`;

/** Each write meets those that differ in what they leave; a create meets all. */
const telling = [
  'cut before',
  'cut behind',
  'refused with 08P01',
  'refused with 40001',
  'carried out but answered with 08P01',
];

const faultsOf = (name: string): [string, Fault][] =>
  Object.entries(faults).filter(([fault]) => name === 'a create' || telling.includes(fault));

describe.each(Object.entries(writes))('F29: %s', (name, write) => {
  it.each(faultsOf(name))('%s, at each statement', { timeout: 60_000 }, async (_, fault) => {
    const runs = await everywhere(write, fault);
    expect(runs.length).toBeGreaterThan(0);
    for (const one of runs) {
      const isStored = fault.isOvercome || one.at?.place === 'begin' || one.at?.place === 'behind';
      expect([isDone(one.answer), one.stored], shown(one)).toEqual(isStored ? [true, 'whole'] : [false, 'no']);
      if (!isStored) expect([500, 503], shown(one)).toContain(one.answer.status);
    }
  });

  it('on a connection that loses the transaction, at each statement', { timeout: 60_000 }, async () => {
    const inside = (place: Place): Fate | undefined => (place === 'begin' ? undefined : { kind: 'swap' });
    for (const one of await everywhere(write, { fate: inside })) {
      if (one.at?.place === 'within') {
        expect(isUnknown(one.answer), shown(one)).toBe(true);
        expect(one.later.filter((text) => /^(begin|commit)/.test(text))).toEqual([]);
      } else {
        expect([isDone(one.answer), one.stored], shown(one)).toEqual(
          one.at?.place === 'behind' ? [true, 'whole'] : [false, 'no'],
        );
      }
    }
  });
});

describe('writes in three round trips', () => {
  const one = { Role: { Id: 1 } };
  const sent: Record<string, (item: number) => [path: string, body: unknown]> = {
    'a story with an assignment and efforts': () => [
      'UserStories',
      {
        Name: 'broken-trips',
        Project: { Id: project },
        Assignments: [{ GeneralUser: { Id: 1 }, ...one }],
        RoleEfforts: [{ ...one, Effort: 3 }],
      },
    ],
    'a name': (item) => ['UserStories', { Id: item, Name: `broken-trips-${made++}` }],
    'a time record': (item) => ['Times', { Assignable: { Id: item }, Spent: 1, Description: 'broken', ...one }],
    'a comment': (item) => ['Comments', { General: { Id: item }, Description: 'broken' }],
  };

  it.each(Object.entries(sent))('%s', async (_, requestFor) => {
    const item = await makeStory('broken-trips');
    // Accounts and definitions are read before the first one.
    await send(...requestFor(item));
    let connection = 0;
    const trips = new Set<number>();
    proxy.decide = (passing) => {
      if (passing.text.startsWith('begin')) connection = passing.connection;
      if (passing.connection === connection) trips.add(passing.roundTrip);
      return forward;
    };
    expect((await send(...requestFor(item))).status).toBeLessThan(300);
    expect(trips.size).toBe(3);
  });
});

it('F29: survives that one in twenty transactions does not begin', { timeout: 60_000 }, async () => {
  let begun = 0;
  proxy.decide = ({ text }) => {
    if (!text.startsWith('begin')) return forward;
    begun += 1;
    return begun % 20 === 0 ? { kind: 'refuse', code: '08P01', status: 'I' } : forward;
  };
  const marks = Array.from({ length: 240 }, (_, at) => `broken-twenty-${at}`);
  const statuses: number[] = [];
  const work = async (): Promise<void> => {
    for (let mark = marks.pop(); mark; mark = marks.pop()) {
      const created = await send('UserStories', story(mark));
      const path = `/api/v1/UserStories/${created.json.Id}?format=json`;
      const deleted = Number(mark.slice(14)) % 2 === 0 ? await app.ask(path, { method: 'DELETE' }) : undefined;
      statuses.push(created.status, ...(deleted ? [deleted.status] : []));
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(statuses.filter((status) => status === 201)).toHaveLength(240);
  expect(statuses.filter((status) => status === 200)).toHaveLength(120);
  const rows = await direct.rows(
    `select count(*)::int as stories, count(distinct name)::int as names, count(delete_date)::int as deleted
     from general where entity_type_id = 4 and name like 'broken-twenty-%'`,
  );
  expect(rows).toEqual([{ stories: 240, names: 240, deleted: 120 }]);
});

describe('what is stored and cannot be read', () => {
  const idOf = async (name: string): Promise<number> =>
    (await direct.rows('select id from general where name = $1 and entity_type_id = 4', [name]))[0].id;
  const isMarked = ({ headers }: Answer): boolean => /^199 /.test(headers.get('warning') ?? '');

  it('is answered with its kind and id', async () => {
    proxy.leaveAtCommit(forward);
    const answer = await send('UserStories', story('broken-brief'));
    expect([answer.status, isMarked(answer), answer.headers.get('etag')]).toEqual([201, true, null]);
    expect(answer.json).toEqual({ ResourceType: 'UserStory', Id: await idOf('broken-brief') });
  });

  it('is answered so for a list, in XML', async () => {
    proxy.leaveAtCommit(forward);
    const body = `<UserStories><UserStory Name="broken-brief-xml"><Project Id="${project}"/></UserStory></UserStories>`;
    const answer = await app.post('/api/v1/UserStories/bulk', body);
    expect([answer.status, isMarked(answer)]).toEqual([200, true]);
    const id = await idOf('broken-brief-xml');
    expect(answer.text).toContain(`<UserStory ResourceType="UserStory" Id="${id}" />`);
  });

  it('is answered so for what is restored', async () => {
    const id = await makeStory('broken-brief-restored');
    await direct.ask(`/api/v1/UserStories/${id}`, { method: 'DELETE' });
    proxy.leaveAtCommit(forward);
    const answer = await send('undelete', { EntityType: 'UserStory', Id: id });
    expect([answer.status, isMarked(answer), answer.json]).toEqual([200, true, { ResourceType: 'UserStory', Id: id }]);
  });

  it('tells an access token all the same', async () => {
    proxy.leaveAtCommit(forward);
    const { status, json } = await send('AccessTokens', { Name: 'broken-brief' });
    expect([status, json]).toEqual([
      201,
      { ResourceType: 'AccessToken', Id: expect.any(Number), Token: expect.any(String) },
    ]);
  });
});

describe('F4: an outcome that the database cannot be asked for', () => {
  /** Strikes the commit, and leaves no other connection. */
  const leave = (fate: Fate): void => {
    proxy.decide = ({ text, connection }) => {
      if (!text.startsWith('commit')) return forward;
      proxy.refuseNewConnections();
      proxy.endConnections(connection);
      return fate;
    };
  };

  it.each<[string, Fate, number]>([
    ['committed', { kind: 'forward and cut' }, 1],
    ['not committed', { kind: 'cut' }, 0],
  ])(
    'is unknown: %s, and stored once by a repetition with the same key',
    { timeout: 60_000 },
    async (_, fate, stored) => {
      const [mark, headers] = [`broken-unknown-${stored}`, { 'idempotency-key': `key-${stored}` }];
      leave(fate);
      expect(isUnknown(await send('UserStories', story(mark), headers))).toBe(true);
      expect(await countsOf(mark)).toEqual([stored, 2 * stored, stored, stored]);
      proxy.decide = () => forward;
      proxy.acceptConnections();
      const again = await send('UserStories', story(mark), headers);
      expect([again.status, again.json.Name]).toEqual([201, mark]);
      expect(await countsOf(mark)).toEqual([1, 2, 1, 1]);
      expect((await send('UserStories', story(mark), headers)).text).toBe(again.text);
    },
  );
});
