/**
 * Whether the servers do the same work: each answers a case once, and what that changed in its tables is compared with
 * what the service changed.
 */
import { askOnce } from './load.mjs';
import { addUp, keepsTotals, workOf } from './schemas.mjs';
import { differencesOfRows, markRows, touchedRows } from './stored-rows.mjs';

/** Who keeps totals and versions is compared by them, too. */
const sums = {
  'row versions': '(select sum(entity_version)::float8 from general)',
  'effort of roles': '(select sum(effort)::float8 from role_effort)',
  'effort of projects': '(select sum(effort)::float8 from general where entity_type_id = 1)',
};

/** Returns an outcome for each server, and the differences between the service and the others. */
export async function compareWork(client, servers, requestFor, isRead = false) {
  if (isRead) return compareAnswers(servers, requestFor);
  const outcomes = [];
  for (const server of servers) outcomes.push(await outcomeOf(client, server, requestFor));
  const differences = [];
  for (const [service, other] of comparable(outcomes))
    differences.push(...(await differencesOf(client, service, other)));
  return { outcomes, differences };
}

async function outcomeOf(client, server, requestFor) {
  const { name, schema, isPeer } = server;
  await addUp(client);
  const before = await tally(client, schema);
  const mark = await markRows(client, schema);
  const { text, problem } = await answerOf(server, requestFor);
  await addUp(client);
  const after = await tally(client, schema);
  const changed = Object.fromEntries(Object.entries(after).map(([key, value]) => [key, value - before[key]]));
  return { server: name, schema, isPeer, problem, changed, text, touched: await touchedRows(client, schema, mark) };
}

async function tally(client, schema) {
  const columns = workOf(schema).map((table) => `(select count(*)::int from ${schema}.${table}) as ${table}`);
  const kept = keepsTotals(schema) ? Object.entries(sums) : [];
  for (const [name, sum] of kept) columns.push(`${sum.replace('from ', `from ${schema}.`)} as "${name}"`);
  return (await client.query(`select ${columns.join(', ')}`)).rows[0];
}

/** Of reads the very bytes are compared, links aside: they name the server. Peers spell the same items as they do. */
async function compareAnswers(servers, requestFor) {
  const outcomes = [];
  for (const server of servers) {
    const { name, isPeer } = server;
    outcomes.push({ server: name, isPeer, changed: {}, ...(await answerOf(server, requestFor)) });
  }
  const differences = comparable(outcomes).flatMap(([service, other]) =>
    (other.isPeer ? missingNames : differentBytes)(service, other),
  );
  return { outcomes, differences };
}

/** The service, which comes first, beside each of the others, as far as they have done what was asked. */
const comparable = ([service, ...others]) =>
  service.problem ? [] : others.filter(({ problem }) => !problem).map((other) => [service, other]);

function differentBytes(...pair) {
  const [a, b] = pair.map(({ text }) => text.replace(/ ?"?\bnext"?[:=]"[^"]*",?/gi, ''));
  if (a === b) return [];
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return [`answers from byte ${at} on: ${[a, b].map((text) => text.slice(Math.max(0, at - 40), at + 40)).join(' | ')}`];
}

function missingNames(service, other) {
  const names = (JSON.parse(service.text).Items ?? []).map(({ Name }) => JSON.stringify(Name));
  const missing = names.filter((name) => !other.text.includes(name));
  return missing.length > 0 ? [`${other.server} does not list ${missing[0]} and ${missing.length - 1} more`] : [];
}

/** What cannot be asked or is not answered as it should be is a problem of the case, not of the run. */
async function answerOf(server, requestFor) {
  try {
    const request = requestFor(server);
    const { status, text } = await askOnce(server.base, request);
    const isRight = status === request.expects && !request.isWrong?.(text);
    return { text, problem: isRight ? undefined : `it answered ${status} ${messageOf(text)}` };
  } catch (error) {
    return { text: '', problem: error.message };
  }
}

async function differencesOf(client, one, other) {
  const pairs = [
    ['change of', one.changed, other.changed],
    ...(other.isPeer ? [] : [['answered', shapeOf(one.text), shapeOf(other.text)]]),
  ];
  return [
    ...pairs.flatMap(([what, a, b]) => differencesOfMembers(a, b).map((text) => `${what} ${text}`)),
    ...(await differencesOfRows(client, one, other)).map((text) => `stored ${text}`),
  ].map((text) => `${one.server} and ${other.server}: ${text}`);
}

/** Of what both keep, `undefined` beside what one answers and the other does not. */
function differencesOfMembers(a, b) {
  return Object.keys(b)
    .filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
    .map((name) => `${name}: ${JSON.stringify(a[name])}, ${JSON.stringify(b[name])}`);
}

/** Names of members and kinds of values of the first item, and how many items there are. */
function shapeOf(text) {
  const answer = JSON.parse(text);
  const item = answer.Items?.[0] ?? answer;
  const kinds = Object.entries(item).map(([name, value]) => [name, value === null ? 'null' : typeof value]);
  return { items: answer.Items?.length ?? 1, members: Object.fromEntries(kinds) };
}

function messageOf(text) {
  try {
    return JSON.parse(text).Message ?? text.slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}
