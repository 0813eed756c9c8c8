import 'reflect-metadata';
import { expect, it } from 'vitest';
import { buildModel } from '../../model/build-model.js';
import { resourceEntities } from '../../modules/entities.js';
import { parseParameters } from '../parameters.js';
import { resolve } from '../v1/compile-query.js';
import { parseQuery } from '../v1/parse.js';
import { valuesMatter } from './forms.js';

const model = buildModel(resourceEntities);

it.each([
  ['Id gt 5', false],
  ['Effort gt 3', false],
  ["Name eq 'x'", false],
  ["EntityState.Name eq 'Open'", false],
  ["CreateDate eq '2026-01-01'", false],
  ["ModifyDate gt '2026-01-01'", true],
  ["(Effort gt 3) and (EndDate lte '2026-01-01')", true],
  ["Project.CreateDate lt '2026-01-01'", true],
  ["not (StartDate gte '2026-01-01')", true],
  ["Name contains 'x'", true],
  ["Tasks.Name contains 'x'", true],
])('%s: %s', (where, expected) => {
  const query = parseQuery(parseParameters(`where=${encodeURIComponent(where)}`));
  expect(valuesMatter(resolve(query, model.resource('UserStory'), { groups: () => [], timeZone: 'UTC' }))).toBe(
    expected,
  );
});
