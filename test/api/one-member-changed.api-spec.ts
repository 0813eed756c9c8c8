/**
 * What was read can be sent back with one member changed: it is taken, or refused, as that member alone is, and nothing
 * else becomes other than it was. For every resource that can be updated, by administrators and by members, as it is
 * read in either form, sent in either format, singly and in bulk.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { type Ids, model, twoOfEverything } from '../support/builder.js';
import { askAs, type Callers, makeCallers } from '../support/callers.js';
import { xmlOf } from '../support/xml-of.js';

vi.setConfig({ testTimeout: 240_000 });

let app: TestApp;
let ids: Ids;
let others: Ids;
let callers: Callers;
beforeAll(async () => {
  app = await TestApp.start();
  ({ ids, others } = await twoOfEverything(app, 'one'));
  callers = await makeCallers(app, ids);
  await app.write(`Requesters/${ids.Requester}`, { Login: 'one.hidden' });
  const Requesters = [{ Id: ids.Requester }, { Id: others.Requester }];
  for (const { Request } of [ids, others]) await app.write(`Requests/${Request}`, { Requesters });
  for (const { name, collection } of kinds) {
    const [first, second] = await app.items(`/api/v1/${collection}?take=2&include=[Id]`);
    ids[name] ??= first?.Id;
    others[name] ??= second?.Id;
  }
  await app.write(`TestPlans/${ids.TestPlan}`, { ChildTestPlans: [{ Id: others.TestPlan }] });
});
afterAll(() => app.stop());

type Settable = ScalarField | ReferenceField;
const settable = ({ fields }: ResourceType): Settable[] =>
  fields.filter(
    (field): field is Settable =>
      field.kind !== 'collection' &&
      field.isSettable &&
      field.name !== 'Id' &&
      !(field.kind === 'scalar' && field.isWriteOnly),
  );

const kinds = model.resources.filter(({ settings }) => settings.operations.update);
const standIns: Record<string, string> = { General: 'Bug', Assignable: 'Bug', GeneralUser: 'User' };

interface Way {
  form: 'default' | 'full';
  format: 'json' | 'xml';
  how: 'singly' | 'in bulk';
}
const ways: Way[] = (['default', 'full'] as const).flatMap((form) =>
  (['json', 'xml'] as const).flatMap((format) =>
    (['singly', 'in bulk'] as const).map((how): Way => ({ form, format, how })),
  ),
);

/** Members that can be read, collections that are written in short form: to ask for all of them is too much. */
function membersOf({ fields, settings }: ResourceType): string[] {
  const shown = fields.filter((field) => {
    if (field.kind === 'collection') return field.canAdd && !field.isDeprecated;
    return field.kind === 'reference' || !field.isWriteOnly;
  });
  return [...shown.map(({ name }) => name), ...(settings.customFields ? ['CustomFields'] : [])];
}

// biome-ignore lint/suspicious/noExplicitAny: an item as it is read
type Item = Record<string, any>;

