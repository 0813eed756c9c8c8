/** Metadata: every address that they name answers, and what they say of writing is so. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FieldDescription } from '../../src/modules/metadata/describe.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, makeEverything, model, storyWorkflow } from '../support/builder.js';
import { type Element, parseXml } from '../support/xml.js';

// It walks the metadata of every type.
vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let ids: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  const workflow = await storyWorkflow(app);
  ids = (await makeEverything(app, 'meta', workflow)).ids;
});
afterAll(() => app.stop());

const paths = ['Index', 'Context', ...model.resources.map(({ collection }) => collection)].map(
  (name) => `/api/v1/${name}/meta`,
);

/** Every value of a member or attribute that is called so. */
function valuesIn(tree: unknown, isName: (name: string) => boolean): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) =>
    isName(name) && typeof value === 'string' ? [value] : valuesIn(value, isName),
  );
}

const isUri = (name: string): boolean => /Uri$/.test(name);

type Fields = Record<'Values' | 'References' | 'Collections', FieldDescription[]>;

async function described(collection: string): Promise<{ head: Record<string, unknown>; fields: Fields }> {
  const head = await app.json(`/api/v1/${collection}/meta`);
  const groups = head.ResourceMetadataPropertiesDescription;
  const items = (kind: string) => groups[`ResourceMetadataPropertiesResource${kind}Description`].Items;
  return {
    head,
    fields: { Values: items('Values'), References: items('References'), Collections: items('Collections') },
  };
}

