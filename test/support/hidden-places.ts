/**
 * What is seen of a project that is not: items assigned to a team, releases and milestones that are shared, a program.
 * And three ways for rows to be others that show to nobody: references to one hidden project lead to another one, dates
 * of hidden rows are others, what was deleted was never there.
 */
import type { PoolClient } from 'pg';
import type { TestApp } from './app.js';
import { type Ids, make, makeEverything, model, storyWorkflow } from './builder.js';
import { idsFrom, type Secrets } from './secrets.js';

export interface HiddenPlaces {
  /** Rows of the hidden project that the team sees, or who sees the caller's own project; and the team. */
  across: Ids;
  /** Another project that no caller sees. */
  farther: Ids;
  /** Rows of the caller's own project that were deleted days ago. */
  gone: Ids;
}

const ranges = { across: 78_000_000, farther: 79_000_000, gone: 80_000_000 };
const rangeOf = (name: keyof typeof ranges): string => `between ${ranges[name]} and ${ranges[name] + 999_999}`;

export async function plantPlaces(app: TestApp, secrets: Secrets): Promise<HiddenPlaces> {
  const { open, own, secret } = secrets;
  await idsFrom(app, ranges.farther);
  const hider = { Team: secret.Team!, User: secret.User!, TeamMember: open.TeamMember! };
  const farther = (await makeEverything(app, 'zqfarther', { ...open, ...hider })).ids;
  await idsFrom(app, ranges.across);
  const across = await acrossProjects(app, secrets);
  await app.rows('update general set program_id = $1 where id = any($2)', [own.Program, [own.Project, secret.Project]]);
  across.EntityState = await workflowOfTeam(app, secret);
  await idsFrom(app, ranges.gone);
  const gone = await deletedRows(app, secrets);
  await idsFrom(app, 88_000_000);
  return { across, farther, gone };
}

const assigned = ['Epic', 'Feature', 'UserStory', 'Bug', 'Request', 'TestPlan', 'TestPlanRun'];
const hanging = ['Comment', 'Time', 'Assignment', 'RoleEffort', 'GeneralFollower'];

async function acrossProjects(app: TestApp, { open, own, secret }: Secrets): Promise<Ids> {
  const ids: Ids = { ...secret, ...open, Team: secret.Team! };
  const across: Ids = {};
  const makeOne = async (kind: string, more: object = {}): Promise<number> =>
    make(app, kind, { mark: 'zqacross', ids: { ...ids, ...across } }, more);
  const Project = { Id: secret.Project };
  for (const kind of ['Release', 'NextRelease', 'Epic', 'Feature', 'UserStory', 'Task', 'Bug', 'Request', 'Impediment'])
    across[kind] = await makeOne(kind.replace('Next', ''), { Project });
  for (const kind of ['TestPlan', 'TestPlanRun', 'Milestone']) across[kind] = await makeOne(kind);
  for (const kind of hanging) across[kind] = await makeOne(kind);
  across.Team = await makeOne('Team');
  for (const kind of assigned)
    await make(app, 'TeamAssignment', { mark: '', ids: { ...ids, ...across, Assignable: across[kind]! } });
  // One of a team that works on the hidden project: in its own workflow, which it says nothing of.
  across.TeamAssignment = await make(app, 'TeamAssignment', {
    mark: '',
    ids: { ...ids, Assignable: across.UserStory! },
  });
  const shared = { Project: own.Project!, Milestone: across.Milestone! };
  for (const Release of [across.Release!, across.NextRelease!])
    await make(app, 'ReleaseProject', { mark: '', ids: { ...shared, Release } });
  for (const one of [own, secret])
    await make(app, 'MilestoneProject', { mark: '', ids: { ...shared, Project: one.Project! } });
  // Both are yet to come, one behind the other.
  for (const [at, id] of [across.Release, across.NextRelease].entries())
    await app.rows(
      `update general set start_date = now() + $2 * interval '9 days', end_date = now() + $2 * interval '9 days' where id = $1`,
      [id, at + 1],
    );
  return across;
}

/** The name of a state that a team has in the hidden project, of stories there. */
export const partState = 'zqpart';

