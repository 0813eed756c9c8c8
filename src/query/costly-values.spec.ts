import 'reflect-metadata';
import { expect, it } from 'vitest';
import { buildModel } from '../model/build-model.js';
import { resourceEntities } from '../modules/entities.js';
import { formOf } from './compile/forms.js';
import { takesLong } from './costly-values.js';
import type { Value } from './meaning.js';
import { scopeRows } from './scope.js';
import { parseQueryV2 } from './v2/query-v2.js';
import { resolveQueryV2 } from './v2/resolve-query.js';
import { partsOf } from './values.js';

const model = buildModel(resourceEntities);

function conditionsOf(text: string): readonly Value[] {
  const catalogue = { groups: () => [], timeZone: 'UTC' };
  const parsed = parseQueryV2(`where=${encodeURIComponent(text)}`, 16_384);
  const { plan } = resolveQueryV2(parsed, model.resource('UserStory'), { model, catalogue }, 'page');
  return scopeRows(plan, 'administrator').where;
}

/** Whether its statement counts or sums up for each row. */
const counts = (of: Value): boolean => {
  const form = 'type' in of && of.type.kind === 'boolean' ? formOf(of as never) : of;
  return form.kind === 'aggregate' || partsOf(form).some(counts);
};

const numbers = [0, 1, 2];
const owners = [
  'tasks',
  'tasks.skip(1)',
  'tasks.take(1)',
  'tasks.where(effort>1)',
  'release.userStories',
  'project.userStories',
];
const operators = ['==', '!=', '>', '>=', '<', '<='];
const written = owners.flatMap((owner) =>
  operators.flatMap((operator) =>
    numbers.flatMap((number) => [
      `${owner}.count()${operator}${number}`,
      `${number}${operator}${owner}.count()`,
      `not(${owner}.count()${operator}${number})`,
    ]),
  ),
);

it.each(written)('%s takes long where it is counted', (text) => {
  const conditions = conditionsOf(text);
  expect(conditions.some(takesLong)).toBe(conditions.some(counts));
});
