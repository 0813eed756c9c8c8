/**
 * Every request of real clients, answered as its note says, with the filter really applied: ids are compared with the
 * rows.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { listedIds } from '../support/listed.js';
import { parseXml } from '../support/xml.js';
import { type RealRequest, realRequests } from './real-requests.js';

let app: TestApp;
let names: Record<string, string>;

/** One entity for each name, chosen so that the requests find something. */
const chosen: Record<string, string> = {
  story:
    'select g.id from general g join assignment a on a.assignable_id = g.id where entity_type_id = 4 and delete_date is null and exists (select 1 from general t where t.user_story_id = g.id and t.entity_type_id = 5) order by g.id limit 1',
  bug: 'select g.id from general g join comment c on c.general_id = g.id where entity_type_id = 8 and delete_date is null order by g.id limit 1',
  feature:
    'select g.id from general g join comment c on c.general_id = g.id where entity_type_id = 9 and delete_date is null order by g.id limit 1',
  epic: 'select epic_id id from general where entity_type_id = 9 and delete_date is null order by id limit 1',
  task: 'select id from general where entity_type_id = 5 and delete_date is null order by id limit 1',
  project: 'select project_id id from general where entity_type_id = 4 and delete_date is null order by id limit 1',
  project2: 'select max(project_id) id from general where entity_type_id = 4 and delete_date is null',
  testPlan: 'select min(id) id from general where entity_type_id = 13',
  testCase: 'select min(id) id from general where entity_type_id = 12',
  foundPlan: 'select run.test_plan_id id from test_plan_run_bug join general run on run.id = test_plan_run_id limit 1',
  foundRun: 'select test_plan_run_id id from test_plan_run_bug limit 1',
  user: 'select general_user_id id from assignment a join general g on g.id = a.assignable_id where g.entity_type_id = 4 group by 1 order by count(*) desc limit 1',
  commented:
    'select c.general_id id from comment c join general g on g.id = c.general_id where g.delete_date is null group by 1 order by count(*) desc, 1 limit 1',
  worked:
    'select t.assignable_id id from time t join general g on g.id = t.assignable_id where g.delete_date is null group by 1 order by count(*) desc, 1 limit 1',
  related:
    'select master_id id from relation r join general m on m.id = master_id join general s on s.id = slave_id where m.delete_date is null and s.delete_date is null order by r.id limit 1',
  slave:
    'select slave_id id from relation r join general m on m.id = master_id join general s on s.id = slave_id where m.delete_date is null and s.delete_date is null order by r.id limit 1',
  release:
    'select release_id id from general where entity_type_id = 4 and release_id is not null and delete_date is null order by id limit 1',
  releaseName:
    'select r.name id from general g join general r on r.id = g.release_id where g.entity_type_id = 4 and g.delete_date is null order by g.id limit 1',
  team: 'select min(team_id) id from team_member',
  permitted: 'select general_id id from entity_permission limit 1',
  file: 'select min(a.id) id from attachment a join general g on g.id = a.general_id where g.delete_date is null',
  today: "select to_char(now(), 'YYYY-MM-DD') id",
  day: "select to_char(create_date, 'YYYY-MM-DD') id from general where entity_type_id = 4 and delete_date is null order by id limit 1",
  nextDay:
    "select to_char(create_date + interval '1 day', 'YYYY-MM-DD') id from general where entity_type_id = 4 and delete_date is null order by id limit 1",
};

beforeAll(async () => {
  app = await TestApp.start();
  names = {};
  for (const [name, query] of Object.entries(chosen)) {
    const [row] = await app.rows(query);
    expect(row?.id ?? null, name).not.toBeNull();
    names[name] = String(row.id);
  }
});
afterAll(() => app.stop());

const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => names[name]!);

/** As clients send it: spaces as `+` or `%20`, the rest of the query raw where a URL allows it. */
const sent = (path: string): string => encodeURI(path).replaceAll('%5B', '[').replaceAll('%5D', ']');

/** The ids a list request means. */
const meant = async ({ rows, where }: RealRequest, collection: string): Promise<number[]> =>
  (await listedIds(app, collection, {
    where: where === undefined ? undefined : filled(where),
    rows: rows === undefined ? undefined : filled(rows),
  })) ?? [];

/** Only administrators' filters see through to what is hidden; a list never shows it. */
it.each(realRequests.map((request) => [request.get, request] as const))('GET %s', async (_, request) => {
  const path = filled(request.get);
  const answer = await app.ask(sent(path));
  expect(answer.status, answer.text.slice(0, 300)).toBe(request.status ?? 200);
  if (answer.status !== 200 || !path.startsWith('/api')) return;
  const isJson = /[?&](result)?format=json/i.test(path);
  if (!isJson) await parseXml(answer.text);
  const [, collection, id, inner] = /^\/api\/v1\/([^/?.]+)(?:\.asmx)?\/*([^/?]+)?(?:\/([^/?]+))?/.exec(path)!;
  if (id === 'meta' || /context/i.test(collection!)) return;
  const items = isJson ? answer.json : await jsonOf(path);
  if (id !== undefined && inner === undefined) {
    expect(items.ResourceType).toEqual(expect.any(String));
    return includes(items, path);
  }
  const take = Number(/[?&]take=(\d+)/.exec(path)?.[1] ?? 25);
  const skip = Number(/[?&]skip=(\d+)/.exec(path)?.[1] ?? 0);
  const shown = await meant(request, inner ?? collection!);
  const got: number[] = items.Items.map((item: { Id: number }) => item.Id);
  expect(got.length).toBe(Math.min(take, 1000, Math.max(0, shown.length - skip)));
  for (const one of got) expect(shown).toContain(one);
  expect(new Set(got).size).toBe(got.length);
  if (items.Items[0]) includes(items.Items[0], path);
});

// biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
const jsonOf = async (path: string): Promise<any> => app.json(sent(path));

/** What was asked for is there, by its canonical name. */
function includes(item: Record<string, unknown>, path: string): void {
  const include = /[?&](?:result)?include= ?\[(.*?)\](?=&|$)/i.exec(path)?.[1];
  const top = include
    ?.replace(/\[[^[\]]*\]/g, '')
    .replace(/\[[^[\]]*\]/g, '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const present = Object.keys(item).map((name) => name.toLowerCase());
  for (const name of top ?? []) if (!['name', 'resourcetype'].includes(name)) expect(present).toContain(name);
  if (top)
    expect(
      present.filter(
        (name) => !top.includes(name) && !['id', 'resourcetype'].includes(name) && !/-(count|sum|avg)$/.test(name),
      ),
    ).toEqual([]);
}