async function workflowOfTeam(app: TestApp, { TeamProject }: Ids): Promise<number> {
  const { Workflow } = await storyWorkflow(app);
  const states = await app.items(`/api/v1/Workflows/${Workflow}/EntityStates?include=[Id]`);
  const EntityStates = [states[0]!, states.at(-1)!].map(({ Id }, at) => ({
    Name: `${partState}${at || ''}`,
    ParentEntityState: { Id },
    IsFinal: at === 1,
  }));
  const { Id } = await app.write('Workflows', { Name: 'part', ParentWorkflow: { Id: Workflow }, EntityStates });
  await app.write(`TeamProjects/${TeamProject}`, { Workflows: [{ Id }] });
  return (await app.items(`/api/v1/Workflows/${Id}/EntityStates?include=[Id]`))[0]!.Id;
}

/** More than a day ago: who deletes what went along with them is told that it is gone. */
async function deletedRows(app: TestApp, { open, own }: Secrets): Promise<Ids> {
  const { Project, ProjectMember, TeamProject, TeamMember } = own as Required<Ids>;
  const given = { ...open, Project, ProjectMember, TeamProject, TeamMember } as Ids;
  const { ids } = await makeEverything(app, 'zqgone', given);
  const kinds = Object.keys(ids).filter((kind) => given[kind] === undefined && isDeletable(kind));
  // What goes along with another one is asked for, too.
  for (const kind of kinds.reverse()) {
    const { status, text } = await app.ask(`/api/v1/${model.resource(kind).collection}/${ids[kind]}`, {
      method: 'DELETE',
    });
    if (status !== 200) throw new Error(`${kind}: ${status} ${text}`);
  }
  await app.rows(`update general set delete_date = delete_date - interval '3 days' where delete_date is not null`);
  await app.rows(`update taken_along set date = date - interval '3 days'`);
  return ids;
}

const isDeletable = (kind: string): boolean => {
  const { isGeneral, settings } = model.resource(kind);
  return isGeneral && settings.operations.delete && !['Program', 'Team', 'TeamIteration'].includes(kind);
};

/** No trigger runs: nothing but these rows is another. */
export async function moveHidden(client: PoolClient, secrets: Secrets, { across, farther }: HiddenPlaces) {
  const { secret } = secrets;
  await client.query('set session_replication_role = replica');
  const moved = Object.keys(secret).filter(
    (kind) => kind !== 'Team' && model.resource(kind).isGeneral && secret[kind] !== farther[kind],
  );
  for (const { table, column } of await columnsOf(client, `data_type = 'bigint' and column_name like '%\\_id'`)) {
    const isHidden = `(id ${rangeOf('farther')} or id between 77000000 and 77000999)`;
    const where = table === 'general' ? `and not ${isHidden}` : '';
    for (const kind of moved)
      await client
        .query(`update "${table}" set "${column}" = $2 where "${column}" = $1 ${where}`, [secret[kind], farther[kind]])
        // The same link with the other row is there already.
        .catch(() => undefined);
  }
  // Of two that are seen, one lies elsewhere.
  await client.query('update general set project_id = $2 where id = $1', [across.NextRelease, secret.Project]);
  const places = [secret.TeamProject, farther.TeamProject];
  await client.query('delete from team_project_workflow where team_project_id = any($1)', [places]);
  await client.query('update project_member set role_id = role_id + 1 where id = $1', [secret.ProjectMember]);
  await otherDates(client);
  await neverWere(client);
}

const isOfEntity = `data_type like 'timestamp%' and column_name <> 'delete_date' and table_name <> 'general_user'
  and exists (select 1 from information_schema.columns i where i.table_name = c.table_name and i.column_name = 'id' and i.data_type = 'bigint')`;

async function otherDates(client: PoolClient): Promise<void> {
  for (const { table, column } of await columnsOf(client, isOfEntity))
    await client.query(
      `update "${table}" set "${column}" = "${column}" - interval '33 days' where id between 77000000 and 77000999 or id ${rangeOf('farther')}`,
    );
}

/** What hangs on a row that was deleted goes with it. */
async function neverWere(client: PoolClient): Promise<void> {
  const gone = `(select id from general where delete_date is not null and id ${rangeOf('gone')})`;
  for (const { table, column } of await columnsOf(
    client,
    `data_type = 'bigint' and is_nullable = 'NO' and column_name like '%\\_id'`,
  ))
    await client.query(`delete from "${table}" where "${column}" in ${gone}`);
  await client.query(`delete from general where id in ${gone}`);
}

const columnsOf = async (client: PoolClient, where: string): Promise<{ table: string; column: string }[]> =>
  (
    await client.query(
      `select c.table_name as table, c.column_name as column from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name) where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
         and c.is_generated = 'NEVER' and c.column_name <> 'deleted_with_id' and c.table_name not like 'change_record%' and ${where}`,
    )
  ).rows;
