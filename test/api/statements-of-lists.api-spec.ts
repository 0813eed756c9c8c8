/** What is written in a list is looked up and stored by statements for all of it, whatever kind it is of. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { observeStatements } from '../../src/database/statement-observer.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, makeEverything, model, storyWorkflow } from '../support/builder.js';

let app: TestApp;
let ids: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  ids = (await makeEverything(app, 'list', await storyWorkflow(app))).ids;
});
afterEach(() => observeStatements(undefined));
afterAll(() => app.stop());

/** Made one by one, or by other ways, or never twice the same. */
const apart = ['AccessToken', 'TestCaseRun', 'Relation', 'Workflow'];
const kinds = model.resources.filter(
  ({ name, isAbstract, settings }) => !isAbstract && settings.operations.create && !apart.includes(name),
);

it.each(kinds.map(({ name }) => name))('%s', async (kind) => {
  const list = Array.from({ length: 8 }, () => bodyOf(kind, { mark: 'list', ids }));
  const times = new Map<string, number>();
  observeStatements({ begin: (text) => void times.set(text, (times.get(text) ?? 0) + 1) });
  const answer = await app.post(`/api/v1/${model.resource(kind).collection}/bulk?format=json&include=[Id]`, list);
  observeStatements(undefined);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  expect([...times].filter(([, count]) => count >= list.length)).toEqual([]);
});