describe('addresses', () => {
  it.each(['json', 'xml'])('that are named in %s all answer, and name what they are of', async (format) => {
    const seen = new Map<string, string>();
    const next = paths.map((path) => app.base + path);
    for (let uri = next.pop(); uri !== undefined; uri = next.pop()) {
      if (seen.has(uri)) continue;
      const answer = await app.ask(uri.replace(app.base, ''), { headers: { accept: `application/${format}` } });
      expect([uri, answer.status]).toEqual([uri, 200]);
      const tree = format === 'json' ? answer.json : await parseXml(answer.text.replace(/^<\?.*\?>\n/, ''));
      seen.set(uri, format === 'json' ? tree.Name : (tree as Element).attributes.Name);
      next.push(...valuesIn(tree, isUri));
    }
    const names = [...seen.values()];
    expect(names).toEqual(
      expect.arrayContaining(['Int32', 'String', 'FieldTypeEnum', 'ProjectInfo', 'CustomFieldInfo', 'BugHistory']),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('of a type that is named with a field answer as that type', async () => {
    const typeAt = new Map<string, string>();
    for (const { collection } of model.resources) {
      const { fields } = await described(collection);
      for (const { Type, Uri } of Object.values(fields).flat()) {
        if (Type === 'CustomFields') continue;
        expect([collection, Uri, Type]).toEqual([collection, Uri, typeAt.get(Uri) ?? Type]);
        typeAt.set(Uri, Type);
      }
    }
    for (const [uri, type] of typeAt)
      expect([uri, (await app.json(uri.replace(app.base, ''))).Name]).toEqual([uri, type]);
  });

  it('say how far a whole number goes, Ids included', async () => {
    expect((await app.json('/api/v1/Int32/meta')).Description).toBe('A whole number of 32 bits; an Id has up to 53.');
  });

  it('of what is no type are not there', async () => {
    for (const name of ['Int33', 'Items', 'constructor', '__proto__'])
      expect((await app.ask(`/api/v1/${name}/meta`)).status).toBe(404);
    for (const name of ['Int32', 'ProjectInfo', 'RichEditorEnum'])
      expect((await app.ask(`/api/v1/${name}`)).status).toBe(404);
  });
});

it('each description of a type is its own, unlisted ones included', async () => {
  const descriptions = await Promise.all(
    model.resources.map(async ({ collection }) => (await described(collection)).head.Description as string),
  );
  expect(descriptions.filter((text) => text.length < 6)).toEqual([]);
  expect(new Set(descriptions).size).toBe(descriptions.length);
});

it('each kind with a simple history has it as a collection', async () => {
  for (const { name } of model.resources.filter((one) => /.SimpleHistory$/.test(one.name))) {
    const { fields } = await described(model.resource(name.replace('SimpleHistory', '')).collection);
    const collections = Object.values(fields).flatMap((all) => all.map((field) => field.Name));
    expect([name, collections.includes('History')]).toEqual([name, true]);
  }
});

it('the index lists what the original does: no histories, no conversions', async () => {
  const { Items } = await app.json('/api/v1/Index/meta');
  const names: string[] = Items.map(({ Name }: { Name: string }) => Name);
  const unlisted = model.resources.map(({ name }) => name).filter((name) => !names.includes(name));
  expect(unlisted.filter((name) => !/History$|^GeneralConversion$/.test(name))).toEqual([]);
});

it('the JSON index repeats its entries below one key, as the text of the original has them, behind its items', async () => {
  const { text, json } = await app.ask('/api/v1/Index/meta?format=json');
  const repeated = [...text.matchAll(/"ResourceMetadataDescription":(\{[^{}]*\})/g)].map(([, entry]) =>
    JSON.parse(entry!),
  );
  expect(repeated).toEqual(json.Items);
  expect(Object.keys(json)).toEqual(['IndexUri', 'Items', 'ResourceMetadataDescription']);
  expect(json.ResourceMetadataDescription).toEqual(json.Items.at(-1));
});

describe('the context', () => {
  it('shows what its description and those of its parts name, and nothing else', async () => {
    const check = async (name: string, shown: Record<string, unknown>): Promise<void> => {
      const { fields } = await described(name);
      const known = new Map(Object.values(fields).flatMap((all) => all.map((field) => [field.Name, field])));
      const other = Object.keys(shown).filter((one) => one !== 'ResourceType' && !known.has(one));
      expect([name, other]).toEqual([name, []]);
      for (const [member, value] of Object.entries(shown)) {
        const type = known.get(member)?.Type;
        if (!type || typeof value !== 'object' || value === null || model.collection(type)) continue;
        const items = (value as { Items?: Record<string, unknown>[] }).Items ?? [value as Record<string, unknown>];
        for (const item of items.slice(0, 3)) await check(type, item);
      }
    };
    await check('Context', await app.json('/api/v1/Context'));
  });
});

describe('what they say of writing', () => {
  const offered = ({ create, update, delete: remove }: Record<string, boolean>) => [create, update, remove];

  it('is what is offered; items of relations are read only whatever is said, as in the original', async () => {
    for (const { name, collection, settings } of model.resources) {
      const { head } = await described(collection);
      const isView = /^(?:In|Out)boundAssignable$/.test(name);
      const expected = isView ? [true, true, true] : offered({ ...settings.operations });
      expect([name, head.CanCreate, head.CanUpdate, head.CanDelete]).toEqual([name, ...expected]);
    }
    for (const kind of ['InboundAssignables', 'OutboundAssignables'])
      for (const format of ['json', 'xml']) {
        expect((await app.post(`/api/v1/${kind}?format=${format}`, { Name: 'x' })).status).toBe(405);
        expect((await app.post(`/api/v1/${kind}/1?format=${format}`, { Name: 'x' })).status).toBe(405);
        expect((await app.ask(`/api/v1/${kind}/1?format=${format}`, { method: 'DELETE' })).status).toBe(405);
      }
  });

  it('is of what is read only that nothing of it can be set', async () => {
    const readOnly = model.resources.filter(({ settings: { operations } }) => !operations.create && !operations.update);
    for (const { collection } of readOnly) {
      const { fields } = await described(collection);
      const settable = Object.values(fields)
        .flat()
        .filter(({ Name, CanSet, CanAdd, CanRemove }) => Name !== 'Id' && (CanSet || CanAdd || CanRemove));
      expect([collection, settable.map(({ Name }) => Name)]).toEqual([collection, []]);
    }
  });

  it('is that Tags, and all of an attachment but what its file tells, can be set', async () => {
    const settable = async (collection: string): Promise<string[]> => {
      const { fields } = await described(collection);
      return [...fields.Values, ...fields.References].filter(({ CanSet }) => CanSet).map(({ Name }) => Name);
    };
    for (const { collection } of model.resources.filter(({ root }) => root.name === 'General'))
      expect(await settable(collection)).toContain('Tags');
    expect(await settable('Attachments')).toEqual([
      ...['Id', 'Name', 'Description', 'Date', 'Content', 'Owner', 'General', 'Message'],
    ]);
  });

  /** Required as in the original, though the service knows what stands for them. */
  const defaulted: Record<string, readonly string[]> = {
    Assignment: ['Role'],
    Attachment: ['Date'],
    EntityPermission: ['EntityType'],
    ProjectMember: ['Role'],
    ReleaseProject: ['Project'],
    TeamMember: ['Role'],
    TestPlanRun: ['Name'],
    Workflow: ['Process', 'EntityType'],
  };
  const creatable = model.resources.filter(
    ({ settings, name }) => settings.operations.create && name !== 'TestCaseRun',
  );

  it.each(
    creatable.map(({ name }) => name),
  )('is of each required field of %s that it cannot be left out', async (kind) => {
    const { collection } = model.resource(kind);
    const { fields } = await described(collection);
    const required = [...fields.Values, ...fields.References].filter(({ IsRequired }) => IsRequired);
    expect(required.filter(({ CanSet }) => !CanSet)).toEqual([]);
    for (const { Name } of required) {
      const body = bodyOf(kind, { mark: 'left', ids: { ...ids, General: ids.Bug! } });
      delete body[Name];
      const { status, text } = await app.post(`/api/v1/${collection}?format=json`, body);
      if (defaulted[kind]?.includes(Name)) expect([Name, status, text]).toEqual([Name, expect.toSatisfy(isDone), text]);
      else expect([Name, status, text]).toEqual([Name, 400, expect.stringContaining(`"Message":"${Name}`)]);
    }
  });
});

const isDone = (status: number): boolean => status === 200 || status === 201;
