import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../model/build-model.js';
import { resourceEntities } from '../../modules/entities.js';
import type { Condition } from '../meaning.js';
import { parseParameters } from '../parameters.js';
import { scope } from '../scope.js';
import { resolve } from '../v1/compile-query.js';
import { parseQuery } from '../v1/parse.js';
import { inForms, mayBeUnknown, relation } from './forms.js';

const model = buildModel(resourceEntities);

/** What stands inside of `not (…)`. */
function negated(resource: string, where: string): Condition {
  const query = parseQuery(parseParameters(`where=${encodeURIComponent(`not (${where})`)}`));
  const plan = scope(resolve(query, model.resource(resource), { groups: () => [], timeZone: 'UTC' }), 'member');
  const [condition] = inForms(plan).where;
  if (condition?.kind !== 'not') throw new Error(`${where} is not negated`);
  return condition.of;
}

describe('a condition may be unknown', () => {
  it.each([
    ['UserStory', 'Effort gt 5', true],
    ['UserStory', 'Effort in (5)', true],
    ['UserStory', "Name contains 'x'", true],
    ['UserStory', 'Effort is null', false],
    ['UserStory', 'Feature is not null', false],
    ['UserStory', "Feature.Name eq 'x'", false],
    ['UserStory', 'Feature.Id eq 5', true],
    ['UserStory', "EntityState.Name eq 'Done'", true],
    ['EntityState', 'Role is not null', false],
    ['UserStory', 'Priority.IsDefault is not null', true],
    ['UserStory', 'Effort is null or Priority.IsDefault is not null', true],
    ['UserStory', 'Effort is null or not (not (Effort gt 5))', true],
    ['UserStory', "Tasks.EntityState.Name eq 'Done'", false],
    ['UserStory', "Feature.Name eq 'x' and Tasks is null", false],
    ['UserStory', "Feature.Name eq 'x' or Effort gt 5", true],
  ])('%s: %s: %s', (resource, where, expected) => expect(mayBeUnknown(negated(resource, where))).toBe(expected));
});

describe('what a reference points at is asked for', () => {
  it.each([
    ['EntityState', 'Role is not null', 'present'],
    ['UserStory', 'Owner is not null', 'present'],
    ['UserStory', 'Feature is not null', 'exists'],
    ['Assignment', 'GeneralUser is not null', 'exists'],
    ['UserStory', 'Feature.Id eq 5', 'byId'],
    ['UserStory', "EntityState.Name eq 'Done'", 'configuration'],
    ['UserStory', "Feature.Name eq 'x'", 'exists'],
  ])('%s: %s: %s', (resource, where, expected) => {
    const condition = negated(resource, where);
    if (condition.kind !== 'related') throw new Error(`${where} is not about a reference`);
    expect(relation(condition)).toBe(expected);
  });
});
