/** A member that is null: taken as absent, cleared, or refused by its name, and never by the database. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { bodyOf, type Ids, makeEverything, model, storyWorkflow } from '../support/builder.js';

vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
let ids: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  const place = await makeEverything(app, 'null', await storyWorkflow(app));
  const [state] = await app.rows('select min(id) as id from entity_state');
  ids = { ...place.ids, EntityState: state.id };
});
afterAll(() => app.stop());

type Member = ScalarField | ReferenceField;
const members = ({ fields }: ResourceType): Member[] =>
  fields.filter((field): field is Member => field.kind !== 'collection' && field.isSettable && field.name !== 'Id');

const named = (kinds: readonly ResourceType[]) => kinds.map((kind) => [kind.name, kind] as const);
const kinds = model.resources.filter(({ isAbstract }) => !isAbstract);
// Runs of test cases come with the run of their plan.
const created = kinds.filter(({ name, settings }) => settings.operations.create && name !== 'TestCaseRun');
const updated = kinds.filter(({ settings }) => settings.operations.update);

/** Why the answer is none of those that the member may get; undefined where it is. */
async function complaint(kind: ResourceType, path: string, body: object): Promise<string | undefined> {
  const { status, text } = await app.post(`/api/v1/${kind.collection}${path}?format=json&include=[Id]`, body);
  if (status <= 201) return undefined;
  const { Message } = JSON.parse(text);
  const member = /^(\w+)(\.\w+)?: /.exec(Message)?.[1] ?? '';
  return status === 400 && kind.field(member) ? undefined : `${status} ${Message}`;
}

describe('with one member that is null is created, or is refused with the name of a member:', () => {
  it.each(named(created))('%s', async (name, kind) => {
    const wrong: string[] = [];
    for (const { name: member } of members(kind)) {
      const body = { ...bodyOf(name, { mark: 'null', ids }), [member]: null };
      const why = await complaint(kind, '', body);
      if (why) wrong.push(`${member}: ${why}`);
    }
    expect(wrong).toEqual([]);
  });
});

it('an item that is created done ends now', async () => {
  const [{ Id }] = await app.items(
    "/api/v1/EntityStates?where=(Workflow.Process.Id eq 3)and(EntityType.Name eq 'UserStory')and(IsFinal eq 'true')",
  );
  const body = { ...bodyOf('UserStory', { mark: 'null', ids }), EntityState: { Id } };
  for (const dates of [{}, { EndDate: null, StartDate: null }]) {
    const { json } = await app.post('/api/v1/UserStories?format=json', { ...body, ...dates });
    expect([json.StartDate, json.EndDate]).toEqual([expect.any(String), json.StartDate]);
  }
});

describe('with one member that becomes null is changed, or is refused with the name of a member:', () => {
  it.each(named(updated))('%s', async (name, kind) => {
    const wrong: string[] = [];
    for (const { name: member } of members(kind)) {
      const why = await complaint(kind, `/${ids[name] ?? 1}`, { [member]: null });
      if (why) wrong.push(`${member}: ${why}`);
    }
    expect(wrong).toEqual([]);
  });
});
