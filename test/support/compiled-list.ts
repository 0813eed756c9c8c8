/** Lists of version 1 as the statements that they are compiled to, for specs that ask the database about them. */
import 'reflect-metadata';
import type { ActorShape } from '../../src/actor.js';
import { compilePage, isJoined, spellItems } from '../../src/query/compile/page.js';
import { parseParameters } from '../../src/query/parameters.js';
import { scope } from '../../src/query/scope.js';
import { resolve } from '../../src/query/v1/compile-query.js';
import { parseQuery } from '../../src/query/v1/parse.js';
import { jsonRepresentation } from '../../src/representation/json.js';
import type { LateValue, Statement } from '../../src/sql.js';
import { model } from './builder.js';

/** Of the bulk data: stories of the process Scrum have a score. */
const catalogue = {
  timeZone: 'UTC',
  groups: () => [{ processId: 3, entityTypeId: 4, fields: [{ name: 'Score', type: 'Number' as const, options: [] }] }],
};

export function compiledList(resource: string, query: string, shape: ActorShape = 'administrator'): Statement {
  const resolved = resolve(parseQuery(parseParameters(encodeURI(query))), model.resource(resource), catalogue);
  const plan = scope(resolved, shape);
  return compilePage(
    plan,
    spellItems(plan, jsonRepresentation({ dates: 'ms', utc: true }), { tail: '' }, isJoined(plan)),
  );
}

const lateValues: Record<LateValue, unknown> = {
  base: 'http://x',
  'actor.user': 1,
  'actor.projects': [1, 2],
  'actor.teams': [1, 2],
  'context.projects': [1],
  'context.teams': [1],
  id: 1,
  ids: [1],
};

export const valuesOf = ({ parameters }: Statement, own: Partial<typeof lateValues> = {}): unknown[] =>
  parameters.map((one) => (one.kind === 'value' ? one.value : (own[one.late] ?? lateValues[one.late])));
