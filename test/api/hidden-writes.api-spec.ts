/**
 * What is written where a caller may not see it leaves his answers as they were. An administrator writes hidden rows of
 * every kind through the service, refers from them to visible rows wherever the model can, and what the callers read is
 * compared.
 *
 * Totals that are stored with a visible parent may move, as docs/contract.md says, and with them its version and entity
 * tag. Where a reference of a visible row goes from one hidden row to another one, `published` lists what shows that.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CollectionField, Field, ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, make, makeEverything, model } from '../support/builder.js';
import { stateOf } from '../support/refusal.js';
import { definePointers } from '../support/secrets.js';
import { inParallel } from '../support/sweep.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 });

let app: TestApp;
/** The project of the member and the observer; one that none of the callers sees anything of. */
let own: Ids;
let hidden: Ids;
/** Another such project. */
let farther: Ids;
const callers = ['the member', 'the observer', 'the team'];

beforeAll(async () => {
  app = await TestApp.start({ DB_POOL: '1', MAX_PLANS_MB: '2048' });
  await app.rows('truncate general cascade');
  own = (await makeEverything(app, 'own', {})).ids;
  const open = { Company: own.Company!, Tag: own.Tag!, Requester: own.Requester! };
  await definePointers(app);
  hidden = (await makeEverything(app, 'hidden', open)).ids;
  farther = (await makeEverything(app, 'farther', open)).ids;
  for (const name of callers) await caller(name);
});
afterAll(() => app.stop());

/** The team sees of the project what is assigned to it, and nothing else. */
async function caller(Login: string): Promise<void> {
  const place = { mark: 'caller', ids: { ...own } };
  const IsObserver = Login === 'the observer';
  place.ids.User = await make(app, 'User', place, { Login, Email: `${Login.slice(4)}@example.com`, IsObserver });
  if (Login !== 'the team') {
    await make(app, 'ProjectMember', { mark: '', ids: place.ids });
    return;
  }
  const Team = await make(app, 'Team', place);
  await make(app, 'TeamMember', { mark: '', ids: { ...place.ids, Team } });
  for (const kind of ['Epic', 'Feature', 'UserStory', 'TestPlan'])
    await make(app, 'TeamAssignment', { mark: '', ids: { ...own, Team, Assignable: own[kind]! } });
}

const write = async (path: string, body: unknown) => {
  const answer = await app.post(`/api/v1/${path}?format=json&include=[Id]`, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.json as { Id: number };
};

// --- what a caller reads ---------------------------------------------------------------------------------------------

const totals =
  'Effort|EffortCompleted|EffortToDo|Progress|TimeSpent|TimeRemain|(?:NotRun|Passed|Failed|OnHold|Blocked)Count';
const total = new RegExp(`"(?:${totals})":[^,}]+`, 'gi');
const version = /"EntityVersion":\d+/gi;
const errorId = /"ErrorId":"[^"]+"/;

interface Shown {
  facts: string;
  totals: string;
  versions: string;
}

const listed = model.resources.filter(({ isAbstract, name }) => !isAbstract && name !== 'GlobalSettings');
const histories = listed.filter(({ table }) => table === 'full_history');

const questions = (): string[] => [
  ...listed.flatMap(({ name, collection, fields, root }) => {
    const collections = fields.filter(({ kind }) => kind === 'collection').map((field) => field.name);
    const base = `/api/v1/${collection}/${own[name]}?format=json&innerTake=1000`;
    if (own[name] === undefined) return [];
    const second = root.name === 'General' ? [`/api/v2/${name}?where=id==${own[name]}`] : [];
    return [base, ...second, ...(collections.length > 0 ? [`${base}&include=[Id,${collections}]`] : [])];
  }),
  ...histories.map(({ collection }) => `/api/v1/${collection}?format=json&take=1000`),
  '/api/v1/GeneralUsers?format=json&take=1000',
  '/api/v1/Generals?format=json&take=1000&include=[Id,Name,Project,EntityState]',
];

