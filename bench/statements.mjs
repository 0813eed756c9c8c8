/** The service's own statements, run by PostgreSQL alone: how long it takes, without the way there and back. */
import 'reflect-metadata';
import { median } from './load.mjs';

const { buildModel } = await import('../build/model/build-model.js');
const { resourceEntities } = await import('../build/modules/entities.js');
const { compilePage, isJoined, spellItems } = await import('../build/query/compile/page.js');
const { parseParameters } = await import('../build/query/parameters.js');
const { parseQuery } = await import('../build/query/v1/parse.js');
const { resolve } = await import('../build/query/v1/compile-query.js');
const { scope } = await import('../build/query/scope.js');
const { jsonRepresentation } = await import('../build/representation/json.js');
const { sessionOptions } = await import('../build/database/session.js');

export const session = sessionOptions({ timeZone: 'UTC' });

const model = buildModel(resourceEntities);

/** Milliseconds, the median of some runs, with the plan the service would use. */
export const executionTime = async (client, resource, text) => (await executionOf(client, resource, text)).ms;

/** The same with the nodes of the plan, from the top down: what each does, and by which index. */
export async function executionOf(client, resource, text) {
  const query = parseQuery(parseParameters(encodeURI(text)));
  const plan = scope(resolve(query, model.resource(resource), { groups: () => [] }), 'administrator');
  const format = jsonRepresentation({ dates: 'ms', utc: true });
  const statement = compilePage(plan, spellItems(plan, format, { tail: '' }, isJoined(plan)));
  const values = statement.parameters.map((one) => (one.kind === 'value' ? one.value : ''));
  await client.query(`set plan_cache_mode = force_${statement.isPlannedEachTime ? 'custom' : 'generic'}_plan`);
  await client.query(`prepare measured as ${statement.text}`);
  const list = values.length > 0 ? `(${values.map((value) => client.escapeLiteral(String(value))).join(', ')})` : '';
  const runs = [];
  for (let run = 0; run < 9; run += 1) {
    const { rows } = await client.query(`explain (analyze, timing off, format json) execute measured${list}`);
    runs.push(rows[0]['QUERY PLAN'][0]);
  }
  await client.query('deallocate measured');
  return { ms: median(runs.map((run) => run['Execution Time'])), nodes: nodesOf(runs[0].Plan) };
}

const nodesOf = (plan) => [
  `${plan['Node Type']} ${plan['Index Name'] ?? plan['Relation Name'] ?? ''}`.trim(),
  ...(plan.Plans ?? []).flatMap(nodesOf),
];
