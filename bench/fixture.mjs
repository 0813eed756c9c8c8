/**
 * What requests refer to: projects with their members, a member of twenty of them, and stories, in windows apart for
 * each server.
 */
import { readFacts } from './limit/facts.mjs';
import { askOnce } from './load.mjs';

const basic = (login, password) => ({
  Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
const windowSize = 1000;

/** `asked`, if given, is a service that tells the administrator's token. */
export async function readFixture(client, asked) {
  const { rows: projects } = await client.query(
    `select p.id, p.name, array_agg(m.user_id order by m.user_id) as people from general p join project_member m on m.project_id = p.id
     where p.entity_type_id = 1 and p.name like 'Bulk project %' and p.delete_date is null group by p.id order by p.id`,
  );
  if (projects.length === 0) throw new Error('The database has no projects for measuring: was it seeded?');
  const stories = await client.query(
    `select s.id, s.project_id as project, s.entity_state_id as state from general s join general p on p.id = s.project_id
     where s.entity_type_id = 4 and s.delete_date is null and p.name like 'Bulk project %' order by s.id limit 200000`,
  );
  const ids = stories.rows.map(({ id }) => id);
  const byProject = new Map(projects.map(({ id }) => [id, []]));
  for (const { id, project, state } of stories.rows) byProject.get(project)?.push({ id, state });
  const windows = Array.from({ length: Math.floor(ids.length / windowSize) }, (_, at) =>
    ids.slice(at * windowSize, (at + 1) * windowSize),
  );
  // The first change of a row writes a history record, the next ones of the same minutes extend it: neither server may
  // profit from the other.
  const [service, limit] = [0, 1].map((side) => windows.filter((_, at) => at % 2 === side));
  const headers = basic('admin', 'admin');
  return {
    headers,
    token: asked && (await tokenOf(asked, headers)),
    accessToken: asked && (await accessTokenOf(asked, headers, client)),
    projects: projects.map((project) => ({ ...project, stories: byProject.get(project.id) })),
    stories: ids,
    facts: await readFacts(client),
    member: await memberOf(
      projects.slice(0, 20).map(({ id }) => id),
      client,
    ),
    // Other servers write to tables of their own, and to the same stories there.
    windows: { service, limit, bare: service },
  };
}

async function tokenOf({ base }, headers) {
  const { text } = await askOnce(base, { path: '/api/v1/Authentication?format=json', headers });
  return JSON.parse(text).Token;
}

/** Those of earlier runs would reach the limit of one user some day. */
async function accessTokenOf({ base }, headers, client) {
  await client.query(
    "delete from access_token where name = 'for measuring' and issue_date < now() - interval '1 hour'",
  );
  const { text } = await askOnce(base, {
    path: '/api/v1/AccessTokens?format=json',
    method: 'POST',
    headers,
    body: { Name: 'for measuring' },
  });
  return JSON.parse(text).Token;
}

/** Somebody who is a member of these projects and of nothing else. */
async function memberOf(projects, client) {
  const login = 'measured';
  // There may be nothing to load before the run has built it.
  const { makeHash } = await import('../build/passwords/password-hash.js');
  await client.query(
    `insert into general_user (kind, first_name, last_name, login, email, password_hash, is_active, create_date, modify_date)
     select 'User', 'Measured', 'Member', $1, 'measured@example.com', $2, true, now(), now()
     where not exists (select 1 from general_user where login = $1)`,
    [login, await makeHash(login)],
  );
  await client.query(
    `insert into project_member (project_id, user_id, role_id) select p, u.id, 1 from unnest($2::bigint[]) p, general_user u
     where u.login = $1 on conflict do nothing`,
    [login, projects],
  );
  return { headers: basic(login, login), projects };
}

export const inTurn = (all, i) => all[i % all.length];