/**
 * What each caller is shown. All are asked a question at once, since planning its statement costs most, and is kept for
 * a while.
 */
async function shownToAll(): Promise<Map<string, Map<string, Shown>>> {
  const asked = questions();
  // Backwards every other time: the statements of the last questions are still kept.
  isBackwards = !isBackwards;
  const inOrder = isBackwards ? asked.toReversed() : asked;
  const answers = await inParallel(
    inOrder,
    async (path) => [path, await Promise.all(callers.map((as) => shownAt(path, as)))] as const,
    2,
  );
  const byPath = new Map(answers);
  return new Map(callers.map((as, at) => [as, new Map(asked.map((path) => [path, byPath.get(path)![at]!]))]));
}
let isBackwards = false;

async function shownAt(path: string, as: string): Promise<Shown> {
  const { status, headers, text } = await app.ask(path, { as });
  return {
    facts: `${status} ${text.replace(total, '').replace(version, '').replace(errorId, '')}`,
    totals: (text.match(total) ?? []).join(),
    // A page of collections shows no totals to compare with, and version 2 has no entity tags.
    versions: /include|v2/.test(path) ? '' : `${text.match(version)} ${headers.get('etag')?.split('-')[0]}`,
  };
}

type View = Awaited<ReturnType<typeof shownToAll>>;

/** Who is asked, and what is published to them, as docs/contract.md says. */
interface Seen {
  readers: readonly string[];
  isPublished?(path: string): boolean;
  withoutPublished?(facts: string): string;
  /** The row itself was written: the version moves where it is a count of changes. */
  isWritten?: boolean;
}

const everybody: Seen = { readers: callers };

const isRecord = (path: string): boolean => histories.some(({ collection }) => path.includes(`/${collection}?`));
const withoutDate = (facts: string): string => facts.replaceAll(/"ModifyDate":"[^"]*"/gi, '');
const withoutHistory = (facts: string): string => facts.replace(/"History":\{"Items":\[[^\]]*\]/, '');

/**
 * Who sees an item through a team alone sees when its totals moved with parts in its project, and when it moved within
 * that.
 */
const throughTeamAlone: Seen = { readers: ['the team'], isPublished: isRecord, withoutPublished: withoutHistory };

/** Rows whose version is a digest of their columns, with a reference to what may be hidden from who sees the row. */
const tagged = /\/(Times|Attachments|TestCaseRuns)\//;

/** That a row was written: its date and version, and its editor, who is the same here. */
const written: Seen = { readers: callers, withoutPublished: withoutDate, isWritten: true };

/** Empty where every caller reads the same, versions included unless a total has moved. */
function differences(before: View, after: View, { readers, isPublished, withoutPublished, isWritten }: Seen): string[] {
  const compared = withoutPublished ?? ((facts: string) => facts);
  return readers.flatMap((as) =>
    [...before.get(as)!].flatMap(([path, was]) => {
      const is = after.get(as)!.get(path)!;
      if (isPublished?.(path)) return [];
      const [first, second] = [compared(was.facts), compared(is.facts)];
      if (first !== second) return [`${as} ${path}: ${around(first, second)}`];
      if (isWritten && (is.versions.includes('EntityVersion') || tagged.test(path))) return [];
      if (was.totals === is.totals && was.versions !== is.versions)
        return [`${as} ${path}: ${was.versions} <> ${is.versions}`];
      return [];
    }),
  );
}

function around(first: string, second: string): string {
  const at = [...first].findIndex((letter, place) => letter !== second[place]);
  return [first, second].map((text) => text.slice(Math.max(0, at - 80), at + 60)).join(' <> ');
}

/** What was shown last, and the state of the database at that time. */
let last: { view: View; state: string } | undefined;

async function view(): Promise<View> {
  const state = await stateOf(app);
  if (last?.state === state) return last.view;
  const shown = await shownToAll();
  last = (await stateOf(app)) === state ? { view: shown, state } : undefined;
  return shown;
}

