/** The demonstration data has what the service gives to entities that are made. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { makeEverything, model, storyWorkflow } from '../support/builder.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

/** What nobody can set, and nothing changes later. */
const given = ['Units', 'CalculatedEstimate'];

it('has the same Units and CalculatedEstimate as what is made', async () => {
  const fields = model.resources.flatMap((resource) =>
    resource.settings.entityTypeId === undefined
      ? []
      : given.flatMap((field) => (resource.field(field) ? [{ resource, field }] : [])),
  );
  const valuesOf = async ({ resource, field }: (typeof fields)[number]): Promise<[string, unknown[]]> => {
    const items = await app.items(`/api/v1/${resource.collection}?include=[${field}]&take=1000`);
    return [`${resource.collection}.${field}`, [...new Set(items.map((item) => item[field]))]];
  };
  const demonstration = await Promise.all(fields.map(valuesOf));
  const { ids } = await makeEverything(app, 'Given', await storyWorkflow(app));
  const made = await Promise.all(
    fields.map(async ({ resource, field }) => {
      const item = await app.json(`/api/v1/${resource.collection}/${ids[resource.name]}?include=[${field}]`);
      return [`${resource.collection}.${field}`, [item[field]]];
    }),
  );
  expect(demonstration).toEqual(made);
});
