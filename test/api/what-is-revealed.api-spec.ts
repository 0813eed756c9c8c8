/**
 * What a caller may not see leaves no trace: rows planted in a project that he is no member of are looked for in the
 * answers to every way of asking, and then changed and deleted, which no answer to him may show.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make, model } from '../support/builder.js';
import { withoutWork } from '../support/demonstration.js';
import {
  definePointers,
  ownId,
  ownMark,
  plant,
  type Secrets,
  scramble,
  secretId,
  secretMark,
} from '../support/secrets.js';
import { filters, innerOf, inParallel, oraclesOf, type Question, wholeRows } from '../support/sweep.js';

// Thousands of questions, some seconds each set of them.
vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let secrets: Secrets;
/**
 * Logins: of a member of his own project, of who is only in a team that an item is assigned to, of an observer, of
 * nobody's.
 */
const callers = { member: '', team: '', observer: '', outsider: '' };
const ids: Ids = {};

beforeAll(async () => {
  app = await TestApp.start({ DB_POOL: '1', MAX_PLANS_MB: '1024' });
  // What the demonstration holds would only be in the way, and slow.
  await withoutWork(app);
  await definePointers(app);
  secrets = await plant(app);
  await people();
});
afterAll(() => app.stop());

async function people(): Promise<void> {
  const place = { mark: 'caller', ids: { ...secrets.own } };
  for (const name of Object.keys(callers) as (keyof typeof callers)[]) {
    ids[name] = await make(app, 'User', place, {
      Login: `the ${name}`,
      Email: `${name}@example.com`,
      IsObserver: name === 'observer',
    });
    callers[name] = `the ${name}`;
    if (name === 'member' || name === 'observer')
      await make(app, 'ProjectMember', { mark: '', ids: { ...place.ids, User: ids[name] } });
  }
  const team = await make(app, 'Team', { ...place, mark: 'Callers' });
  await make(app, 'TeamMember', { mark: '', ids: { ...place.ids, Team: team, User: ids.team! } });
  await make(app, 'TeamAssignment', { mark: '', ids: { ...place.ids, Team: team } });
}

const sweep = (questions: readonly Question[], as: string) =>
  inParallel(
    questions,
    async ({ path, isEmpty }) => {
      const { status, text } = await app.ask(path, { as });
      return { path, status, text, isEmpty };
    },
    2,
  );
type Answered = Awaited<ReturnType<typeof sweep>>[number];

/**
 * All callers are asked a question one after another: planning its statement costs most, and it is kept for a while.
 */
const sweptByAll = () =>
  inParallel(
    everything(),
    async (question) => ({
      member: (await sweep([question], callers.member))[0]!,
      team: (await sweep([question], callers.team))[0]!,
      observer: (await sweep([question], callers.observer))[0]!,
      outsider: (await sweep([question], callers.outsider))[0]!,
    }),
    2,
  );
let shown: ReturnType<typeof sweptByAll> | undefined;

/** What an answer tells that it must not: a few words around each place. */
const traces = (answers: readonly Answered[], ...marks: RegExp[]): string[] =>
  answers.flatMap(({ path, text }) =>
    marks.flatMap((mark) => {
      const at = text.replaceAll(decodeURIComponent(path), '').search(mark);
      return at < 0 ? [] : [`${decodeURIComponent(path).slice(0, 120)}: ${text.slice(Math.max(0, at - 80), at + 40)}`];
    }),
  );

// Logins and addresses of all but the callers.
const privateMark = /zq(login|mail|domain)/;
const isSecret = (id: number): boolean => secretId.test(String(id));
/** The settings are refused to all but administrators, whatever is asked. */
const readable = model.resources.filter(({ name }) => name !== 'GlobalSettings');
const everything = () => readable.flatMap(wholeRows);
const refusedOf = (answers: readonly Answered[]) =>
  answers
    .filter(({ status }) => status !== 200)
    .map(({ path, status, text }) => `${status} ${path} ${text.slice(0, 200)}`);

