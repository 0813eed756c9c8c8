/**
 * No function that a condition, an order or a value names is called with a text that its caller may not see: how long
 * an answer takes would tell of it. Conditions that an index answers are left out: docs/reliability.md says that their
 * time may tell.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { type Ids, make, model } from '../support/builder.js';
import { definePointers, plant, secretMark } from '../support/secrets.js';
import { inParallel } from '../support/sweep.js';
import { textsSeen, watchFunctions } from '../support/watched-functions.js';

vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start(async (databaseUrl) => {
    await watchFunctions(databaseUrl, secretMark);
    return {};
  });
  await app.rows('truncate general cascade');
  await definePointers(app, { Note: 'Text', Memo: 'RichText' });
  const { own, secret } = await plant(app);
  const custom = JSON.stringify({ Note: `${secretMark} note`, Memo: `${secretMark} memo` });
  await app.rows('update general set custom_values = $2 where id = $1', [secret.UserStory, custom]);
  const ids: Ids = { ...own };
  ids.User = await make(app, 'User', { mark: 'caller', ids }, { Login: 'member', Email: 'member@example.com' });
  await make(app, 'ProjectMember', { mark: '', ids });
});
afterAll(() => app.stop());

const isText = (field: ResourceType['fields'][number]): field is ScalarField =>
  field.kind === 'scalar' && !field.isWriteOnly && ['text', 'richText'].includes(field.scalar);
const textsOf = (resource: ResourceType) => resource.fields.filter(isText);
const isLong = ({ maxLength = 0 }: ScalarField) => maxLength > 32 * 1024;

const tests = (text: string): string[] => [
  `${text}.toUpper()=='X'`,
  `${text}.length()>1000`,
  `${text}.substring(1,3)=='x' or ${text}.trim()=='x'`,
  `not ${text}.replace('a','b').contains('x')`,
  `(${text}+'x').startsWith('y')`,
  `IIF(${text}.indexOf('q')>100,1,2)==1`,
];

/** Columns of texts are tried in all ways once, and places that something leads to, whatever kinds share them. */
const tried = new Set<string>();

const isNew = (field: ReferenceField | CollectionField, version: 1 | 2): boolean =>
  isNewPlace([version, field.target.name, field.kind === 'reference' ? field.column : field.via]);

function isNewPlace(facts: readonly unknown[]): boolean {
  const place = JSON.stringify(facts);
  return !tried.has(place) && tried.add(place) !== undefined;
}

/** Conditions of version 2 that reckon with texts of a kind, and of what it leads to. */
function conditionsV2(resource: ResourceType): string[] {
  const own = textsOf(resource).flatMap(({ name, column }) =>
    isNewPlace([resource.table, column]) ? tests(name) : tests(name).slice(0, 1),
  );
  const led = resource.fields.flatMap((field) => {
    const [text] = field.kind === 'scalar' ? [] : textsOf(field.target).toReversed();
    if (field.kind === 'scalar' || !text || !isNew(field, 2)) return [];
    const test = `${text.name}.toUpper()=='X'`;
    return field.kind === 'reference'
      ? [`${field.name}.${test}`]
      : [
          `${field.name}.count(${test})>0`,
          `${field.name}.count(${test})>1`,
          `not ${field.name}.any(${test})`,
          `${field.name}.where(${test}).max(id)>0`,
          `${field.name}.max(${text.name}.toUpper())=='X'`,
          `${field.name}.first(${test}).id==1`,
        ];
  });
  const custom =
    resource.name === 'UserStory' ? ['Note', 'Memo', 'CustomValues.Text("Note")', 'Pointer.name'].flatMap(tests) : [];
  return [...own, ...led, ...custom];
}

/** Conditions of version 1 on texts that no index holds. */
function conditionsV1(resource: ResourceType): string[] {
  const own = textsOf(resource)
    .filter(isLong)
    .map(({ name }) => name);
  const led = resource.fields.flatMap((field) =>
    field.kind === 'scalar' || !isNew(field, 1)
      ? []
      : textsOf(field.target)
          .filter(isLong)
          .map(({ name }) => `${field.name}.${name}`),
  );
  const custom = resource.name === 'UserStory' ? ['CustomFields.Note', 'CustomFields.Memo'] : [];
  return [...own, ...led, ...custom].flatMap((name) => [`${name} contains 'x'`, `${name} not contains 'x'`]);
}

function questionsOf(resource: ResourceType): string[] {
  const v2 = (parameters: Record<string, string>) => `/api/v2/${resource.name}?${new URLSearchParams(parameters)}`;
  const label = textsOf(resource)[0]?.name;
  const shown: Record<string, string>[] = label
    ? [
        { select: `{id,a:${label}.toUpper()}` },
        { orderBy: `${label}.toUpper()`, select: 'id' },
        { groupBy: `a:${label}.toUpper()` },
        { result: `{a:max(${label}.toUpper()),n:count(${label}.length()>3)}` },
      ]
    : [];
  return [
    ...conditionsV2(resource).map((where) => v2({ where, select: 'id' })),
    ...conditionsV1(resource).map(
      (where) => `/api/v1/${resource.collection}?${new URLSearchParams({ where: `(${where})`, format: 'json' })}`,
    ),
    ...shown.map(v2),
  ];
}

const questions = model.resources
  .filter(({ settings, isAbstract }) => settings.visible.kind !== 'everyone' || isAbstract)
  .flatMap(questionsOf);

interface Result {
  refused: string[];
  /** Those that looked at texts with the mark. */
  telling: string[];
}

/** All at once, and one by one only to tell which of them looked. */
async function ask(as: string): Promise<Result> {
  const before = await textsSeen(app.database);
  const answers = await inParallel(questions, async (question) => ({ question, ...(await app.ask(question, { as })) }));
  const refused = answers.filter(({ status }) => status !== 200).map(({ question, text }) => `${question} ${text}`);
  const telling: string[] = [];
  if ((await textsSeen(app.database)) > before) {
    for (const question of questions) if (await looks(question, as)) telling.push(decodeURIComponent(question));
  }
  return { refused, telling };
}

async function looks(question: string, as: string): Promise<boolean> {
  const before = await textsSeen(app.database);
  await app.ask(question, { as });
  return (await textsSeen(app.database)) > before;
}

it('functions are called with texts that the administrator sees', async () => {
  const one = questions.filter((_, at) => at % 10 === 0);
  const looking = [];
  for (const question of one) looking.push(await looks(question, 'admin'));
  expect(looking.filter(Boolean).length).toBeGreaterThan(20);
});

it('no function is called with a text that a member may not see', async () => {
  expect(await ask('member')).toEqual({ telling: [], refused: [] });
});
