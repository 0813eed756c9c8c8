/**
 * What is sent by a base type is written as by the kind's own address: each reference of each kind, to what lies in
 * another project of another process, and null for each field.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { type Answer, TestApp } from '../support/app.js';
import { bodyOf, type Ids, makeEverything, model, storyWorkflow } from '../support/builder.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let app: TestApp;
let ids: Ids;
let others: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  const { Id: Process } = await app.write('Processes', { Name: 'Other' });
  const workflow = await storyWorkflow(app);
  ({ ids } = await makeEverything(app, 'own', workflow));
  ({ ids: others } = await makeEverything(app, 'other', { ...workflow, Process }));
  for (const kind of kinds.filter(({ settings }) => /^(project|own)$/.test(settings.customFields ?? ''))) {
    const define = (Name: string, Id: number) =>
      app.post('/api/v1/CustomFields', {
        Name,
        FieldType: 'Text',
        EntityType: { Id: kind.settings.entityTypeId },
        Process: { Id },
      });
    // Some kinds have none.
    if ((await define('Lost', 3)).status > 201) continue;
    withFields.add(kind);
    for (const process of [3, Process]) expect((await define('Kept', process)).status).toBe(201);
  }
});
afterAll(() => app.stop());

const withFields = new Set<ResourceType>();

const basesOf = ({ bases }: ResourceType): ResourceType[] => bases.filter(({ settings }) => settings.operations.update);

const kinds = model.resources.filter(
  (kind) => !kind.isAbstract && !kind.like && kind.settings.operations.update && basesOf(kind).length > 0,
);

type Settable = ScalarField | ReferenceField;
const settable = ({ fields }: ResourceType): Settable[] =>
  fields.filter((field): field is Settable => field.kind !== 'collection' && field.isSettable && field.name !== 'Id');

/** Of another project and process, where there are such; else the last one. */
async function targetOf({ target }: ReferenceField): Promise<number | undefined> {
  const leaf = { General: 'Bug', Assignable: 'Bug', GeneralUser: 'User' }[target.name] ?? target.name;
  if (others[leaf] !== undefined) return others[leaf];
  return (await app.items(`/api/v1/${target.collection}?take=1&include=[Id]&orderBy=Id desc`))[0]?.Id;
}

let spans = 0;

/** Behind those of all others. */
function daysOfItsOwn(body: Record<string, unknown>): Record<string, unknown> {
  if (body.StartDate === undefined) return body;
  spans += 1;
  const day = (at: number) => new Date(Date.UTC(2060, 0, 20 * spans + at)).toISOString().slice(0, 10);
  return { ...body, StartDate: day(0), EndDate: day(10) };
}

/** New ones for each case, so that nothing of the last one is left. */
async function twins(kind: ResourceType, number: number): Promise<number[]> {
  const CustomFields = ['Lost', 'Kept'].map((Name) => ({ Name, Value: 'a' }));
  const bodies = Array.from({ length: number }, () => ({
    ...daysOfItsOwn(bodyOf(kind.name, { mark: 'twin', ids })),
    ...(kind.name === 'Project' && { Process: { Id: 3 } }),
    ...(kind.name === 'PortfolioEpic' && { Project: { Id: ids.Project } }),
    ...(withFields.has(kind) && { CustomFields }),
  }));
  const { status, json, text } = await app.post(`/api/v1/${kind.collection}/bulk?format=json&include=[Id]`, bodies);
  expect([kind.name, status, status > 200 ? text : '']).toEqual([kind.name, 200, '']);
  return json.Items.map(({ Id }: { Id: number }) => Id);
}

type Write = (id: number, field: Settable, to: number | undefined) => Promise<Answer>;

const memberOf = ({ name }: Settable, to: number | undefined) => ({ [name]: to === undefined ? null : { Id: to } });

const elementOf = (kind: ResourceType, id: number, { name }: Settable, to: number | undefined): string =>
  `<${kind.name} Id="${id}"><${name} ${to === undefined ? 'nil="true"' : `Id="${to}"`}/></${kind.name}>`;

const answers = 'format=json&include=[Id]';

const single =
  ({ collection }: ResourceType): Write =>
  (id, field, to) =>
    app.post(`/api/v1/${collection}/${id}?${answers}`, memberOf(field, to));

