/** Where steps of a test case stand. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

it.each([2 ** 31 - 1, -(2 ** 31), 7])('a step without RunOrder comes last, also behind %i', async (RunOrder) => {
  const TestCase = await app.write('TestCases?include=[Id]', { Name: 'Steps', Project: { Id: 8 } });
  const add = async (more: object) =>
    (await app.write('TestSteps?include=[Id]', { TestCase, Description: 'step', ...more })).Id;
  const ids = [await add({ RunOrder }), await add({}), await add({})];
  const steps = await app.items(`/api/v1/TestCases/${TestCase.Id}/TestSteps?include=[Id]`);
  expect(steps.map(({ Id }) => Id)).toEqual(ids);
});
