/** What describe shows of many states, custom fields and options, and how the rest follows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';

let app: TestApp;
let agent: Agent;
const scrum = 3;

beforeAll(async () => {
  app = await TestApp.start();
  agent = await Agent.http(app.base, { authorization: basic('admin') });
});
afterAll(async () => {
  await agent.close();
  await app.stop();
});

/** What is behind that which is described, by the call that is named. */
async function following(more: string, project: number | undefined): Promise<{ name: string }[]> {
  const [, others, spelled] = /^([^{]*) (\{.*\})$/.exec(more)!;
  const call = JSON.parse(spelled!);
  expect(others).toBe(project ? 'Call list' : 'Give project for those of one process, or call list');
  const items: { name: string }[] = [];
  for (let skip: number | undefined = call.skip; skip !== undefined; ) {
    const page = await agent.use('list', { ...call, take: 50, skip });
    items.push(...page.items);
    skip = page.next && Number(/skip (\d+)/.exec(page.next)![1]);
  }
  return items;
}

it('fields that several processes define alike are one', async () => {
  const { customFields } = await agent.use('describe', { kind: 'Bug' });
  const [origin] = customFields.filter(({ name }: { name: string }) => name === 'Origin');
  expect(origin.processes.toSorted()).toEqual(['All Practices', 'Kanban', 'Scrum']);
  expect(origin.options).toEqual(['Manual QA', 'Customer', 'Monitoring']);
});

it('those of a project are those of its process', async () => {
  const [{ name }] = await app.rows('select name from general where id = 8');
  for (const project of [8, '8', name]) {
    const { states, customFields } = await agent.use('describe', { kind: 'Bug', project });
    expect(Object.keys(states)).toEqual(['Scrum']);
    expect(new Set(customFields.flatMap(({ processes }: { processes: string[] }) => processes))).toEqual(
      new Set(['Scrum']),
    );
  }
  const users = await agent.use('describe', { kind: 'User' });
  expect(users.customFields.length).toBeGreaterThan(0);
  expect(await agent.use('describe', { kind: 'User', project: 8 })).toEqual(users);
  expect(await agent.refusal('describe', { kind: 'Bug', project: 999_999 })).toMatch(
    /^project: there is no Project with Id 999999, or access/,
  );
  expect(await agent.refusal('describe', { project: 8 })).toMatch(/give kind/);
});

it('options that have no room follow by the call that stands in their place', async () => {
  const options = Array.from({ length: 90 }, (_, at) => `Option ${at} of many 😀`);
  const field = { Name: 'Long', FieldType: 'DropDown', EntityType: { Id: 9 }, Process: { Id: scrum } };
  await app.write('CustomFields', { ...field, Value: options.join('\r\n') });
  const { customFields } = await agent.use('describe', { kind: 'Feature' });
  const shown: string[] = customFields.find(({ name }: { name: string }) => name === 'Long').options;
  const call = JSON.parse(/^… \[more options: get (\{.*\})\]$/.exec(shown.pop()!)![1]!);
  const { text } = await agent.use('get', call);
  expect([...shown, ...text.split(/\r?\n/)]).toEqual(options);
});

it('what has no room of many fields and states is told with the call for it', async () => {
  const Value = Array.from({ length: 10 }, (_, at) => `${at} ${'x'.repeat(80)}`).join('\n');
  const field = { FieldType: 'DropDown', EntityType: { Id: 5 }, Process: { Id: scrum }, Value };
  const names = Array.from({ length: 60 }, (_, at) => `Field ${at}`);
  for (const Name of names) await app.write('CustomFields', { ...field, Name });
  const [workflow] = await app.items(`/api/v1/Workflows?where=(EntityType.Id eq 5)and(Process.Id eq ${scrum})`);
  const stateNames = Array.from({ length: 90 }, (_, at) => `State ${at} ${'y'.repeat(150)}`);
  for (const Name of stateNames) await app.write('EntityStates', { Name, Workflow: { Id: workflow.Id } });
  for (const project of [undefined, 8]) {
    const { customFields, moreCustomFields, states, moreStates } = await agent.use('describe', {
      kind: 'Task',
      ...(project && { project }),
    });
    expect(customFields.length).toBeLessThan(60);
    const namesOf = (list: { name: string }[]) => list.map(({ name }) => name).filter((name) => /^Field/.test(name));
    const fields = [...namesOf(customFields), ...namesOf(await following(moreCustomFields, project))];
    expect(fields.toSorted()).toEqual(names.toSorted());
    expect(states.Scrum.length).toBeLessThan(90);
    const all = [...states.Scrum, ...(await following(moreStates, project)).map(({ name }) => name)];
    expect(all.filter((name) => /^State/.test(name)).toSorted()).toEqual(stateNames.toSorted());
  }
});
