/**
 * Whoever names a row that he may not see does not wait for those who are writing it: his refusal comes at once, as for
 * an Id that names nothing. Somebody holds all hidden rows while every way to name one is tried; a request that waited
 * for them would end as one that took too long.
 */
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CollectionField, ResourceType } from '../../src/model/model.js';
import { type Ask, TestApp } from '../support/app.js';
import { bodyOf, type Ids, make, makeEverything, model } from '../support/builder.js';
import { idsFrom } from '../support/secrets.js';
import { inParallel } from '../support/sweep.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const missing = 99_000_001;
const as = 'the member';

let app: TestApp;
let holder: PoolClient;
let own: Ids;
let hidden: Ids;
/** Of the team to its task. */
let assignment: number;

beforeAll(async () => {
  app = await TestApp.start({ STATEMENT_TIMEOUT: '1' });
  await app.rows('truncate general cascade');
  own = (await makeEverything(app, 'own', {})).ids;
  await idsFrom(app, 77_000_000);
  hidden = (await makeEverything(app, 'hidden', { Company: own.Company!, Tag: own.Tag! })).ids;
  const place = { mark: '', ids: { ...own } };
  place.ids.User = await make(app, 'User', place, { Login: as });
  await make(app, 'ProjectMember', place);
  await taskOfTeam();
  holder = await app.database.connect();
  await joinHidden();
  await leaveOutWhatIsSeen();
  await holder.query('begin');
  for (const [table, column, ids] of hiddenRows())
    await holder.query(`select from "${table}" where "${column}" = any($1::bigint[]) for update`, [ids]);
});
afterAll(async () => {
  holder.release(true);
  await app.stop();
});

/** Of a hidden story, seen by somebody through his team. */
async function taskOfTeam(): Promise<void> {
  const ids: Ids = { ...hidden };
  ids.User = await make(app, 'User', { mark: '', ids }, { Login: 'the team' });
  ids.Team = await make(app, 'Team', { mark: 'team', ids });
  await make(app, 'TeamMember', { mark: '', ids });
  ids.Assignable = await make(app, 'Task', { mark: 'seen', ids });
  assignment = await make(app, 'TeamAssignment', { mark: '', ids });
  // A task that starts moves its story.
  await app.write('CustomRules/1', { IsEnabled: true });
}

/** What is joined by these is seen; an assignment is an entity itself, and needs more. */
const leftOut = new Set(['milestone_project', 'release_project', 'message_general', 'assignment']);
/** These say what an item is, and where it lies. */
const ownColumns = new Set(['entity_type_id', 'project_id']);

/** Hidden rows are items of own ones. No trigger runs, so that nothing else is another. */
async function joinHidden(): Promise<void> {
  let joined = 0;
  await holder.query('set session_replication_role = replica');
  for (const { resource, field } of collections()) {
    const { via, target } = field;
    const [owner, item] = [own[resource.name], hiddenOf(target)];
    if (owner === undefined || item === undefined) continue;
    if (via.kind === 'link' ? leftOut.has(via.table) : ownColumns.has(via.column)) continue;
    if (via.kind === 'link') {
      const [from, to] = [`"${via.from}"`, `"${via.to}"`];
      const row = [owner, item];
      await holder.query(`insert into "${via.table}" (${from}, ${to}) values ($1, $2) on conflict do nothing`, row);
      const { rowCount } = await holder.query(`select from "${via.table}" where ${from} = $1 and ${to} = $2`, row);
      expect([via.table, rowCount]).toEqual([via.table, 1]);
    } else if (target.isGeneral && target.ofProperty('project')) {
      const { rowCount } = await holder.query(`update general set "${via.column}" = $1 where id = $2`, [owner, item]);
      expect([via.column, rowCount]).toEqual([via.column, 1]);
    } else continue;
    joined += 1;
  }
  await holder.query('set session_replication_role = origin');
  expect(joined).toBeGreaterThan(80);
}

/** Some kinds are seen by everybody. */
async function leaveOutWhatIsSeen(): Promise<void> {
  for (const [kind, id] of Object.entries(hidden)) {
    const { status } = await app.ask(`/api/v1/${model.resource(kind).collection}/${id}`, { as });
    if (status !== 404) delete hidden[kind];
  }
}

function hiddenRows(): [table: string, column: string, ids: number[]][] {
  const rows = model.resources
    .filter((resource) => !resource.settings.isView && hidden[resource.name] !== undefined)
    .map(({ name, table }): [string, string, number[]] => [table, 'id', [hidden[name]!]]);
  const links = collections().flatMap(({ field: { via, target } }): [string, string, number[]][] =>
    via.kind === 'link' ? [[via.table, via.to, [hiddenOf(target) ?? 0]]] : [],
  );
  return [...rows, ...links];
}