async function readBy(token: string, kind: ResourceType, id: number, form: Way['form']): Promise<Item | undefined> {
  const members = membersOf(kind);
  const selection = form === 'full' ? `&include=[${members}]&innerTake=100` : '';
  const path = `/api/v1/${kind.collection}/${id}?format=json&dateformat=iso${selection}`;
  const answer = await askAs(app, token, path);
  if ([403, 404].includes(answer.status)) return undefined;
  expect([path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([path, 200, '']);
  return answer.json;
}

interface Outcome {
  status: number;
  why: string;
}

async function send(token: string, kind: ResourceType, items: readonly Item[], { format, how }: Way): Promise<Outcome> {
  const [item] = items as [Item];
  const path = how === 'singly' ? item.Id : 'bulk';
  const body = how === 'singly' ? item : items;
  const answer = await askAs(app, token, `/api/v1/${kind.collection}/${path}?format=json`, {
    method: 'POST',
    headers: { 'content-type': `application/${format}` },
    body: format === 'json' ? JSON.stringify(body) : xmlOf(kind, body),
  });
  return {
    status: answer.status,
    why: answer.status < 300 ? '' : answer.json.Message.replace(/^\[0\]\./, ''),
  };
}

/** What becomes another one with any change, and what follows that is worked out anew each time. */
const moving = ['ModifyDate', 'LastEditor', 'EntityVersion', 'History'];

function differing(before: Item, after: Item): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !moving.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** Two values that differ from what is stored, or fewer. */
function otherValues(field: Settable, before: unknown): unknown[] {
  if (field.kind === 'reference') {
    const name = standIns[field.target.name] ?? field.target.name;
    const targets = [others[name], ids[name]].filter((id) => id !== undefined);
    const [first] = targets.filter((id) => id !== (before as Item | null)?.Id);
    const second = targets.find((id) => id !== first);
    return [first, second].filter((id) => id !== undefined).map((Id) => ({ Id }));
  }
  switch (field.scalar) {
    case 'text':
    case 'richText':
      return ['x', 'y'].map((end) => `${before ?? ''}${end}`.slice(-(field.maxLength ?? 255)));
    case 'choice':
      return field.choices!.filter((choice) => choice !== before).slice(0, 2);
    case 'flag':
      return [!before, Boolean(before)];
    case 'moment':
      return ['2041-02-03T04:05:06+00:00', '2041-02-04T04:05:06+00:00', '2041-02-05T04:05:06+00:00'].filter(
        (date) => date !== before,
      );
    default:
      return [1, 2].map((more) => Number(before ?? 0) + more);
  }
}

interface Case {
  kind: ResourceType;
  id: number;
  field: Settable;
  caller: 'admin' | 'member';
  way: Way;
}

/** What is wrong, if anything is. */
async function sentBack({ kind, id, field, caller, way }: Case): Promise<string | undefined> {
  const token = callers.tokens[caller];
  const beside = others[standIns[kind.name] ?? kind.name];
  const read = () => readBy(token, kind, id, way.form);
  const state = async (): Promise<Item> => (await readBy(callers.tokens.admin, kind, id, 'full'))!;
  const alone = (value: unknown) => send(token, kind, [{ Id: id, [field.name]: value }], { ...way, how: 'singly' });
  const whole = async (value: unknown) => {
    const items = [{ ...(await read())!, [field.name]: value }];
    const isBeside = way.how === 'in bulk' && beside !== undefined && beside !== id;
    const other = isBeside && (await readBy(token, kind, beside, way.form));
    return send(token, kind, other ? [...items, other] : items, way);
  };
  const own = await read();
  if (!own || !(field.name in own)) return undefined;
  const [first, second] = otherValues(field, own[field.name]);
  if (first === undefined) return undefined;
  const start = await state();
  const taken = await alone(first);
  if (taken.status !== 200) {
    const refused = await whole(first);
    return JSON.stringify(refused) === JSON.stringify(taken) ? undefined : `${refused.status} ${refused.why}`;
  }
  if (second === undefined) return undefined;
  const expected = await alone(second);
  const end = await state();
  if (expected.status === 200) await alone(first);
  const again = await state();
  const sent = await whole(second);
  if (JSON.stringify(sent) !== JSON.stringify(expected)) return `${sent.status} ${sent.why}, alone ${expected.why}`;
  const last = await state();
  const followed = [...differing(start, end), ...differing(end, again)];
  const more = differing(again, last).filter((name) => !followed.includes(name));
  const isOther = field.name in end && JSON.stringify(end[field.name]) !== JSON.stringify(last[field.name]);
  if (isOther) return `it is ${JSON.stringify(last[field.name])}, alone ${JSON.stringify(end[field.name])}`;
  return more.length === 0
    ? undefined
    : `${more.map((name) => `${name} ${JSON.stringify([again[name], last[name]])}`)}`;
}

describe.each(kinds.map((kind, at) => ({ name: kind.name, kind, at })))('$name', ({ kind, at }) => {
  const id = () => ids[standIns[kind.name] ?? kind.name];

  it.each(['admin', 'member'] as const)('sent back by %s with one member changed', async (caller) => {
    const wrong: string[] = [];
    for (const [turn, field] of settable(kind).entries()) {
      // What kinds have of their base type is sent by a fifth of them each, and every other field by members.
      const isInherited = kind.base?.field(field.name) !== undefined;
      const share = isInherited ? 5 : caller === 'member' ? 2 : 1;
      if (id() === undefined || (at + turn) % share > 0) continue;
      const way = ways[(at + turn * 3) % ways.length]!;
      const why = await sentBack({ kind, id: id()!, field, caller, way });
      if (why !== undefined) wrong.push(`${field.name}, ${Object.values(way)}: ${why}`);
    }
    expect(wrong).toEqual([]);
  });
});