it('the planted rows are there, for who may see them', async () => {
  const planted = Object.entries(secrets.secret).filter(([, id]) => isSecret(id));
  expect(planted.length).toBeGreaterThan(35);
  for (const [kind, id] of planted) {
    const { collection } = model.resource(kind);
    const { status, text } = await app.ask(`/api/v1/${collection}/${id}?format=json`);
    expect([kind, status, text.includes(String(id))]).toEqual([kind, 200, true]);
    if (kind !== 'Team')
      expect([kind, (await app.ask(`/api/v1/${collection}/${id}`, { as: callers.member })).status]).toEqual([
        kind,
        404,
      ]);
  }
});

describe.each(['member', 'team', 'observer', 'outsider'] as const)('to the %s', (who) => {
  it('no list, nested entity, collection or number shows a hidden row', async () => {
    shown ??= sweptByAll();
    const answers = (await shown).map((one) => one[who]);
    expect(refusedOf(answers)).toEqual([]);
    const marks = [new RegExp(secretMark), secretId, privateMark];
    if (who === 'outsider') marks.push(new RegExp(ownMark), ownId);
    expect(traces(answers, ...marks)).toEqual([]);
  });
});

describe('to a member', () => {
  const as = () => callers.member;
  const hidden = () => Object.entries(secrets.secret).filter(([, id]) => isSecret(id));

  it('no filter finds a hidden row, by its texts, its ids or what it belongs to', async () => {
    const ids = hidden().map(([, id]) => id);
    const answers = await sweep(
      readable.flatMap((one) => filters(one, secretMark, ids)),
      as(),
    );
    expect(refusedOf(answers)).toEqual([]);
    expect(answers.filter(({ text }) => text !== '{"Items":[]}').map(({ path }) => decodeURIComponent(path))).toEqual(
      [],
    );
  });

  it('no inner route of a row of his own shows one', async () => {
    // The run of a hidden case is as hidden.
    const { TestCaseRun: _, TestStepRun: __, ...tied } = secrets.tied;
    const rows = [secrets.open, secrets.own, tied]
      .flatMap((some) => Object.entries(some))
      .filter(([kind]) => kind !== 'AssignedEffort');
    const answers = await sweep(
      rows.flatMap(([kind, id]) => innerOf(model.resource(kind), id)),
      as(),
    );
    expect(refusedOf(answers)).toEqual([]);
    expect(traces(answers, new RegExp(secretMark), secretId, privateMark)).toEqual([]);
  });

  it('E9: a hidden row is as missing as one that never was, with its collections, its file and its page', async () => {
    const paths = hidden().flatMap(([kind, id]) => {
      const resource = model.resource(kind);
      const bases = [resource, ...(resource.base ? [resource.base, resource.root] : [])];
      return bases.flatMap((one) => [`/api/v1/${one.collection}/${id}`, ...innerOf(one, id).map(({ path }) => path)]);
    });
    const others = [`/Attachment.aspx?AttachmentID=${secrets.secret.Attachment}`, `/entity/${secrets.secret.Bug}`];
    const answers = await sweep(
      [...paths, ...others].map((path) => ({ path })),
      as(),
    );
    for (const { path, status, text } of answers) {
      const missing = await app.ask(path.replace(secretId, '99000001'), { as: as() });
      expect([path, status, plain(text)]).toEqual([path, 404, plain(missing.text).replaceAll('99000001', idIn(path))]);
    }
  });

  it('every reference to a hidden row is refused as one to nothing, in the same words', async () => {
    const references = model.resources
      .filter(({ settings }) => settings.operations.update)
      .flatMap((resource) =>
        resource.fields.flatMap((field) => {
          const id = field.kind === 'reference' && field.isSettable ? (secrets.secret[field.target.name] ?? 0) : 0;
          return isSecret(id) && secrets.own[resource.name] !== undefined ? [{ resource, field, id }] : [];
        }),
      );
    expect(references.length).toBeGreaterThan(40);
    for (const { resource, field, id } of references) {
      const path = `/api/v1/${resource.collection}/${secrets.own[resource.name]}`;
      const [invisible, missing] = await Promise.all(
        [id, 99_000_001].map((one) => app.post(path, { [field.name]: { Id: one } }, { as: as() })),
      );
      expect([path, field.name, invisible!.status]).toEqual([path, field.name, invisible!.status === 403 ? 403 : 400]);
      expect([invisible!.status, plain(invisible!.text)]).toEqual([
        missing!.status,
        plain(missing!.text).replaceAll('99000001', String(id)),
      ]);
    }
  });

  it('a stamp on a hidden row is not even looked at', async () => {
    const path = `/api/v1/UserStories/${secrets.secret.UserStory}`;
    const { headers } = await app.ask(path);
    for (const stamp of [headers.get('etag')!, '"0-x"']) {
      const written = await app.post(path, { Name: 'x' }, { as: as(), headers: { 'if-match': stamp } });
      const read = await app.ask(path, { as: as(), headers: { 'if-none-match': stamp } });
      expect([written.status, read.status, read.headers.get('etag')]).toEqual([404, 404, null]);
    }
  });

  it('a value that points at a hidden row reads as nothing, and sending nothing back keeps it', async () => {
    const path = `/api/v1/UserStories/${secrets.tied.UserStory}?format=json&include=[CustomFields]`;
    const valuesFor = async (login: string) => {
      const { CustomFields } = await app.json(path, { as: login });
      return Object.fromEntries(CustomFields.map(({ Name, Value }: { Name: string; Value: unknown }) => [Name, Value]));
    };
    const everything = await valuesFor('admin');
    expect(everything).toMatchObject({ Pointer: { Id: secrets.secret.Bug, Kind: 'Bug' } });
    const shown = await valuesFor(as());
    expect(shown).toMatchObject({ Pointer: null, Pointers: `${secrets.own.Bug} bug` });
    const back = Object.entries(shown).map(([Name, Value]) => ({ Name, Value }));
    const answer = await app.post(path, { CustomFields: back }, { as: as() });
    expect([answer.status, await valuesFor('admin')]).toEqual([200, everything]);
    const added = { Name: 'Pointers', Value: `${secrets.tied.Bug} bug` };
    expect((await app.post(path, { CustomFields: [added] }, { as: as() })).status).toBe(200);
    expect(await valuesFor(as())).toMatchObject({ Pointers: `${secrets.tied.Bug} bug` });
    expect((await valuesFor('admin')).Pointers).toContain(`${secrets.secret.Bug} bug`);
  });

  it('a guess at what a custom field points at is refused, right or wrong', async () => {
    const path = `/api/v1/UserStories/${secrets.own.UserStory}?format=json`;
    const point = (Id: number, as: string) =>
      app.post(path, { CustomFields: [{ Name: 'Pointer', Value: { Id, Kind: 'Bug' } }] }, { as });
    expect((await point(secrets.secret.Bug!, 'admin')).status).toBe(200);
    for (const id of [secrets.secret.Bug!, 7_777_777]) {
      const { status, json } = await point(id, as());
      expect([status, json.Message]).toEqual([
        400,
        `CustomFields[0].Value: there is no Bug with Id ${id}, or access to it is forbidden.`,
      ]);
    }
    expect((await point(secrets.secret.Bug!, 'admin')).status).toBe(200);
  });

  it('nothing changes in any answer when hidden rows and private values of others are changed and deleted', async () => {
    const questions = [...everything(), ...oraclesOf()];
    const before = await sweep(questions, as());
    expect(refusedOf(before)).toEqual([]);
    await scramble(app, Object.values(ids));
    // Backwards: the statements of the last questions are still kept.
    const after = (await sweep(questions.toReversed(), as())).reverse();
    expect(before.flatMap((one, at) => difference(one, after[at]!.text))).toEqual([]);
  });
});

/** Where two answers to one question part. */
function difference({ path, text }: Answered, other: string): string[] {
  if (text === other) return [];
  const at = [...text].findIndex((letter, place) => letter !== other[place]);
  const shown = (one: string): string => one.slice(Math.max(0, at - 60), at + 40);
  return [`${decodeURIComponent(path).slice(0, 100)}: ${shown(text)} <> ${shown(other)}`];
}

const plain = (text: string): string => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
const idIn = (path: string): string => secretId.exec(path)![0];
