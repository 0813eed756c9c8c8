/** What the first request to a process may be: nothing has been looked up before it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

it('is a write of a custom field by its name', async () => {
  const [Id] = await scrumProjects(app);
  const made = await app.post('/api/v1/UserStories?format=json', { Name: 'first', Project: { Id }, Risk: 'High' });
  expect(made.status, made.text).toBe(201);
  expect(made.json.CustomFields).toContainEqual(expect.objectContaining({ Name: 'Risk', Value: 'High' }));
});
