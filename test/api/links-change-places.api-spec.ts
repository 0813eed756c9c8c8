/** Links of one body that come to join what others of it join, of every resource that is known by what it joins. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { bodyOf, type Ids, make, makeEverything, model } from '../support/builder.js';

let app: TestApp;
let ids: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  ids = (await makeEverything(app, 'places', {})).ids;
});
afterAll(() => app.stop());

const kinds: Record<string, string> = { Assignable: 'Bug', General: 'Bug', GeneralUser: 'User' };

/** Three of the kind that a reference of a link points at, with no links. */
async function targets(kind: string): Promise<number[]> {
  if (kind === 'EntityType') return [5, 8, 9];
  const made: number[] = [];
  while (made.length < 3) made.push(await make(app, kinds[kind] ?? kind, { mark: 'other', ids }));
  // A role comes with rights, a release with its project.
  if (kind === 'Role') await app.rows('delete from role_entity_type where role_id = any($1)', [made]);
  return made;
}

interface Links {
  /** The two links that there are. */
  a: number;
  b: number;
  /** What tells which of the three targets a link is with; `a` is with the first, `b` with the second. */
  to(target: 0 | 1 | 2): object;
  bulk(...body: object[]): Promise<Answer>;
  /** Which of the targets the links are with. */
  joined(): Promise<number[]>;
}

/** Two links that differ in one of the references that tell them apart. */
async function twoLinks(kind: string, property: string): Promise<Links> {
  const resource = model.resource(kind);
  const { collection, settings } = resource;
  const others: Record<string, unknown> = {};
  for (const key of settings.key.filter((each) => each !== property)) {
    const reference = resource.referenceOf(key);
    others[reference.name] = { Id: (await targets(reference.target.name))[0] };
  }
  const { name, target } = resource.referenceOf(property);
  const all = await targets(target.name);
  const to = (at: 0 | 1 | 2) => ({ ...others, [name]: { Id: all[at] } });
  const made = async (at: 0 | 1): Promise<number> =>
    (await app.write(collection, { ...bodyOf(kind, { mark: '', ids }), ...to(at) })).Id;
  const [a, b] = [await made(0), await made(1)];
  const joined = async () => {
    const links = await app.items(`/api/v1/${collection}?where=Id in (${a},${b})&include=[${name}]&orderBy=Id`);
    return links.map((link) => all.indexOf(link[name].Id));
  };
  return { a, b, to, bulk: (...body) => app.post(`/api/v1/${collection}/bulk?format=json`, body), joined };
}

const cases = model.resources.flatMap(({ name, settings }) =>
  settings.key.map((property) => [name, property] as const),
);

it.each(cases)('%s by %s', async (kind, property) => {
  const { a, b, to, bulk, joined } = await twoLinks(kind, property);
  const refused = async (...body: object[]): Promise<unknown> => {
    const { status, json } = await bulk(...body);
    expect(await joined()).toEqual([0, 1]);
    return [status, json.Message.replace(/\.\w+:/, '.X:')];
  };
  const twice = [400, `[1].X: another ${kind} of the body joins the same.`];
  expect(await refused({ Id: a, ...to(2) }, { Id: b, ...to(2) })).toEqual(twice);
  expect(await refused({ Id: a, ...to(2) }, to(2))).toEqual([
    400,
    expect.stringContaining('of the body joins the same.'),
  ]);
  expect(await refused({ Id: a, ...to(2) }, to(0))).toEqual([
    400,
    '[1]: the same is sent twice with different values.',
  ]);
  const swapped = [409, `[0].X: ${kind} ${b} joins the same already.`];
  expect(await refused({ Id: a, ...to(1) }, { Id: b, ...to(0) })).toEqual(swapped);
  // One takes the place that another one leaves, in whatever order they are sent.
  expect((await bulk({ Id: a, ...to(1) }, { Id: b, ...to(2) })).status).toBe(200);
  expect(await joined()).toEqual([1, 2]);
  expect((await bulk({ Id: b, ...to(1) }, { Id: a, ...to(0) })).status).toBe(200);
  expect(await joined()).toEqual([0, 1]);
});
