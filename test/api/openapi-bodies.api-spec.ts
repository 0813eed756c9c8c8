/** Bodies as the document describes them: what it says is needed is needed, and null is taken where it says so. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Schema } from '../../src/modules/openapi/openapi-types.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, makeEverything, model, storyWorkflow } from '../support/builder.js';
import { DescribedApi, type DescribedOperation } from '../support/openapi.js';

vi.setConfig({ testTimeout: 120_000 });

const mark = 'bodies';
let app: TestApp;
let api: DescribedApi;
let ids: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  api = await DescribedApi.of(app);
  ({ ids } = await makeEverything(app, mark, await storyWorkflow(app)));
});
afterAll(() => app.stop());

const kinds = model.resources.filter(({ isAbstract }) => !isAbstract);
const created = kinds.filter(({ settings }) => settings.operations.create).map(({ name }) => name);
const updated = kinds.filter(({ settings }) => settings.operations.update).map(({ name }) => name);

const operation = (id: string): DescribedOperation =>
  api.operations.find(({ operation: { operationId } }) => operationId === id)!;

interface Narrowed extends Schema {
  readonly allOf?: readonly { readonly anyOf?: readonly { readonly required: readonly [string] }[] }[];
  readonly required?: readonly string[];
}

const bodySchema = (id: string): Narrowed => operation(id).body!.content['application/json']!.schema as Narrowed;

/** Members that a creation needs, and lists of those of which it needs one. */
function needsOf(kind: string): { needed: readonly string[]; oneOf: readonly string[][] } {
  const { allOf = [], required = [] } = bodySchema(`create${kind}`);
  const oneOf = allOf.flatMap(({ anyOf }) => (anyOf ? [anyOf.map(({ required: [name] }) => name)] : []));
  return { needed: required, oneOf };
}

type Body = Record<string, unknown>;

/** A value of a member, as another entity of the kind would have it. */
async function valueFor(kind: string, name: string): Promise<unknown> {
  const known = { ...bodyOf(kind, { mark, ids }), ...(await ends(kind)) }[name];
  if (known !== undefined) return known;
  const field = model.resource(kind).fields.find((one) => one.name === name);
  if (field?.kind === 'collection') return [{ Id: ids[field.target.name] }];
  if (field?.kind !== 'reference') return undefined;
  const id =
    ids[field.target.name] ?? { General: ids.Bug, Assignable: ids.Bug, GeneralUser: ids.User }[field.target.name];
  return id === undefined ? undefined : { Id: id };
}

/** A relation is made once. An entity that is named by its Id alone is no reference. */
async function ends(kind: string): Promise<Body> {
  if (kind === 'EntityPermission') return { EntityId: ids.UserStory };
  if (kind !== 'Relation') return {};
  const { Id } = await app.write('UserStories', { Name: mark, Project: { Id: ids.Project } });
  return { Master: { Id }, Inbound: { Id } };
}

async function withMembers(kind: string, names: readonly string[]): Promise<Body> {
  const entries = names.map(async (name) => [name, await valueFor(kind, name)] as const);
  return Object.fromEntries((await Promise.all(entries)).filter(([, value]) => value !== undefined));
}

const create = (kind: string, body: Body) =>
  app.post(`/api/v1/${model.resource(kind).collection}?format=json&include=[Id]`, body);

/** A process has one workflow for a kind already, to which parts are added. */
const isOneEnough = (kind: string): boolean => kind === 'Workflow';

/** What these very values need. */
const besides: Readonly<Record<string, readonly string[]>> = { CustomField: ['Process'] };

/** Made by other ways alone, whatever is sent. */
const neverMade = ['TestCaseRun'];

describe.each(created.filter((kind) => !neverMade.includes(kind)))('creating %s', (kind) => {
  it('takes what is needed and nothing else', async () => {
    const { needed, oneOf } = needsOf(kind);
    for (const [at] of (isOneEnough(kind) ? [''] : (oneOf[0] ?? [''])).entries()) {
      const chosen = oneOf.map((list) => list[at % list.length]!);
      const names = [...needed, ...chosen, ...(besides[kind] ?? [])];
      const answer = await create(kind, await withMembers(kind, names));
      expect([names, answer.status, answer.json.Message]).toEqual([names, expect.toSatisfy(isDone), undefined]);
    }
  });

  it('needs each of these, whatever else is sent', async () => {
    const { needed, oneOf } = needsOf(kind);
    const input = api.resolved<Schema>({ $ref: `#/components/schemas/${kind}Input` }).properties as Body;
    const wanted = [...needed.map((name) => [name]), ...oneOf];
    for (const left of wanted) {
      const others = wanted
        .filter((one) => one !== left)
        .flatMap((names) => names.filter((name) => !left.includes(name)));
      const references = Object.keys(input).filter(
        (name) => isReference(kind, name) && ![...left, ...others].includes(name),
      );
      for (const one of [undefined, ...references]) {
        const body = await withMembers(kind, one === undefined ? others : [...others, one]);
        const { status } = await create(kind, body);
        expect([left, one, status]).toEqual([left, one, expect.toSatisfy((code: number) => code >= 400)]);
      }
    }
  });
});

