/** An acid limits which rows are listed and counted; what a row shows, and what is sent back of it, stays as it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observeStatements } from '../../src/database/statement-observer.js';
import { TestApp } from '../support/app.js';
import { parseXml } from '../support/xml.js';

let app: TestApp;
let acid: string;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [{ id: project }] = await app.rows(projectOfAlice);
  acid = (await app.json(`/api/v1/Context?ids=${project}`, { as: 'alice' })).Acid;
});
afterAll(() => app.stop());

type Row = Record<string, unknown> & { Id: number };

const projectOfAlice = `
  select p.id from general p join project_member m on m.project_id = p.id join general_user u on u.id = m.user_id
  where u.login = 'alice' and p.delete_date is null and exists (select 1 from general r where r.project_id = p.id and r.entity_type_id = 4)
  order by 1 limit 1`;

const alice = { as: 'alice' };
const page = async (path: string): Promise<Row[]> => app.items(`/api/v1/${path}&take=1000`, alice);
const inContext = (path: string): Promise<Row[]> => page(`${path}&acid=${acid}`);
const byId = (rows: readonly Row[]): Map<number, Row> => new Map(rows.map((row) => [row.Id, row]));

describe('a list with an acid', () => {
  it.each([
    ['UserStories', 'include=[Id,Project,Feature,Release,Iteration,Owner,ResponsibleTeam[Team]]'],
    ['Bugs', 'include=[Id,Project,UserStory,Release,Iteration]'],
    ['Tasks', 'include=[Id,Project,UserStory[Feature[Epic],Release]]'],
    ['Comments', 'include=[Id,General[Project],Owner]'],
    ['UserStories', 'include=[CustomFields]'],
    ['UserStories', 'orderBy=Feature.Name,Release.Name&include=[Id]'],
    ['Assignables', 'where=(Release is not null)&include=[Id,Release]'],
  ])('shows of its rows what the caller sees: %s?%s', async (kind, query) => {
    const limited = await inContext(`${kind}?${query}`);
    const all = await page(`${kind}?${query}`);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited).toEqual(all.filter(({ Id }) => byId(limited).has(Id)));
  });

  it('holds rows of other projects through a team of the context, with their references', async () => {
    const rows = await inContext('UserStories?include=[Id,Project]');
    expect(rows.filter(({ Project }) => Project === null)).toEqual([]);
    expect(rows.filter(({ Project }) => (Project as Row).Id !== project).length).toBeGreaterThan(0);
  });

  it('shows the same in XML', async () => {
    const path = '/api/v1/UserStories?include=[Id,Project,Release]&take=1000';
    const limited = await parseXml(await app.xml(`${path}&acid=${acid}`, alice));
    const all = await parseXml(await app.xml(path, alice));
    const ids = new Set(limited.children.map(({ attributes }) => attributes.Id));
    expect(limited.children).toEqual(all.children.filter(({ attributes }) => ids.has(attributes.Id!)));
  });

  it('limits what its collections list and count', async () => {
    const { Acid } = await app.json(`/api/v1/Context?ids=${project}&teamIds=0`, alice);
    const [{ id, other }] = await app.rows(
      `select f.id, o.id as other from general f, general o
       where f.entity_type_id = 9 and f.project_id = $1 and f.delete_date is null and o.id <> $1 and o.entity_type_id = 1
         and o.delete_date is null and o.id in (select m.project_id from project_member m join general_user u on u.id = m.user_id
         where u.login = 'alice') limit 1`,
      [project],
    );
    const made = await app.post(`/api/v1/UserStories?format=json`, {
      Name: 'elsewhere',
      Project: { Id: other },
      Feature: { Id: id },
    });
    expect(made.status).toBe(201);
    const path = `Features?where=(Id eq ${id})&include=[Id,UserStories[Id,Project]]&append=[UserStories-Count]`;
    const [row] = await page(`${path}&innerTake=1000&acid=${Acid}`);
    const { Items } = row!.UserStories as { Items: { Id: number; Project: Row }[] };
    expect(Items.filter(({ Project }) => Project.Id !== project)).toEqual([]);
    expect(row!['UserStories-Count']).toBe(Items.length);
    const inner = await page(`Features/${id}/UserStories?include=[Id]&acid=${Acid}`);
    expect(inner).toHaveLength(Items.length);
    expect(await page(`Features/${id}/UserStories?include=[Id]`)).toHaveLength(Items.length + 1);
    // Of one entity, its collections are not limited either: what its links lead to goes on as it began.
    const whole = await app.json(`/api/v1/Features/${id}?include=[UserStories[Id]]&innerTake=1&acid=${Acid}`, alice);
    expect(whole.UserStories.Next).not.toContain('acid');
    // The entity itself is named by its Id: an acid does not limit it, nor does it hide what it is asked for.
    expect((await app.json(`/api/v1/UserStories/${made.json.Id}?acid=${Acid}`, alice)).Feature.Id).toBe(id);
    expect(await page(`UserStories/${made.json.Id}/Comments?include=[Id]&acid=${Acid}`)).toEqual([]);
  });

  it('limits an administrator by the same rows', async () => {
    const { Acid } = await app.json(`/api/v1/Context?ids=${project}&teamIds=0`);
    const rows: Row[] = await app.items(`/api/v1/UserStories?include=[Id,Project,Release]&take=1000&acid=${Acid}`);
    const all: Row[] = await app.items(
      `/api/v1/UserStories?where=(Project.Id eq ${project})&include=[Id,Project,Release]&take=1000`,
    );
    expect(rows).toEqual(all);
  });
});

it.each(['ids', 'projectIds', 'teamIds'])('%s that are none are refused by the name of the parameter', async (name) => {
  const { status, json } = await app.ask(`/api/v1/Context?format=json&${name}=x`);
  expect([status, json.Message]).toEqual([400, `${name}: a comma list of ids is needed.`]);
});

it('changes nothing when what was read with an acid is sent back', async () => {
  const rows = await inContext('UserStories?where=(Release is not null)&orderBy=Id');
  const version = async (id: number) =>
    app.rows('select entity_version, release_id, feature_id, iteration_id, project_id from general where id = $1', [
      id,
    ]);
  const stray = rows.filter(({ Project }) => (Project as Row).Id !== project);
  expect(stray.length).toBeGreaterThan(0);
  for (const row of stray.slice(0, 5)) {
    const before = await version(row.Id);
    const answer = await app.post(`/api/v1/UserStories/${row.Id}?acid=${acid}&format=json`, row);
    expect(answer.status, answer.text).toBe(200);
    expect(await version(row.Id)).toEqual(before);
  }
});

describe('what a context tells of itself', () => {
  const flags = async (query: string) => {
    const { IsFull, AnyProject, AnyTeam, IsNoTeamIncluded } = await app.json(`/api/v1/Context?${query}`, alice);
    return [IsFull, AnyProject, AnyTeam, IsNoTeamIncluded];
  };

  const inOrder = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);
  /** Of an administrator. */
  const selected = async (query: string) => {
    const { SelectedProjects, SelectedTeams } = await app.json(`/api/v1/Context?${query}`);
    return [SelectedProjects, SelectedTeams].map(({ Items }) => inOrder(Items.map(({ Id }: Row) => Id)));
  };

  it('is whether it is of all that the caller sees, and of any project or team', async () => {
    const { Acid, SelectedProjects, SelectedTeams } = await app.json('/api/v1/Context', alice);
    const all = (items: readonly Row[]) => items.map(({ Id }) => Id).join(',');
    expect(SelectedTeams.Items.length).toBeGreaterThan(0);
    for (const query of ['', `acid=${Acid}`, 'ids=*', `ids=${all(SelectedProjects.Items)}`])
      expect([query, await flags(query)]).toEqual([query, [true, true, true, true]]);
    expect(await flags(`ids=${project}`)).toEqual([false, true, true, true]);
    expect(await flags(`ids=${project}&teamIds=0`)).toEqual([false, true, false, true]);
    expect(await flags('projectIds=0')).toEqual([false, false, false, false]);
    expect(await flags('projectIds=0&teamIds=*')).toEqual([false, false, true, false]);
  });

  it('has the teams that work in the projects that are named, and the projects of teams', async () => {
    const links: { project: number; team: number }[] = await app.rows(
      `select t.project_id as project, t.team_id as team from team_project t
       join general p on p.id = t.project_id and p.delete_date is null join general g on g.id = t.team_id and g.delete_date is null`,
    );
    const teamsOf = (id: number) => links.filter((link) => link.project === id).map(({ team }) => team);
    const projectsOf = (id: number) => links.filter((link) => link.team === id).map((link) => link.project);
    const without = await app.write('Projects', { Name: 'Without teams', Process: { Id: 1 } });
    for (const id of [project, without.Id, links.find((link) => link.project !== project)!.project])
      expect(await selected(`ids=${id}`)).toEqual([[id], inOrder(teamsOf(id))]);
    for (const { team } of links.slice(0, 3))
      expect(await selected(`teamIds=${team}`)).toEqual([inOrder(projectsOf(team)), [team]]);
    const gone = await app.write('Teams', { Name: 'Gone', TeamProjects: { Items: [{ Project: { Id: project } }] } });
    expect(await selected(`teamIds=${gone.Id}`)).toEqual([[project], [gone.Id]]);
    expect((await app.ask(`/api/v1/Teams/${gone.Id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await selected(`teamIds=${gone.Id}`)).toEqual([[], []]);
    const all = await selected('');
    expect(await selected(`ids=${project}&teamIds=*`)).toEqual([[project], all[1]]);
    expect(await selected(`ids=*&teamIds=${links[0]!.team}`)).toEqual([all[0], [links[0]!.team]]);
  });

  it('has the custom fields of no process, and words by both names', async () => {
    const field = { FieldType: 'DropDown', Value: 'a\nb', EntityType: { Id: 23 } };
    const { Id } = await app.write('CustomFields', { ...field, Name: 'Floor' });
    const { CustomFields, Processes } = await app.json('/api/v1/Context', alice);
    expect(CustomFields.Items).toContainEqual(
      expect.objectContaining({ Id, EntityKind: 'Team', Name: 'Floor', Type: 'DropDown', Required: false }),
    );
    const shown = Processes.Items.flatMap((one: { CustomFields: { Items: Row[] } }) => one.CustomFields.Items);
    expect(shown.map((one: Row) => one.Id)).not.toContain(Id);
    for (const { Name, WordKey } of Processes.Items[0].Terms.Items) expect(WordKey).toBe(Name);
    const xml = await app.xml('/api/v1/Context', alice);
    expect(xml).toMatch(/<CustomFieldInfo [^>]*Id="\d+"[^>]*Name="Floor"/);
  });

  it('is read by one statement, and its acid noted by another', async () => {
    const statements: string[] = [];
    observeStatements({ begin: (text) => void statements.push(text) });
    await app.json(`/api/v1/Context?ids=${project}`, alice);
    observeStatements(undefined);
    const ofContexts = /\b(from|into) (general|custom_field|process|context)\b/;
    expect(statements.filter((text) => ofContexts.test(text))).toHaveLength(2);
  });
});
