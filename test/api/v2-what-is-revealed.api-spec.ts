/**
 * What a caller may not see leaves no trace in answers of version 2: neither shown, nor counted, sorted by, grouped or
 * found.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { type Ids, make, model } from '../support/builder.js';
import { withoutWork } from '../support/demonstration.js';
import { definePointers, ownId, ownMark, plant, type Secrets, secretId, secretMark } from '../support/secrets.js';
import { inParallel } from '../support/sweep.js';

vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let secrets: Secrets;
const callers = { member: 'the member', outsider: 'the outsider' };

beforeAll(async () => {
  app = await TestApp.start({ DB_POOL: '1', MAX_PLANS_MB: '1024' });
  await withoutWork(app);
  await definePointers(app);
  secrets = await plant(app);
  const place = { mark: 'caller', ids: { ...secrets.own } };
  const ids: Ids = {};
  for (const [name, login] of Object.entries(callers)) {
    ids[name] = await make(app, 'User', place, { Login: login, Email: `${name}@example.com` });
  }
  await make(app, 'ProjectMember', { mark: '', ids: { ...place.ids, User: ids.member! } });
});
afterAll(() => app.stop());

type Parameters = Record<string, string>;
interface Question {
  entity: string;
  parameters: Parameters;
}

const scalars = ({ fields }: ResourceType) =>
  fields.filter((field): field is ScalarField => field.kind === 'scalar' && !field.isWriteOnly);
const references = ({ fields }: ResourceType) =>
  fields.filter((field): field is ReferenceField => field.kind === 'reference');
const collections = ({ fields }: ResourceType) =>
  fields.filter((field): field is CollectionField => field.kind === 'collection');
const chunks = <T>(items: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, at) => items.slice(at * most, (at + 1) * most));

const names = (fields: readonly { name: string }[]): string => fields.map(({ name }) => name).join(',');
const pointers = ({ name }: ResourceType): string =>
  name === 'UserStory'
    ? ',Pointer,p:Pointer.Name,Pointers,customvalues,g:CustomValues.Get("Pointer"),x:CustomValues.Text("Pointer"),z:Pointer.project,w:GetCustomValueString("Pointer")'
    : '';

/** All that can be shown of a resource, and of what hangs on it. */
function shownOf(resource: ResourceType): Parameters[] {
  const deep = [...references(resource), ...collections(resource)].map(
    ({ name, target }) => `${name}:${name}.select({${names([...scalars(target), ...references(target)])}})`,
  );
  const reckoned = collections(resource).flatMap(({ name, target }) => [
    `n${name}:${name}.count()`,
    `f${name}:${name}.first()`,
    `t${name}:${name}.take(1000).where(id>0).select(id)`,
    `k${name}:${name}.skip(0).orderBy(id).take(2)`,
    ...(target.nameField ? [`m${name}:${name}.max(name)`, `d${name}:${name}.select(name).distinct()`] : []),
  ]);
  const chosen = references(resource).flatMap(({ name }) => [
    `i${name}:IIF(id>0,${name},null)`,
    `o${name}:IFNONE(${name},${name}).id`,
  ]);
  const past = resource.name === 'UserStoryHistory' ? [{ select: 'GetCustomValueString("Pointer")' }] : [];
  const pointed = resource.name === 'UserStory' ? [{ groupBy: 'Pointer' }, { groupBy: 'a:Pointer.name' }] : [];
  const kinds = resource.name === 'General' ? resource.derived.flatMap((one) => [one, ...one.derived]) : [];
  const casts = kinds.flatMap((kind) =>
    references(kind).map(({ name }) => `${kind.name}${name}:it.as<${kind.name}>.${name}`),
  );
  const label = resource.nameField ? 'name' : 'id';
  return [
    {},
    { select: `{${names(scalars(resource))}${pointers(resource)}}` },
    ...chunks([...references(resource), ...collections(resource)], 30).map((some) => ({
      select: `{id,${names(some)}}`,
    })),
    ...chunks(deep, 3).map((some) => ({ select: `{id,${some}}` })),
    ...chunks(reckoned, 12).map((some) => ({ select: `{id,${some}}` })),
    ...chunks(chosen, 12).map((some) => ({ select: `{id,${some}}` })),
    ...past,
    ...pointed,
    ...chunks(casts, 20).map((some) => ({ select: `{id,${some}}` })),
    { result: `{max(${label}),min(${label}) as least,n:select(${label}).distinct().count()}` },
    { groupBy: `a:${label}` },
    ...references(resource)
      .filter(({ target }) => target.nameField)
      .flatMap(({ name }): Parameters[] => [
        { groupBy: `a:${name}.name` },
        { groupBy: `a:${name}`, orderBy: 'count desc,a.id' },
      ]),
  ];
}

