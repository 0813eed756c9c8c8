/**
 * What the canary and the fleet need in the database: callers, projects and stories of their own, and texts of 1 MiB.
 */
import { askOnce } from '../bench/load.mjs';

export const basic = (login, password) => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

const password = 'only for the siege';
const administrator = { Authorization: basic('admin', 'admin') };
const canaries = ['canary-anna', 'canary-ben', 'canary-carl'];
/** The fleet's member, and a user whose password is guessed. */
const others = ['fleet', 'victim'];
const texts = 40;

/** `base` is the address of the service, `client` is connected to its database. */
export async function makeFixture(base, client) {
  const post = async (path, body, headers = administrator) => {
    const answer = await askOnce(base, { method: 'POST', path: `/api/v1/${path}?format=json`, headers, body });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return JSON.parse(answer.text);
  };
  const people = await post(
    'Users/bulk',
    [...canaries, ...others].map((Login) => ({ Login, Email: `${Login}@example.com`, Password: password })),
  );
  const ids = people.Items.map(({ Id }) => Id);
  const own = await makeProject(post, 'Canary', 100);
  const target = await makeProject(post, 'Siege', 300);
  await addMembers(client, own.id, ids.slice(0, canaries.length));
  await addMembers(client, target.id, [ids[canaries.length]]);
  await client.query(
    `insert into project_member (project_id, user_id, role_id) select p.id, u, 1 from general p, unnest($1::bigint[]) u
     where p.entity_type_id = 1 and p.name ~ '^Bulk project 1?[0-9]$' on conflict do nothing`,
    [ids],
  );
  await writeLongTexts(client, target.stories.slice(0, texts));
  return {
    canary: { callers: await callersOf(post), ...own },
    fleet: { headers: { Authorization: basic('fleet', password) }, victim: 'victim', ...target, texts },
  };
}

async function makeProject(post, name, count) {
  const { Id } = await post('Projects', { Name: name });
  const story = (_, at) => ({ Name: `${name} story ${at}`, Project: { Id }, Tasks: [{ Name: `Task ${at}` }] });
  const { Items } = await post('UserStories/bulk', Array.from({ length: count }, story));
  return { project: Id, id: Id, stories: Items.map((item) => item.Id) };
}

const addMembers = (client, project, users) =>
  client.query(
    'insert into project_member (project_id, user_id, role_id) select $1, u, 1 from unnest($2::bigint[]) u on conflict do nothing',
    [project, users],
  );

/** Descriptions, and comments of the first one. What they consist of takes more bytes in JSON and in XML. */
async function writeLongTexts(client, ids) {
  const text = `left(repeat(s.id || ' "ä€😀" <&> ', 100000), 1000000)`;
  await client.query('begin');
  await client.query("select set_config('worktrack.history', 'off', true)");
  await client.query(`update general s set description = ${text} where s.id = any($1::bigint[])`, [ids]);
  await client.query(
    `insert into comment (general_id, owner_id, description, create_date)
     select $2, 1, ${text}, now() from general s where s.id = any($1::bigint[])`,
    [ids, ids[0]],
  );
  await client.query('commit');
}

/** Callers by password, one by an access token. */
async function callersOf(post) {
  const byPassword = canaries.map((login) => ({ Authorization: basic(login, password) }));
  const { Token } = await post('AccessTokens', { Name: 'siege' }, byPassword.at(-1));
  return [administrator, ...byPassword.slice(0, -1), { Authorization: `Bearer ${Token}` }];
}