async function leavesAnswers(act: () => Promise<unknown>, seen = everybody): Promise<void> {
  const before = await view();
  await act();
  expect(differences(before, await view(), seen)).toEqual([]);
}

/** Every reference of every kind. */
const references = listed.flatMap(({ name, fields }) =>
  fields
    .filter((field): field is ReferenceField => field.kind === 'reference' && field.isSettable)
    .map((field): [string, ReferenceField] => [name, field]),
);
const idIn = (ids: Ids, { name }: ResourceType): number | undefined =>
  ids[name] ?? { General: ids.Bug, Assignable: ids.Bug, GeneralUser: ids.User }[name];

/** What places a row would bring it into sight. */
function places(kind: string, { name, column }: ReferenceField): boolean {
  const { fields, settings } = model.resource(kind);
  const deciding = 'references' in settings.visible ? settings.visible.references : [];
  return (
    ['Project', `${kind === 'Task' ? 'UserStory' : ''}`].includes(name) ||
    fields.some((one) => one.kind === 'reference' && one.column === column && deciding.includes(one.property))
  );
}

const visibleToAll = /^(User|Requester|PortfolioEpic|Team|TeamIteration|TeamMember)$/;
const isHidden = (kind: string): boolean =>
  !visibleToAll.test(kind) && hidden[kind] !== undefined && hidden[kind] !== own[kind];

// --- what is written out of sight ------------------------------------------------------------------------------------

describe('tests that are run out of sight', () => {
  const run = async (plan: number) => {
    const { Id } = await write('TestPlanRuns', { TestPlan: { Id: plan } });
    const caseRuns = await app.rows(
      `with recursive below as (select $1::bigint as id union select g.id from below b join general g on g.parent_test_plan_run_id = b.id)
       select c.id, c.test_case_id, r.project_id from test_case_run c join below b on b.id = c.test_plan_run_id
       join general r on r.id = b.id order by c.id`,
      [Id],
    );
    return { Id, caseRuns };
  };
  const failed = { Status: 'Failed', Comment: 'told nowhere' };

  it('a visible test case in a hidden plan', async () => {
    await leavesAnswers(async () => {
      const plan = await write('TestPlans', {
        Name: 'hidden',
        Project: { Id: hidden.Project },
        TestCases: [{ Id: own.TestCase }],
      });
      const { Id, caseRuns } = await run(plan.Id);
      expect(caseRuns).toHaveLength(1);
      await write(`TestCaseRuns/${caseRuns[0].id}`, failed);
      await write(`TestCaseRuns/${caseRuns[0].id}`, { Bugs: [{ Id: hidden.Bug }, { Id: own.Bug }] });
      await app.ask(`/api/v1/TestPlanRuns/${Id}`, { method: 'DELETE' });
      await app.post('/api/v1/undelete', { EntityType: 'TestPlanRun', Id });
    });
    const [{ LastRunStatus, LastFailureComment }] = await app.items(`/api/v1/TestCases?where=Id eq ${own.TestCase}`);
    expect([LastRunStatus, LastFailureComment]).toEqual([null, null]);
    for (const where of ["LastRunStatus eq 'Failed'", "LastFailureComment contains 'told'", 'LastRunDate is not null'])
      expect(await app.items(`/api/v1/TestCases?where=${where}`, { as: 'the member' })).toEqual([]);
    const answer = await app.ask(`/api/v2/TestCase?where=lastRunStatus=='Failed' or lastStatus==false&select=id`, {
      as: 'the member',
    });
    expect(answer.json.items).toEqual([]);
  });

  it('a hidden test case in a visible plan, and a hidden plan below it', async () => {
    const plan = await write('TestPlans', {
      Name: 'own',
      Project: { Id: own.Project },
      TestCases: [{ Id: own.TestCase }, { Id: hidden.TestCase }],
      ChildTestPlans: [{ Id: hidden.TestPlan }],
    });
    own.TestPlanRun = (await run(plan.Id)).Id;
    const caseRuns = await app.rows(
      `select c.id from test_case_run c join general r on r.id = c.test_plan_run_id
       where (r.id = $1 or r.parent_test_plan_run_id = $1) and c.test_case_id = $2 order by 1`,
      [own.TestPlanRun, hidden.TestCase],
    );
    expect(caseRuns).toHaveLength(2);
    for (const { id } of caseRuns)
      await leavesAnswers(async () => {
        await write(`TestCaseRuns/${id}`, failed);
        await write(`TestCaseRuns/${id}`, { Bugs: [{ Id: own.Bug }] });
      });
  });
});

