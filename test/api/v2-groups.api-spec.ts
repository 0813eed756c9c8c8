/** Version 2: what items are grouped by, and the order of the groups. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
const ids: Ids = { Process: 3, Role: 1 };
let features: number[];

beforeAll(async () => {
  app = await TestApp.start();
  await app.write('CustomFields', { Name: 'Cause', FieldType: 'Entity', EntityType: { Id: 4 }, Process: { Id: 3 } });
  ids.Project = await make(app, 'Project', { mark: 'g', ids });
  features = [];
  for (const Name of ['B', 'a', 'C', 'a']) features.push(await make(app, 'Feature', { mark: 'g', ids }, { Name }));
  const values = [...features.map((Id) => ({ Id, Kind: 'Feature' })), { Id: 1, Kind: 'User' }, null, features[0]!];
  for (const value of values) {
    const Value = typeof value === 'number' ? { Id: value, Kind: 'Feature' } : value;
    await make(app, 'UserStory', { mark: 'g', ids }, { CustomFields: [{ Name: 'Cause', Value }] });
  }
});
afterAll(() => app.stop());

const ask = (parameters: Record<string, string>) =>
  app.ask(`/api/v2/UserStory?${new URLSearchParams({ where: `project.id==${ids.Project}`, ...parameters })}`);

describe('empty braces name nothing to group by', () => {
  it.each(['{}', 'new()', '{},project', 'project,{}'])('groupBy=%s', async (groupBy) => {
    for (const more of [{}, { result: 'sum(effort)' }, { format: 'csv' }] as Record<string, string>[]) {
      const { status, json } = await ask({ groupBy, ...more });
      expect([status, json.Message]).toEqual([400, expect.stringContaining('name what to group by')]);
    }
  });

  it('and are one object without members elsewhere', async () => {
    expect((await ask({ result: '{}' })).json).toEqual({});
    expect((await ask({ groupBy: 'project.id', result: '{}' })).json.items).toEqual([{ id: ids.Project }]);
    expect((await ask({ select: 'new()', take: '2' })).json.items).toEqual([{}, {}]);
  });
});

describe('groups by an Entity custom field', () => {
  const shown = async (parameters: Record<string, string>) => {
    const { status, json } = await ask({ groupBy: 'Cause', ...parameters });
    expect([status, status === 200 ? '' : json.Message]).toEqual([200, '']);
    return json.items.map(({ cause }: { cause?: { id: number } }) => cause?.id);
  };
  const byName = () => [undefined, features[1], features[3], 1, features[0], features[2]];

  it('come in the order of the names, then of the kinds and ids', async () => {
    expect(await shown({})).toEqual(byName());
    expect(await shown({ orderBy: 'Cause' })).toEqual(byName());
    expect(await shown({ take: '2', skip: '1' })).toEqual([features[1], features[3]]);
  });

  it('are ordered by them and their members', async () => {
    expect((await shown({ orderBy: 'Cause desc' })).slice(0, 3)).toEqual([features[2], features[0], 1]);
    expect(await shown({ orderBy: 'cause.id desc' })).toEqual([...features.toReversed(), 1, undefined]);
    expect(await shown({ orderBy: 'cause.resourceType desc,cause.name desc' })).toEqual([
      1,
      ...[2, 0, 1, 3].map((at) => features[at]),
      undefined,
    ]);
    expect(await shown({ orderBy: 'count desc,cause.name', take: '1' })).toEqual([features[0]]);
    expect((await shown({ groupBy: 'why:Cause', orderBy: 'why.name' })).length).toBe(6);
  });

  it('show what they have in common, also in a table', async () => {
    const { json } = await ask({ groupBy: 'Cause,project.id', result: '{n:count}' });
    expect(json.items.at(-1)).toEqual({
      cause: { resourceType: 'Feature', id: features[2], name: 'C' },
      id: ids.Project,
      n: 1,
    });
    const { text } = await ask({ groupBy: 'Cause', format: 'csv' });
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      '"cause.resourceType","cause.id","cause.name","count"',
      ',,,1',
      `"Feature",${features[1]},"a",1`,
    ]);
  });
});
