/** A program that uses the client which a generator makes of the OpenAPI document. `worktrack.ts` is that. */
import createClient from 'openapi-fetch';
import type { paths } from './worktrack.js';

const [baseUrl, token] = [process.env.WORKTRACK_URL!, process.env.WORKTRACK_TOKEN!];
const { GET, POST, DELETE } = createClient<paths, 'application/json'>({
  baseUrl,
  headers: { 'X-Access-Token': token },
});
const query = { format: 'json' } as const;

const { data: projects } = await GET('/api/v1/Projects', { params: { query: { ...query, include: '[Id]', take: 1 } } });
const project = projects!.Items[0]!.Id;

const { data: story } = await POST('/api/v1/UserStories', {
  params: { query: { ...query, include: '[Id,Name,Project,Effort,Tasks]' } },
  body: { Name: 'By a generated client', Project: { Id: project }, Tasks: { Items: [{ Name: 'Generate it' }] } },
});
const name: string | undefined = story!.Name;
const effort: number | null | undefined = story!.Effort;

const at = { params: { path: { id: story!.Id }, query } };
const { data: tasks } = await GET('/api/v1/UserStories/{id}/Tasks', at);
const { data: deleted } = await DELETE('/api/v1/UserStories/{id}', at);
const { error, response } = await GET('/api/v1/UserStories/{id}', at);

// @ts-expect-error: a name that is no parameter is no name of the client either.
await GET('/api/v1/UserStories', { params: { query: { were: 'Id gt 5' } } });
// @ts-expect-error: a story needs a project.
const { error: refused } = await POST('/api/v1/UserStories', { params: { query }, body: { Name: 'Nowhere' } });

process.stdout.write(
  JSON.stringify([
    [name, effort, story!.Project?.Id === project, tasks!.Items.map((task) => task.Name)],
    [deleted!.Id === story!.Id, response.status, error?.Status, refused?.Status],
  ]),
);
