/**
 * Random requests of version 1, in JSON and XML, and the same filters in version 2, beside a naive reading of a dump of
 * all rows. `SEED` and `CASES` ask for other requests, and for more.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TestApp } from '../support/app.js';
import { make, model } from '../support/builder.js';
import { chance, diceOf, pick } from '../support/dice.js';
import { type Difference, differenceOf, smaller } from '../support/oracle/differences.js';
import { Dump } from '../support/oracle/dump.js';
import { RandomRequests } from '../support/oracle/random-requests.js';
import type { OracleRequest } from '../support/oracle/requests.js';
import { scatter } from '../support/oracle/scattered-rows.js';
import { callerOf, World } from '../support/oracle/world.js';
import { zone } from '../support/oracle/zone.js';

const seed = Number(process.env.SEED ?? 1);
const cases = Number(process.env.CASES ?? 400);

vi.setConfig({ testTimeout: 120_000 + cases * 500, hookTimeout: 120_000 });

const logins = ['admin', 'alice', 'elena', 'uma', 'the.multi', 'the.team', 'the.outsider'];

let app: TestApp;
let dump: Dump;
const worlds = new Map<string, World>();

beforeAll(async () => {
  app = await TestApp.start({ TIME_ZONE: zone });
  await makeCallers();
  await makeReports();
  await scatter(app.database, logins);
  await app.rows('analyze');
  await readAll();
});
afterAll(() => app.stop());

/** A member of several projects, one who is in a team alone, and one who belongs to nothing. */
async function makeCallers(): Promise<void> {
  const place = { mark: 'caller', ids: { Process: 3, Role: 1 } };
  const made = async (login: string): Promise<number> =>
    make(app, 'User', place, { Login: login, Email: `${login}@example.com` });
  const [multi, team] = [await made('the.multi'), await made('the.team'), await made('the.outsider')];
  const projects = await app.rows(
    'select id from general where entity_type_id = 1 and delete_date is null order by id limit 3',
  );
  for (const { id } of projects)
    await make(app, 'ProjectMember', { mark: '', ids: { ...place.ids, Project: id, User: multi } });
  const group = await make(app, 'Team', place);
  await make(app, 'TeamMember', { mark: '', ids: { ...place.ids, Team: group, User: team } });
  const items = await app.rows(
    'select id from general where entity_type_id in (4, 8, 9) and delete_date is null and id % 9 = 0',
  );
  for (const { id } of items)
    await app.post('/api/v1/TeamAssignments', { Team: { Id: group }, Assignable: { Id: id } });
}

/** Revisions of some projects, and messages about some items. */
async function makeReports(): Promise<void> {
  const [{ multi, first }] = await app.rows(
    `select (select id from general_user where login = 'the.multi') as multi,
       (select min(id) from general_user where kind = 'User') as first`,
  );
  const items = await app.rows(
    `select id, project_id as project from general where entity_type_id in (4, 8, 9) and delete_date is null and id % 11 = 0`,
  );
  for (const [at, { id, project }] of items.entries()) {
    const RevisionFiles = [{ FileName: `src/${at}.c`, FileAction: 'Modify' }, { FileName: 'README' }];
    const revision = { SourceControlId: `r${at}`, Project: { Id: project }, Author: { Id: multi }, RevisionFiles };
    await app.post('/api/v1/Revisions', { ...revision, Assignables: [{ Id: id }, { Id: items[0].id }] });
    const Generals = at % 3 === 0 ? [] : [{ Id: id }];
    await app.post('/api/v1/Messages', { Subject: `m${at}`, To: { Id: at % 2 === 0 ? multi : first }, Generals });
  }
}

async function readAll(): Promise<void> {
  dump = await Dump.of(app);
  for (const login of logins) worlds.set(login, new World(model, dump, callerOf(dump, login)));
}

const differs = (request: OracleRequest, login: string) => differenceOf(request, worlds.get(login)!, app);

/**
 * Dates of today's and flags of time change while time goes on: a difference counts if it is there once all is read
 * anew.
 */
async function lasting(request: OracleRequest, login: string) {
  if (!(await differs(request, login))) return undefined;
  await readAll();
  return differs(request, login);
}

/** How the answer to a request differs, and to the least one that is made of it. */
async function reportOf(at: number): Promise<string | undefined> {
  const dice = diceOf(seed * 1_000_003 + at);
  const callers = [pick(dice, logins), ...(chance(dice, 20) ? [pick(dice, logins)] : [])];
  const requests = new RandomRequests(dice, worlds.get('admin')!);
  const request = requests.request(worlds.get(callers[0]!)!);
  // What was kept for one caller must not be told to another, nor what was kept for other words of a filter.
  const asked = callers.map((login) => ({ login, request }));
  if (request.where) asked.push({ login: callers[0]!, request: requests.reworded(request) });
  for (const { login, request } of asked) {
    const difference = await lasting(request, login);
    if (difference) return report(at, login, request, difference);
  }
  return undefined;
}

async function report(at: number, login: string, request: OracleRequest, difference: Difference): Promise<string> {
  const least = await smaller(request, async (one) => (await differs(one, login)) !== undefined);
  const { address, what } = (await differs(least, login)) ?? difference;
  return [`SEED=${seed}, case ${at}, as ${login}:`, plain(address), what, `at first ${plain(difference.address)}`].join(
    '\n',
  );
}

const plain = (address: string): string => decodeURIComponent(address.replaceAll('+', ' '));

it('callers see different rows', () => {
  const stories = [...worlds.values()].map((world) => world.things(model.resource('UserStory')).length);
  expect(new Set(stories).size).toBeGreaterThan(4);
  expect(stories.at(-1)).toBe(0);
});

it(`${cases} requests are answered as they should be, from seed ${seed} on`, async () => {
  const reports: string[] = [];
  for (let at = 0; at < cases && reports.length < 5; at++) {
    const report = await reportOf(at);
    if (report) reports.push(report);
  }
  expect(reports.join('\n\n')).toBe('');
});