/** One of the kind, or one that stands for its base. */
const hiddenOf = ({ name }: ResourceType): number | undefined =>
  hidden[name] ?? { General: hidden.Bug, Assignable: hidden.Bug }[name];

const collections = (): { resource: ResourceType; field: CollectionField }[] =>
  model.resources.flatMap((resource) =>
    resource.fields
      .filter((field): field is CollectionField => field.kind === 'collection')
      .map((field) => ({ resource, field })),
  );

type Naming = [path: string, ask: Ask];

const sending = (path: string, body: unknown, method = 'POST', headers = {}): Naming => [
  `/api/v1/${path}?format=json`,
  { as, method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } },
];

/** The requests that name an entity of a kind by its own Id. */
function* directly(id: number, { collection }: ResourceType): Generator<Naming> {
  const one = `${collection}/${id}`;
  yield sending(one, { Name: 'x' });
  yield sending(one, { Name: 'x' }, 'POST', { 'if-match': '"1-x"' });
  yield sending(one, { Name: 'x' }, 'POST', { 'idempotency-key': `${one} ${id}`.replaceAll(' ', '-') });
  yield sending(`${collection}/bulk`, [{ Id: id, Name: 'x' }]);
  yield [`/api/v1/${one}?format=json`, { as, method: 'DELETE' }];
  yield sending(`${collection}/bulk`, [{ Id: id }], 'DELETE');
}

/** Those that name it beside an own one, which is created or changed. */
function* beside(id: number, resource: ResourceType, target: ResourceType): Generator<Naming> {
  const { collection } = resource;
  const one = own[resource.name] === undefined ? undefined : `${collection}/${own[resource.name]}`;
  for (const field of resource.fields) {
    if (field.kind === 'scalar' || field.target !== target) continue;
    if (field.kind === 'reference' && field.isSettable) {
      yield sending(collection, { ...bodyOf(resource.name, { mark: 'x', ids: own }), [field.name]: { Id: id } });
      if (one) yield sending(one, { [field.name]: { Id: id } });
    }
    if (field.kind !== 'collection' || !one) continue;
    if (field.canAdd) yield sending(one, { [field.name]: [{ Id: id }] });
    if (field.canAdd) yield sending(one, { [field.name]: [{ Id: id, Name: 'x' }] });
    yield sending(`${one}/${field.name}`, { Id: id });
    yield [`/api/v1/${one}/${field.name}/${id}?format=json`, { as, method: 'DELETE' }];
  }
}

function upload(id: number): Naming {
  const body = new FormData();
  body.set('generalId', String(id));
  body.set('file', new Blob(['x']), 'x.txt');
  return ['/UploadFile.ashx?format=json', { as, method: 'POST', body }];
}

const namingsOf = (id: number, target: ResourceType): Naming[] => [
  ...directly(id, target),
  ...model.resources.flatMap((resource) => [...beside(id, resource, target)]),
  ...(target.isGeneral ? [upload(id)] : []),
];

async function answerTo([path, ask]: Naming, id: number): Promise<string> {
  const { status, text } = await app.ask(path, ask);
  const reason = status < 300 ? '' : text.replace(/"ErrorId":"[^"]*"/, '').replaceAll(String(id), 'Id');
  return `${status} ${reason}`;
}

it('who names what he does not see is refused at once, as if it were not there', async () => {
  const targets = model.resources.filter((resource) => hiddenOf(resource) !== undefined);
  const pairs = targets.flatMap((target) => {
    const id = hiddenOf(target)!;
    const others = namingsOf(missing, target);
    return namingsOf(id, target).map((naming, at) => ({ id, naming, other: others[at]! }));
  });
  expect(pairs.length).toBeGreaterThan(300);
  const differing = await inParallel(
    pairs,
    async ({ id, naming, other }) => {
      const [answer, expected] = [await answerTo(naming, id), await answerTo(other, missing)];
      // Two that both waited for the rows would be equal, too.
      return answer === expected && !answer.startsWith('503')
        ? []
        : [{ asked: naming[0], body: naming[1].body, answer, expected }];
    },
    2,
  );
  expect(differing.flat()).toEqual([]);
});

it('who may not write an item does not wait for a hidden one that would follow it', async () => {
  const states = await app.rows(
    `select s.id from entity_state s join workflow w on w.id = s.workflow_id
     where w.process_id = 3 and w.entity_type_id = 5 and not s.is_initial and w.parent_workflow_id is null`,
  );
  for (const { id } of states) {
    const [path, ask] = sending(`TeamAssignments/${assignment}`, { EntityState: { Id: id } });
    expect((await app.ask(path, { ...ask, as: 'the team' })).status).toBe(403);
  }
  expect(states.length).toBeGreaterThan(0);
});
