/** What is read can be sent back: unchanged it changes nothing, in either format, for every resource that can be updated. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ TIME_ZONE: 'Europe/Berlin' });
});
afterAll(() => app.stop());

const model = buildModel(resourceEntities);
const updatable = model.resources
  .filter(({ settings }) => settings.operations.update)
  .map((resource) => resource.collection);

const types = { json: 'application/json', xml: 'application/xml' } as const;

/** A few of each: the first, the last, and what happens to be in between. */
async function someIds(collection: string): Promise<number[]> {
  const ids = (await app.items(`/api/v1/${collection}?include=[Id]&take=1000`)).map(({ Id }) => Id as number);
  return [
    ...new Set([0, Math.floor(ids.length / 3), Math.floor(ids.length / 2), ids.length - 1].map((at) => ids[at]!)),
  ].filter((id) => id !== undefined);
}

describe.each(updatable)('%s', (collection) => {
  it.each(['json', 'xml'] as const)('sent back in %s', async (format) => {
    const ids = await someIds(collection);
    for (const id of ids) {
      const path = `/api/v1/${collection}/${id}?format=${format}`;
      const read = await app.ask(path);
      const sent = await app.ask(path, { method: 'POST', headers: { 'content-type': types[format] }, body: read.text });
      expect([id, sent.status, sent.status === 200 ? '' : sent.text]).toEqual([id, 200, '']);
      expect(sent.text).toBe(read.text);
      expect((await app.ask(path)).text).toBe(read.text);
    }
  });
});

describe('with its collections', () => {
  it.each([
    [
      'UserStories',
      '[Id,Name,Tasks,Assignments,RoleEfforts,AssignedTeams,TagObjects,MasterRelations,SlaveRelations,Comments,AssignedUser]',
    ],
    ['Projects', '[Id,Name,ProjectMembers,TeamProjects,Releases,CrossProjectReleases,Milestones]'],
    ['TestPlans', '[Id,Name,TestCases,ChildTestPlans,ParentTestPlans]'],
    ['TestCases', '[Id,Name,TestPlans,TestSteps]'],
    ['Requests', '[Id,Name,Requesters]'],
    ['Releases', '[Id,Name,Projects,Iterations]'],
    ['Users', '[Id,FirstName,ProjectMembers,TeamMembers]'],
    ['Teams', '[Id,Name,TeamMembers,TeamProjects]'],
    ['Milestones', '[Id,Name,Projects]'],
  ])('%s%s', async (collection, include) => {
    for (const format of ['json', 'xml'] as const) {
      for (const id of await someIds(collection)) {
        const path = `/api/v1/${collection}/${id}?format=${format}&innerTake=1000&include=${include}`;
        const read = await app.ask(path);
        const sent = await app.ask(path, {
          method: 'POST',
          headers: { 'content-type': types[format] },
          body: read.text,
        });
        expect([id, sent.status, sent.status === 200 ? '' : sent.text]).toEqual([id, 200, '']);
        expect(sent.text).toBe(read.text);
      }
    }
  });
});