describe('links that are made out of sight', () => {
  it('a hidden plan for a visible item, and a visible plan for a hidden item', async () => {
    await leavesAnswers(async () => {
      await write(`TestPlans/${hidden.TestPlan}`, { LinkedGeneral: { Id: own.UserStory } });
      await write(`TestPlans/${hidden.TestPlan}`, { LinkedGeneral: { Id: own.Feature } });
      await write(`Bugs/${hidden.Bug}`, { LinkedTestPlan: { Id: own.TestPlan } });
      await write(`Bugs/${hidden.Bug}`, { LinkedTestPlan: null });
    });
  });

  const apart = listed.filter(({ name }) => name !== 'Project');
  it('references from hidden rows to visible ones', async () => {
    let taken = 0;
    await leavesAnswers(async () => {
      for (const [kind, field] of references) {
        if (!isHidden(kind) || places(kind, field)) continue;
        const { name, target } = field;
        const Id = idIn(own, target);
        const { collection } = model.resource(kind);
        const answer = await app.post(`/api/v1/${collection}/${hidden[kind]}`, { [name]: { Id } });
        taken += Number(answer.status === 200);
      }
    });
    expect(taken).toBeGreaterThan(60);
  });

  it('collections of hidden rows that visible ones are put into and taken out of', async () => {
    let taken = 0;
    await leavesAnswers(async () => {
      for (const { name: kind, collection, fields } of apart.filter(({ name }) => isHidden(name))) {
        for (const { name, kind: of, ...field } of fields) {
          const { target, via } = field as unknown as CollectionField;
          if (of !== 'collection' || via.kind !== 'link' || target.settings.visible.kind === 'everyone') continue;
          const item = idIn(own, target);
          const base = `/api/v1/${collection}/${hidden[kind]}/${name}`;
          const put = await app.post(base, { Id: item });
          const out = await app.ask(`${base}/${item}`, { method: 'DELETE' });
          taken += Number(put.status === 200 && out.status === 200);
        }
      }
    });
    expect(taken).toBeGreaterThan(5);
  });
});