const listed =
  ({ collection }: ResourceType): Write =>
  (id, field, to) =>
    app.post(`/api/v1/${collection}/bulk?${answers}`, [{ Id: id, ...memberOf(field, to) }]);

const listedInXml =
  ({ collection }: ResourceType, kind: ResourceType): Write =>
  (id, field, to) =>
    app.post(
      `/api/v1/${collection}/bulk?${answers}`,
      `<${collection}>${elementOf(kind, id, field, to)}</${collection}>`,
    );

const ways = (kind: ResourceType): [name: string, Write][] => {
  const bases = basesOf(kind);
  const [near, far] = [bases[0]!, bases.at(-1)!];
  return [
    [kind.collection, single(kind)],
    ...bases.map((base): [string, Write] => [base.collection, single(base)]),
    [`${near.collection}/bulk`, listed(near)],
    [`${far.collection}/bulk in XML`, listedInXml(far, kind)],
  ];
};

/** What the item refers to and holds, without its Id. */
async function contents(kind: ResourceType, id: number): Promise<string> {
  const references = settable(kind).filter((field) => field.kind === 'reference');
  const shown = [...references.map(({ name }) => name), ...(withFields.has(kind) ? ['CustomFields'] : [])];
  const { Id: _, ...item } = await app.json(`/api/v1/${kind.collection}/${id}?include=[${shown}]`);
  return JSON.stringify(Object.entries(item).map(([name, one]) => [name, (one as { Id?: number } | null)?.Id ?? one]));
}

async function outcomeOf(kind: ResourceType, id: number, write: () => Promise<Answer>): Promise<string> {
  const { status, text } = await write();
  const why = /"Message":"((?:[^"\\]|\\.)*)/.exec(text)?.[1]?.replaceAll('[0].', '').replaceAll(String(id), 'its Id');
  return `${status} ${status < 300 ? '' : why} ${await contents(kind, id)}`;
}

/** What differs from the write by the kind's own address, and what is a fault of the service. */
async function differing(kind: ResourceType, field: Settable, to: number | undefined): Promise<string[]> {
  const [own, ...others] = ways(kind);
  const [first, ...made] = await twins(kind, others.length + 1);
  const expected = await outcomeOf(kind, first!, () => own![1](first!, field, to));
  const different = expected.startsWith('5') ? [`${field.name} ${to}: ${expected}`] : [];
  for (const [at, [way, write]] of others.entries()) {
    const outcome = await outcomeOf(kind, made[at]!, () => write(made[at]!, field, to));
    if (outcome !== expected) different.push(`${field.name} ${to ?? null} by ${way}: ${outcome}, not ${expected}`);
  }
  // The days of spans are their own.
  await app.ask(`/api/v1/${kind.collection}/bulk`, {
    method: 'DELETE',
    body: JSON.stringify([first, ...made].map((Id) => ({ Id }))),
    headers: { 'content-type': 'application/json' },
  });
  return different;
}

it.each(kinds.map((kind) => [kind.name, kind] as const))('%s', async (_, kind) => {
  const different: string[] = [];
  for (const field of settable(kind)) {
    if (field.kind === 'scalar' && !field.isRequired) continue;
    const target = field.kind === 'reference' ? await targetOf(field) : undefined;
    if (target !== undefined) different.push(...(await differing(kind, field, target)));
    different.push(...(await differing(kind, field, undefined)));
  }
  expect(different).toEqual([]);
});

it.each([
  ['UserStory', 'Project', ['UserStories', 'Assignables', 'Generals']],
  ['Release', 'Project', ['Releases', 'Generals']],
  ['Iteration', 'StartDate', ['Iterations', 'Generals']],
] as const)('%s: null for %s is refused with the place, by %s', async (kind, name, collections) => {
  const [first, second] = await twins(model.resource(kind), 2);
  for (const collection of collections) {
    const body = [{ Id: first }, { Id: second, [name]: null }];
    const { status, json } = await app.post(`/api/v1/${collection}/bulk?${answers}`, body);
    expect([collection, status, json.Message]).toEqual([collection, 400, `[1].${name}: a value is required.`]);
  }
});