/** Conditions that only a hidden row fulfils. */
function filtersOf(resource: ResourceType, hidden: readonly number[]): string[] {
  const ids = `[${hidden}]`;
  const own = [
    `id in ${ids}`,
    ...(resource.nameField ? [`name.contains('${secretMark}')`, `name+''>='zqsecret' and name.startsWith('zqs')`] : []),
  ];
  const through = references(resource).flatMap(({ name, target }) => [
    `${name}.id in ${ids}`,
    `${name}.id+0 in ${ids}`,
    `IIF(id>0,${name},null).id in ${ids}`,
    `IFNONE(${name},null).id in ${ids}`,
    ...(target.nameField
      ? [`${name}.name.contains('${secretMark}')`, `(''+${name}.name).contains('${secretMark}')`]
      : []),
  ]);
  const among = collections(resource).flatMap(({ name, target }) => [
    `${name}.any(id in ${ids})`,
    `${name}.count(id in ${ids})>1-1`,
    `${name}.where(id in ${ids}).max(id)>0`,
    `${name}.first(id in ${ids})!=null`,
    `${name}.take(1000).where(id in ${ids}).count()>0`,
    `${name}.select(id).distinct().take(1000).any(it in ${ids})`,
    ...(target.nameField ? [`${name}.select(name).any(it.contains('${secretMark}'))`] : []),
  ]);
  const custom =
    resource.name === 'UserStory'
      ? [
          `GetCustomValueString("Pointer").contains('${secretMark}')`,
          `Pointer.project.name.contains('${secretMark}')`,
          `Pointer.name.contains('${secretMark}')`,
          `Pointer.id in ${ids}`,
          `Pointers.contains('77000')`,
        ]
      : [];
  return [...own, ...through, ...among, ...custom];
}

const path = ({ entity, parameters }: Question): string =>
  `/api/v2/${entity}?${new URLSearchParams({ ...('result' in parameters ? {} : { take: '1000' }), ...parameters })}`;

const sweep = (questions: readonly Question[], as: string) =>
  inParallel(
    questions,
    async (question) => {
      const { status, text } = await app.ask(path(question), { as });
      return { question, status, text };
    },
    2,
  );

const refusedOf = (answers: readonly { question: Question; status: number; text: string }[]) =>
  answers
    .filter(({ status }) => status !== 200)
    .map(
      ({ question, text }) =>
        `${question.entity} ${JSON.stringify(question.parameters).slice(0, 60)} ${text.slice(0, 200)}`,
    );

const hiddenIds = (): number[] => Object.values(secrets.secret).filter((id) => secretId.test(String(id)));

/** Settings are for administrators, and say so by showing nothing. */
const asked = () =>
  model.resources.flatMap((one) => shownOf(one).map((parameters) => ({ entity: one.name, parameters })));

it('the planted rows are there, for who may see them', async () => {
  const answers = await sweep(asked(), 'admin');
  expect(refusedOf(answers)).toEqual([]);
  expect(answers.filter(({ text }) => text.includes(secretMark)).length).toBeGreaterThan(100);
});

describe.each(['member', 'outsider'] as const)('to the %s', (who) => {
  it('nothing shows a hidden row', async () => {
    const answers = await sweep(asked(), callers[who]);
    const marks = [new RegExp(secretMark), secretId, /zq(login|mail|domain)/];
    if (who === 'outsider') marks.push(new RegExp(ownMark), ownId);
    expect(refusedOf(answers)).toEqual([]);
    const traces = answers.flatMap(({ question, text }) =>
      marks.flatMap((mark) =>
        mark.test(text) ? [[question, text.slice(Math.max(0, text.search(mark) - 80)).slice(0, 120)]] : [],
      ),
    );
    expect(traces).toEqual([]);
  });

  it('nothing finds one', async () => {
    const questions = model.resources.flatMap((one) =>
      chunks(filtersOf(one, hiddenIds()), 4).map((some) => ({
        entity: one.name,
        parameters: { where: some.map((each) => `(${each})`).join('or'), select: 'id' },
      })),
    );
    const answers = await sweep(questions, callers[who]);
    expect(answers.filter(({ status, text }) => status !== 200 || text !== '{"items":[]}')).toEqual([]);
  });
});
