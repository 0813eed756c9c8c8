/** JSON and XML are told by one plan and must say the same, for every resource. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { TestApp } from '../support/app.js';
import { asXmlTells, itemOf, parseXml } from '../support/xml.js';

const model = buildModel(resourceEntities);

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

/** Numbers keep their digits: JSON is read with numbers as text. */
const exact = (text: string): unknown =>
  JSON.parse(text.replace(/([:[,])(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?=[,}\]])/g, '$1"$2"'));

describe.each(
  model.resources.map((resource) => [resource.collection, resource] as const),
)('%s', (collection, resource) => {
  const everything = resource.fields.filter(
    (field) => field.kind !== 'collection' && !(field.kind === 'scalar' && field.isWriteOnly),
  );

  it.each([
    ['default fields', 'take=60'],
    ['all values and references', `take=60&include=[${everything.map((field) => field.name).join(',')}]`],
  ])('says the same in JSON and XML: %s', async (_, query) => {
    const json = await app.ask(`/api/v1/${collection}/?format=json&${query}`);
    expect(json.status).toBe(200);
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const xml = await app.ask(`/api/v1/${collection}/?${query}`);
    expect(xml.status).toBe(200);
    expect(xml.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const root = await parseXml(xml.text);
    expect(root.name).toBe(collection);
    // A nested value that itself looks like JSON must not be touched: compare the items one by one.
    const items = (exact(json.text) as { Items: unknown[] }).Items.map(asXmlTells);
    expect(root.children.map(itemOf)).toEqual(items);
    for (const item of root.children) expect(item.name).toBe(resource.name);
  });

  it('includes each of its collections, and counts it, in both formats', async () => {
    const collections = resource.fields.filter((field) => field.kind === 'collection');
    if (collections.length === 0) return;
    const include = collections.map((field) => field.name).join(',');
    const append = collections.map((field) => `${field.name}-Count`).join(',');
    const query = `take=3&include=[${include}]&append=[${append}]&innerTake=1000`;
    const items = await app.items(`/api/v1/${collection}/?${query}`);
    for (const item of items) {
      for (const field of collections) {
        const inner = item[field.name].Items;
        expect(Math.min(1000, item[`${field.name}-Count`]), field.name).toBe(inner.length);
        for (const one of inner) expect(one).toMatchObject({ ResourceType: field.target.name, Id: expect.any(Number) });
      }
    }
    const root = await parseXml(await app.xml(`/api/v1/${collection}/?${query}`));
    expect(root.children.map((child) => child.attributes.Id)).toEqual(items.map((item) => String(item.Id)));
  });
});

it('keeps markup, quotes, line breaks and letters of every script intact in both formats', async () => {
  const name = `<b>&"'\t\u00e9\u4e2d\ud83d\ude00 ]]> \\ %`;
  const description = `line one\r\nline two\n<script>alert("x")</script> & so on\u2028`;
  await app.rows(
    'update general set name = $1, description = $2 where id = (select min(id) from general where entity_type_id = 4 and delete_date is null)',
    [name, description],
  );
  const [row] = await app.rows('select min(id) id from general where entity_type_id = 4 and delete_date is null');
  const json = await app.json(`/api/v1/UserStories/${row.id}`);
  expect(json).toMatchObject({ Name: name, Description: description });
  const xml = await parseXml(await app.xml(`/api/v1/UserStories/${row.id}`));
  expect(itemOf(xml)).toMatchObject({ Name: name, Description: description });
});
