/** Whether both servers do the same work: each answers a case once, and what that changed in the database is compared. */
import { askOnce } from './load.mjs';

const counted = ['general', 'assignment', 'role_effort', 'simple_history', 'full_history'];

const tally = `select ${counted.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')},
  (select sum(entity_version)::float8 from general) as "row versions",
  (select sum(effort)::float8 from role_effort) as "effort of roles",
  (select sum(effort)::float8 from general where entity_type_id = 1) as "effort of projects"`;

/** What must differ between one story and the next. */
const own = [
  'id',
  'name',
  'description',
  'project_id',
  'numeric_priority',
  'create_date',
  'modify_date',
  'last_state_change_date',
];
const newest = `select to_jsonb(g) - '{${own.join(',')}}'::text[] || jsonb_build_object(
    'assignments', (select count(*) from assignment a where a.assignable_id = g.id),
    'role efforts', (select jsonb_agg(to_jsonb(r) - '{id,assignable_id}'::text[] order by r.role_id) from role_effort r where r.assignable_id = g.id)) as row
  from general g order by g.id desc limit 1`;

/** Returns an outcome for each server, and the differences between them. */
export async function compareWork(client, servers, requestFor, isRead = false) {
  if (isRead) return compareAnswers(servers, requestFor);
  const outcomes = [];
  for (const server of servers) {
    const before = (await client.query(tally)).rows[0];
    const { text, problem } = await answerOf(server, requestFor);
    const after = (await client.query(tally)).rows[0];
    const changed = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));
    const row = changed.general > 0 ? (await client.query(newest)).rows[0].row : {};
    outcomes.push({ server: server.name, problem, changed, row, text });
  }
  const isComparable = outcomes.every(({ problem }) => problem === undefined);
  return { outcomes, differences: isComparable ? differences(outcomes) : [] };
}

/** Of reads the very bytes are compared, links aside: they name the server. */
async function compareAnswers(servers, requestFor) {
  const outcomes = [];
  for (const server of servers) {
    outcomes.push({ server: server.name, changed: {}, ...(await answerOf(server, requestFor)) });
  }
  const texts = outcomes
    .filter(({ problem }) => !problem)
    .map(({ text }) => text.replace(/ ?"?\bnext"?[:=]"[^"]*",?/gi, ''));
  const at = texts[1] === undefined ? -1 : [...texts[0]].findIndex((letter, index) => letter !== texts[1][index]);
  const isSame = texts.length < 2 || texts[0] === texts[1];
  const differences = isSame
    ? []
    : [`answers from byte ${at} on: ${texts.map((text) => text.slice(Math.max(0, at - 40), at + 40)).join(' | ')}`];
  return { outcomes, differences };
}

/** What cannot be asked or is not answered as it should be is a problem of the case, not of the run. */
async function answerOf(server, requestFor) {
  try {
    const request = requestFor(server);
    const { status, text } = await askOnce(server.base, request);
    return { text, problem: status === request.expects ? undefined : `it answered ${status} ${messageOf(text)}` };
  } catch (error) {
    return { text: '', problem: error.message };
  }
}

function differences([one, other]) {
  const found = [];
  const compare = (what, a, b) => {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [x, y] = [a[name], b[name]].map((value) => JSON.stringify(value));
      if (x !== y) found.push(`${what} ${name}: ${one.server} ${x}, ${other.server} ${y}`);
    }
  };
  compare('change of', one.changed, other.changed);
  compare('stored', one.row, other.row);
  compare('answered', shapeOf(one.text), shapeOf(other.text));
  return found;
}

/** Names of members and kinds of values of the first item, and how many items there are. */
function shapeOf(text) {
  const answer = JSON.parse(text);
  const item = answer.Items?.[0] ?? answer;
  const kinds = Object.entries(item).map(([name, value]) => [name, value === null ? 'null' : typeof value]);
  return { items: answer.Items?.length ?? 1, ...Object.fromEntries(kinds) };
}

function messageOf(text) {
  try {
    return JSON.parse(text).Message ?? text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}
