import { describe, expect, it } from 'vitest';
import { buildModel } from '../model/build-model.js';
import type { ResourceType } from '../model/model.js';
import { resourceEntities } from '../modules/entities.js';
import { ownerReferences, stepReferences } from './owners.js';

const model = buildModel(resourceEntities);

/** By which references it is decided whether a member may write a row: to Generals, through how many rows it takes. */
function ways(resource: ResourceType): string[] {
  const direct = ownerReferences(resource).map(({ property }) => property);
  return [
    ...direct,
    ...stepReferences(resource).flatMap(({ property, target }) => ways(target).map((way) => `${property}.${way}`)),
  ];
}

/** What members write and what is no General itself. */
const parts = model.resources.filter(({ isGeneral, settings }) => {
  const { operations, isAdministered, isConfiguration, visible } = settings;
  const isWritten = operations.create || operations.update || operations.delete;
  return isWritten && !isGeneral && !isAdministered && !isConfiguration && visible.kind !== 'owned';
});

describe('what a row hangs on', () => {
  it.each([
    ['Comment', ['general']],
    ['Time', ['assignable']],
    ['Relation', ['master', 'slave']],
    ['TestCaseRun', ['testPlanRun']],
    ['TestStepRun', ['testCaseRun.testPlanRun']],
  ])('%s: %j', (name, expected) => expect(ways(model.resource(name))).toEqual(expected));

  it('is found for all that members write, but for what is seen by the members of its project alone', () => {
    const without = parts.filter((resource) => ways(resource).length === 0).map(({ name }) => name);
    expect(without).toEqual(['CustomActivity', 'ProjectMember', 'Revision', 'RevisionFile', 'Tag']);
  });
});