describe('visible rows that refer to hidden ones', () => {
  /** Not those that would take the row out of sight, or what it refers to into it. */
  const moved = () =>
    references.filter(([kind, field]) => {
      if (field.target.name === 'Program' || model.resource(kind).settings.key?.includes(field.property)) return false;
      const [first, second] = [idIn(hidden, field.target), idIn(farther, field.target)];
      const isOpen = visibleToAll.test(field.target.name) || field.target.root.name === 'GeneralUser';
      return own[kind] !== undefined && !isOpen && !places(kind, field) && first !== undefined && first !== second;
    });

  const addressOf = (kind: string): string => `/api/v1/${model.resource(kind).collection}/${own[kind]}`;

  /** Those that are stored. */
  async function refer(ids: Ids, some = moved()): Promise<typeof references> {
    const stored: typeof references = [];
    for (const [kind, field] of some) {
      const Id = idIn(ids, field.target)!;
      await app.post(addressOf(kind), { [field.name]: { Id } });
      const { json } = await app.ask(`${addressOf(kind)}?format=json&include=[${field.name}]`);
      if (json[field.name]?.Id === Id) stored.push([kind, field]);
    }
    return stored;
  }

  async function clear(some: typeof references): Promise<void> {
    for (const [kind, { name }] of some) await app.post(addressOf(kind), { [name]: null });
  }

  /** So that what happens next joins with none of the records that there are. */
  const age = () =>
    app.rows(`update full_history set date = date - interval '6 minutes', date_to = case
      when date_to > '9000-01-01' then date_to else date_to - interval '6 minutes' end`);

  it('and then to others, to nothing and to hidden ones again: nothing but that they were written', async () => {
    const stored = await refer(hidden);
    expect(stored.length).toBeGreaterThan(60);
    await age();
    const [{ now }] = await app.rows('select now()::timestamptz(3) as now');
    await leavesAnswers(async () => expect(await refer(farther, stored)).toEqual(stored), written);
    // Who keeps a copy by dates of change misses none of them.
    const where = `ModifyDate gte '${now.toISOString()}'`;
    const copied = await app.items(`/api/v1/Generals?take=1000&include=[Id]&where=${where}`);
    const generals = stored.filter(([kind]) => model.resource(kind).root.name === 'General');
    expect(copied.map(({ Id }) => Id)).toEqual(expect.arrayContaining(generals.map(([kind]) => own[kind])));
    // What a run without a run above it is the root of is itself, which is seen.
    const others = stored.filter(([, { name }]) => name !== 'ParentTestPlanRun');
    await age();
    await leavesAnswers(() => clear(others), written);
    await age();
    await leavesAnswers(() => refer(hidden, others), written);
  });

  it('by their collections', async () => {
    const isResource = (table: string): boolean => model.resources.some((one) => one.table === table);
    let taken = 0;
    const put = async (ids: Ids, method: 'POST' | 'DELETE'): Promise<void> => {
      for (const { name: kind, fields } of listed.filter(({ name }) => own[name] !== undefined))
        for (const { name, kind: of, ...field } of fields) {
          const { target, via } = field as unknown as CollectionField;
          if (of !== 'collection' || via.kind !== 'link' || isResource(via.table)) continue;
          if (target.settings.visible.kind === 'everyone') continue;
          const [path, Id] = [`${addressOf(kind)}/${name}`, idIn(ids, target)];
          const { status } =
            method === 'POST' ? await app.post(path, { Id }) : await app.ask(`${path}/${Id}`, { method });
          taken += Number(status < 300);
        }
    };
    await leavesAnswers(() => put(hidden, 'POST'), written);
    await leavesAnswers(async () => {
      await put(hidden, 'DELETE');
      await put(farther, 'POST');
    }, written);
    expect(taken).toBeGreaterThan(15);
  });

  it('by custom fields: a record of the full history shows that one was written, and not which', async () => {
    const point = (ids: Ids) =>
      write(`UserStories/${own.UserStory}`, {
        CustomFields: [
          { Name: 'Pointer', Value: { Id: ids.Bug, Kind: 'Bug' } },
          { Name: 'Pointers', Value: `${ids.Bug} bug` },
        ],
      });
    await point(hidden);
    await age();
    await leavesAnswers(() => point(farther), { ...written, isPublished: isRecord });
    const changed = `IsCustomValueChanged("Pointer") or IsCustomValueChanged("Pointers")`;
    const { json } = await app.ask(`/api/v2/UserStoryHistory?select={x:${changed}}&take=1000`, { as: 'the member' });
    expect(json.items.filter(({ x }: { x: boolean }) => x)).toEqual([]);
  });

  it('within a project that only others see: its records show to who sees the item through a team', async () => {
    const Release = await make(app, 'Release', { mark: 'own', ids: own });
    await write(`UserStories/${own.UserStory}`, { Release: { Id: own.Release } });
    await leavesAnswers(() => write(`UserStories/${own.UserStory}`, { Release: { Id: Release } }), {
      ...throughTeamAlone,
      withoutPublished: (facts) => withoutHistory(withoutDate(facts)),
      isWritten: true,
    });
  });
});

