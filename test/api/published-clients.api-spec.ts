/** What published clients send and expect beyond the plain rules, in JSON and in XML. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { asXmlTells, itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  const [row] = await app.rows(
    'select id from general where entity_type_id = 1 and process_id = 3 and delete_date is null order by id limit 1',
  );
  project = row.id;
});
afterAll(() => app.stop());

/** One entity in JSON, which XML tells the same of. */
// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
async function one(path: string): Promise<any> {
  const json = await app.json(path);
  const xml = (await app.xml(path)).replace(fourPlaces, '>$1$2<');
  expect(itemOf(await parseXml(xml))).toEqual(asXmlTells(json));
  return json;
}

/** A decimal without the zeros that end it, as JavaScript tells it. */
const fourPlaces = />(-?\d+)(?:\.0000|(\.\d*[1-9])0*)</g;

// biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
async function write(path: string, body: unknown, ask = {}): Promise<any> {
  const answer = await app.post(`/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`, body, ask);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json;
}

const story = (more: object = {}) => write('UserStories', { Name: 'item', Project: { Id: project }, ...more });

describe('short forms', () => {
  it('an included role effort shows Effort and Role', async () => {
    const { Id } = await story({ RoleEfforts: [{ Role: { Id: 1 }, Effort: 3 }] });
    const { RoleEfforts } = await one(`/api/v1/UserStories/${Id}?include=[RoleEfforts]`);
    expect(RoleEfforts.Items[0]).toEqual({
      ResourceType: 'RoleEffort',
      Id: expect.any(Number),
      Effort: 3,
      Role: { ResourceType: 'Role', Id: 1, Name: 'Developer' },
    });
    const { Assignable } = await one(`/api/v1/RoleEfforts/${RoleEfforts.Items[0].Id}`);
    expect(Assignable).toEqual({ ResourceType: 'Assignable', Id, Name: 'item' });
  });

  it('the ends of a relation show their EntityType', async () => {
    const [master, slave] = [(await story()).Id, (await story({ Name: 'other' })).Id];
    const made = await write('Relations', { Master: { Id: master }, Slave: { Id: slave }, RelationType: { Id: 2 } });
    const end = (Id: number, Name: string) => ({
      ResourceType: 'General',
      Id,
      Name,
      EntityType: { ResourceType: 'EntityType', Id: 4, Name: 'UserStory' },
    });
    const ends = { Master: end(master, 'item'), Slave: end(slave, 'other') };
    expect(await one(`/api/v1/Relations/${made.Id}`)).toMatchObject(ends);
    const { MasterRelations } = await one(`/api/v1/UserStories/${slave}?include=[MasterRelations]`);
    expect(MasterRelations.Items).toMatchObject([ends]);
    expect(await one(`/api/v1/Relations/${made.Id}?include=[Master[Id,Name]]`)).toMatchObject({
      Master: { ResourceType: 'General', Id: master, Name: 'item' },
    });
  });
});
