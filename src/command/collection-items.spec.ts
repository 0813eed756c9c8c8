/** Items of collections, by each name that they may go by in XML. */
import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../model/build-model.js';
import type { CollectionField } from '../model/model.js';
import { resourceEntities } from '../modules/entities.js';
import { atOnce } from '../turns/slices.js';
import { collectionItems } from './collection-items.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';

const model = buildModel(resourceEntities);
const collections = model.resources.flatMap((resource) =>
  resource.fields.flatMap((field) =>
    field.kind === 'collection' ? [[resource.name, field.name, field] as const] : [],
  ),
);

const itemsIn = (body: ReturnType<typeof parseBody>, field: CollectionField): unknown[] => {
  if (body.kind !== 'one') throw new Error('a list');
  const items = collectionItems(body.entity.members[0]!.value, field, field.name);
  return items.map(({ members }) => members.map(({ name, value }) => [name, value.kind === 'text' && value.text]));
};

const names = { entity: 'Owner', collection: 'Owners' };
const parseBody = (text: string) =>
  atOnce(text.startsWith('<') ? parseXml(Buffer.from(text), names) : parseJson(Buffer.from(text)));

const inXml = (field: CollectionField, inner: string) =>
  itemsIn(parseBody(`<Owner><${field.name}>${inner}</${field.name}></Owner>`), field);
const inJson = (field: CollectionField, ids: readonly number[]) =>
  itemsIn(parseBody(JSON.stringify({ [field.name]: ids.map((id) => ({ Id: String(id) })) })), field);

const spelled = (sent: readonly string[]): string => sent.map((name, at) => `<${name} Id="${at + 1}"/>`).join('');
const numbered = (sent: readonly string[]): number[] => sent.map((_, at) => at + 1);

it.each(collections)('%s.%s takes items by every name, alone and mixed', (_, __, field) => {
  const all = field.target.itemNames;
  const mixtures = [...all.map((name) => [name]), all, [...all, ...all], [...all, all[0]!.toUpperCase()]];
  for (const sent of mixtures) {
    const expected = inJson(field, numbered(sent));
    expect([sent, inXml(field, spelled(sent))]).toEqual([sent, expected]);
    expect([sent, inXml(field, `<Items>${spelled(sent)}</Items>`)]).toEqual([sent, expected]);
  }
});

describe('in AssignedUser', () => {
  const field = model.resource('UserStory').collectionOf('assignedUser');

  it.each([
    ['<Foo Id="1"/>', 'AssignedUser: a collection is a list'],
    ['<Foo Id="1"/><Foo Id="2"/>', "AssignedUser: 'Foo' stands among the items; 'GeneralUser' is expected."],
    ['<User Id="1"/><Foo Id="2"/>', "AssignedUser: 'Foo' stands among the items; 'GeneralUser' is expected."],
    ['<User Id="1"/><Foo Id="2"/><User Id="3"/>', "AssignedUser: 'Foo' stands among the items"],
    ['<User>1</User><GeneralUser>2</GeneralUser>', 'AssignedUser[0]: an object is expected'],
    ['<User><Id>1</Id><Name>a</Name><Id>2</Id></User>', 'AssignedUser.User.Id: the member is given twice.'],
    [
      '<User><Role Id="1"/><Team Id="1"/><Role Id="2"/></User><User Id="1"/>',
      'AssignedUser[0].Role: the member is given twice.',
    ],
  ])('%s is refused', (inner, message) => expect(() => inXml(field, inner)).toThrow(message));
});
