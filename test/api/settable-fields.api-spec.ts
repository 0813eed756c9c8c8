/** What metadata call settable is set by a write, or refused with the reason; it is never left as it was in silence. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { type Ids, make, model, twoOfEverything } from '../support/builder.js';

vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
let ids: Ids;
let others: Ids;
beforeAll(async () => {
  app = await TestApp.start();
  ({ ids, others } = await twoOfEverything(app, 'set'));
  // That of the project that a release lies in goes with it.
  ids.ReleaseProject = await make(app, 'ReleaseProject', { mark: '', ids: { ...ids, Release: others.Release! } });
});
afterAll(() => app.stop());

const kinds = model.resources.filter(({ settings, isAbstract }) => settings.operations.update && !isAbstract);

type Settable = ScalarField | ReferenceField;
const settable = ({ fields }: ResourceType): Settable[] =>
  fields.filter((field): field is Settable => field.kind !== 'collection' && field.isSettable && field.name !== 'Id');

/** Decided otherwise in docs/contract.md: by kind, or by a base type of it. */
const kept: Record<string, readonly string[]> = {
  // Cleared and set by the state.
  Assignable: ['EndDate'],
  Impediment: ['EndDate'],
  // Whole days.
  Iteration: ['StartDate', 'EndDate'],
  TeamIteration: ['StartDate', 'EndDate'],
  // That of the story, plan or work item.
  Task: ['Project'],
  TestPlanRun: ['Project'],
  Time: ['Project'],
  // A project lies in none.
  Project: ['Project'],
};

const isKept = (kind: ResourceType, { name }: Settable): boolean =>
  [kind, ...kind.bases].some((type) => kept[type.name]?.includes(name));

it.each(kinds.map((kind) => [kind.name, kind] as const))('%s', async (name, kind) => {
  const id = ids[name] ?? 1;
  const path = `/api/v1/${kind.collection}/${id}`;
  const silent: string[] = [];
  for (const field of settable(kind)) {
    if (isKept(kind, field) || (field.kind === 'scalar' && field.isWriteOnly)) continue;
    const before = await shown(path, field);
    const sent = field.kind === 'reference' ? otherId(field, before) : otherValue(field, before);
    if (sent === undefined) continue;
    const body = { [field.name]: field.kind === 'reference' ? { Id: sent } : sent };
    const answer = await app.post(`${path}?format=json&dateformat=iso`, body);
    if (answer.status >= 400) {
      expect([field.name, answer.status, answer.json.Message]).toEqual([
        field.name,
        expect.any(Number),
        expect.any(String),
      ]);
      continue;
    }
    const after = await shown(path, field);
    if (String(after) !== String(sent)) silent.push(`${field.name}: ${before} > ${sent} is ${after}`);
  }
  expect(silent).toEqual([]);
});

async function shown(path: string, { name }: Settable): Promise<unknown> {
  const item = await app.json(`${path}?include=[${name}]&dateformat=iso`);
  return item[name]?.Id ?? item[name];
}

function otherId({ target }: ReferenceField, before: unknown): number | undefined {
  const leaf = { General: 'Bug', Assignable: 'Bug', GeneralUser: 'User' }[target.name] ?? target.name;
  return [others[leaf], ids[leaf]].find((id) => id !== undefined && id !== before);
}

function otherValue({ scalar, choices, maxLength = 255 }: ScalarField, before: unknown): unknown {
  switch (scalar) {
    case 'text':
    case 'richText':
      return `${before ?? ''}x`.slice(-maxLength);
    case 'choice':
      return choices!.find((choice) => choice !== before);
    case 'flag':
      return !before;
    case 'moment':
      return '2041-02-03T04:05:06+00:00';
    default:
      return Number(before ?? 0) + 1;
  }
}