describe('work that is done out of sight', () => {
  const parents: [kind: string, member: string, parent: string][] = [
    ['UserStory', 'Feature', 'Feature'],
    ['Bug', 'Feature', 'Feature'],
    ['Bug', 'UserStory', 'UserStory'],
    ['Feature', 'Epic', 'Epic'],
    ['Epic', 'PortfolioEpic', 'PortfolioEpic'],
    ['UserStory', 'Release', 'Release'],
    ['UserStory', 'TeamIteration', 'TeamIteration'],
    ['Request', 'Iteration', 'Iteration'],
  ];

  it('hidden parts of visible items, releases and iterations', async () => {
    const made: string[] = [];
    await leavesAnswers(async () => {
      for (const [kind, member, parent] of parents) made.push(await work(kind, { [member]: { Id: own[parent] } }));
    });
    await leavesAnswers(() => Promise.all(made.map((path) => app.ask(`/api/v1/${path}`, { method: 'DELETE' }))));
  });

  /** With efforts, times, people and comments; at its end. Tells its address. */
  async function work(kind: string, more: object): Promise<string> {
    const { collection } = model.resource(kind);
    const { Id } = await write(collection, { ...bodyOf(kind, { mark: 'hidden', ids: hidden }), ...more });
    await write('RoleEfforts', { Assignable: { Id }, Role: { Id: 1 }, Effort: 5 });
    await write('Times', { Assignable: { Id }, Spent: 2, Remain: 1, Description: 'hidden' });
    await write('Assignments', { Assignable: { Id }, GeneralUser: { Id: own.User }, Role: { Id: 1 } });
    await write('Comments', { General: { Id }, Description: 'hidden' });
    const [final] = await app.items(
      `/api/v1/EntityStates?where=(IsFinal eq 'true') and (EntityType.Name eq '${kind}') and (Process.Id eq 3)&take=1`,
    );
    await write(`${collection}/${Id}`, { EntityState: { Id: final.Id } });
    return `${collection}/${Id}`;
  }

  it('a task of a visible story, to who sees the story through a team only', async () => {
    await leavesAnswers(async () => {
      const { Id } = await write('Tasks', { Name: 'task', UserStory: { Id: own.UserStory }, Effort: 3 });
      await write('Times', { Assignable: { Id }, Spent: 2, Remain: 1, Description: 'hidden' });
    }, throughTeamAlone);
  });

  it('private fields of visible rows: passwords, logins, addresses, mails on a server', async () => {
    let taken = 0;
    await leavesAnswers(async () => {
      for (const { name: kind, collection, fields } of listed.filter(({ name }) => own[name] !== undefined)) {
        for (const field of fields.filter(isPrivate)) {
          const value = field.kind === 'reference' ? { Id: hidden[field.target.name] } : privateValue(field);
          const answer = await app.post(`/api/v1/${collection}/${own[kind]}`, { [field.name]: value });
          taken += Number(answer.status === 200);
        }
      }
      await write('GlobalSettings', { SystemPassword: 'of the system' });
    });
    expect(taken).toBeGreaterThan(6);
  });

  /** Administrators alone are shown it, or nobody. */
  const isPrivate = (field: Field): field is ScalarField | ReferenceField =>
    field.kind === 'scalar'
      ? field.isSettable && (field.isPrivate || field.isWriteOnly)
      : field.kind === 'reference' && field.isSettable && field.target.settings.visible.kind === 'administrators';

  const privateValue = ({ name }: ScalarField): string => (name === 'Email' ? 'new@example.com' : `new ${name} 1`);

  it('what is done on a visible item itself is told', async () => {
    const before = await view();
    await write('RoleEfforts', { Assignable: { Id: own.Feature }, Role: { Id: 1 }, Effort: 7 });
    await write('Times', { Assignable: { Id: own.UserStory }, Spent: 2, Remain: 1, Description: 'own' });
    const after = await view();
    for (const as of callers) expect(differences(before, after, { ...everybody, readers: [as] })).not.toEqual([]);
  });
});