const isDone = (status: number): boolean => status === 200 || status === 201;

const isReference = (kind: string, name: string): boolean =>
  model.resource(kind).fields.some((field) => field.kind === 'reference' && field.name === name);

/** Refused for what these very entities are, or kept as they are. */
const dependsOnMore: Readonly<Record<string, readonly string[]>> = {
  // Their sum is that of several roles.
  Epic: ['Effort'],
  // A list has options, and a definition stays with its process.
  CustomField: ['Value', 'Process', 'FieldType'],
  // Its items have states of its process.
  Project: ['Process'],
  // One has it, and gives it up to another.
  EntityState: ['IsInitial'],
  Process: ['IsDefault'],
  // Nothing is kept of it.
  User: ['Password'],
  Attachment: ['Content'],
};

it.each(updated)('null is taken of %s where the document says so', async (kind) => {
  const input = api.resolved<Schema>({ $ref: `#/components/schemas/${kind}Input` }).properties as Record<
    string,
    Schema
  >;
  const { collection } = model.resource(kind);
  const id = ids[kind] ?? (await app.items(`/api/v1/${collection}?include=[Id]&take=1`))[0]?.Id;
  if (id === undefined) return;
  const differing: string[] = [];
  for (const [name, schema] of Object.entries(input)) {
    const field = model.resource(kind).fields.find((one) => one.name === name);
    if (!field || field.kind === 'collection' || name === 'Id' || dependsOnMore[kind]?.includes(name)) continue;
    const answer = await app.post(`/api/v1/${collection}/${id}?format=json`, { [name]: null });
    const isNullable = JSON.stringify(schema).includes('"null"');
    if (isNullable !== (answer.status === 200)) differing.push(`${name}: ${answer.status} ${answer.json.Message}`);
    if (!isNullable && !/: a value is required\.$/.test(answer.json.Message)) differing.push(`${name}: ${answer.text}`);
  }
  expect(differing).toEqual([]);
});

describe('dates', () => {
  const pattern = (): RegExp =>
    new RegExp(api.resolved<Schema>({ $ref: '#/components/schemas/DateInput' }).pattern as string);
  const change = (PlannedStartDate: string) =>
    app.post(`/api/v1/UserStories/${ids.UserStory}?format=json`, { PlannedStartDate });

  it.each([
    ...['2026-01-31', '2026-01-31T10:00', '2026-01-31 10:00:00', '2026-02-28T00:00:00Z', '2026-02-28T00:00:00.123Z'],
    ...['2026-02-28T00:00:00+02:00', '2026-02-28T00:00:00+0530', '2026-02-28T00:00:00-05', '2026-02-28t00:00:00z'],
    ...['24-Oct-2015', '4-oct-2015', '/Date(1714644672123)/', '/Date(1714644672000+0200)/', '/Date(-1)/'],
  ])('%s is allowed, and taken', async (date) => {
    expect([pattern().test(date), (await change(date)).status]).toEqual([true, 200]);
  });

  it.each([
    '2026-1-31',
    '31.01.2026',
    '10/24/2015',
    'today',
    '12026-01-31',
    '2026-01-31T10',
    '/Date()/',
    '1714644672',
  ])('%s is neither', async (date) =>
    expect([pattern().test(date), (await change(date)).status]).toEqual([false, 400]));
});

it('decimals have as many digits as are taken', async () => {
  const { Effort } = api.resolved<Schema>({ $ref: '#/components/schemas/RoleEffortInput' }).properties as Record<
    string,
    { exclusiveMaximum: number }
  >;
  const { message } = await app
    .post(`/api/v1/RoleEfforts/${ids.RoleEffort}?format=json`, { Effort: Effort!.exclusiveMaximum })
    .then(({ json }) => ({ message: json.Message }));
  expect(message).toMatch(/14 digits/);
});
