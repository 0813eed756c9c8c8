/** Stored words are those of the texts now, whatever was changed of them, and by whom. */
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkWords } from '../../src/doctor/words.js';
import { type FieldType, fieldTypes } from '../../src/modules/custom-fields/custom-field.entity.js';
import { TestApp } from '../support/app.js';
import { diceOf, pick } from '../support/dice.js';

let app: TestApp;
let projects: number[];
const processes: number[] = [];
/** Without items, of which the states are those of its process. */
let lone: number;
const stories: number[] = [];
let tags: number[];

const made = async (collection: string, body: object): Promise<number> => (await app.write(collection, body)).Id;
const differing = () => checkWords(app.nest.get(DataSource, { strict: false }), Number.POSITIVE_INFINITY);

const dice = diceOf(20_261_128);
const oneOf = <T>(all: readonly T[]): T => pick(dice, all);
const text = (words: number): string => Array.from({ length: words }, () => `w${dice(200)}`).join(' ');

/** What takes most of its room for marks: of it, more is searched than its first characters. */
const marked = (attributes: number): string => `<p style="${'color:red;'.repeat(attributes)}">${text(2)} &amp;</p>`;

const options = ['one', 'two three', 'four'];
const values: Record<FieldType, () => unknown> = {
  Text: () => oneOf([text(3), text(780), marked(2), marked(380)]),
  RichText: () => oneOf([text(3), marked(0), marked(2500), `${marked(1)}${text(3000)}`, `${projects[0]} bug`]),
  DropDown: () => oneOf(options),
  MultipleSelectionList: () => oneOf([...options, options.join(',')]),
  CheckBox: () => dice(2) === 1,
  URL: () => ({ Url: `https://${text(1)}.example`, Label: text(2) }),
  TemplatedURL: () => text(1),
  Date: () => `2026-01-1${dice(10)}`,
  Number: () => dice(1000),
  Money: () => dice(1000) / 4,
  Entity: () => ({ Id: oneOf(projects), Kind: 'Project' }),
  MultipleEntities: () => `${oneOf(projects)} project`,
};

const define = async (process: number, kind: number, FieldType: FieldType): Promise<number> =>
  made('CustomFields', {
    ...{ Name: fieldName(), FieldType, EntityType: { Id: kind }, Process: { Id: process } },
    ...(['DropDown', 'MultipleSelectionList'].includes(FieldType) && { Value: options.join('\n') }),
  });
/** The letters in front say where a field stands among the others, and so what is cut off behind it. */
let named = 0;
const fieldName = (): string => {
  named += 1;
  return `${oneOf(['a', 'K', 'm', 'zz'])} ${named}`;
};
const fields: number[] = [];

beforeAll(async () => {
  app = await TestApp.start();
  for (const Name of ['Follows', 'Follows, too']) processes.push(await made('Processes', { Name }));
  for (const type of [...fieldTypes, ...Array<FieldType>(6).fill('Text'), 'RichText'] as const)
    for (const process of processes) for (const kind of [4, 1]) fields.push(await define(process, kind, type));
  // What moves keeps the values of fields of one name and type.
  await app.rows(
    `update custom_field f set name = (select upper(o.name) from custom_field o
    where o.id = f.id - 2 and o.entity_type_id = f.entity_type_id) where process_id = $1`,
    [processes[1]],
  );
  projects = [];
  for (const Id of processes) projects.push(await made('Projects', { Name: 'Follows', Process: { Id } }));
  lone = await made('Projects', { Name: 'Lone', Process: { Id: processes[0] } });
  for (const Id of [...projects, ...projects]) stories.push(await made('UserStories', { Name: 'x', Project: { Id } }));
  tags = [];
  for (let n = 0; n < 60; n += 1) tags.push(await made('Tags', { Name: `t${n} ${text(45)}`.slice(0, 240) }));
}, 60_000);
afterAll(() => app.stop());

const anyItem = (): string =>
  oneOf([...stories.map((id) => `UserStories/${id}`), ...[...projects, lone].map((id) => `Projects/${id}`)]);
const changes: Record<string, () => Promise<unknown>> = {
  async 'values of custom fields'() {
    const item = anyItem();
    const { CustomFields } = await app.json(`/api/v1/${item}?include=[CustomFields]`);
    const chosen = Array.from({ length: 1 + dice(4) }, () =>
      oneOf<{ Name: string; Type: keyof typeof values }>(CustomFields),
    );
    const sent = [...new Set(chosen)].map(({ Name, Type }) => ({ Name, Value: dice(5) === 0 ? null : values[Type]() }));
    await app.write(item, { CustomFields: sent });
  },
  async 'a value that goes from one field to another'() {
    const item = anyItem();
    const { CustomFields } = await app.json(`/api/v1/${item}?include=[CustomFields]`);
    const texts = CustomFields.filter(({ Type }: { Type: string }) => ['Text', 'RichText'].includes(Type));
    const [from, to] = [oneOf<{ Name: string }>(texts), oneOf<{ Name: string }>(texts)];
    if (from === to) return;
    await app.write(item, {
      CustomFields: [
        { Name: from.Name, Value: marked(1) },
        { Name: to.Name, Value: null },
      ],
    });
    const [{ text: value }] = await app.rows('select custom_values ->> $2 as text from general where id = $1', [
      item.split('/')[1],
      from.Name,
    ]);
    await app.write(item, {
      CustomFields: [
        { Name: from.Name, Value: null },
        { Name: to.Name, Value: value },
      ],
    });
  },
  async 'the name of a custom field'() {
    await app.write(`CustomFields/${oneOf(fields)}`, { Name: fieldName() });
  },
  async 'a custom field that goes and one that comes'() {
    const [gone] = fields.splice(dice(fields.length), 1);
    await app.ask(`/api/v1/CustomFields/${gone}`, { method: 'DELETE' });
    fields.push(await define(oneOf(processes), oneOf([4, 4, 1]), oneOf([...fieldTypes, 'RichText', 'Text'])));
  },
  async 'the type of a custom field'() {
    await app.post(`/api/v1/CustomFields/${oneOf(fields)}`, { FieldType: oneOf(['Text', 'RichText']) });
  },
  async 'the type of a custom field with values, by SQL'() {
    await app.rows(
      `update custom_field set field_type = case field_type when 'Text' then 'RichText' else 'Text' end
       where id = (select f.id from custom_field f join general g on g.custom_values ? f.name
         where f.field_type in ('Text', 'RichText') and f.id = any($1::bigint[]) order by f.id * $2 % 1009 limit 1)`,
      [fields, 1 + dice(1000)],
    );
  },
  async 'the project'() {
    await app.write(`UserStories/${oneOf(stories)}`, { Project: { Id: oneOf(projects) } });
  },
  async 'the process of the project'() {
    await app.write(`Projects/${lone}`, { Process: { Id: oneOf(processes) } });
  },
  async 'tags of an item, by SQL'() {
    await app.rows(
      'insert into general_tag (general_id, tag_id) select $1, unnest($2::bigint[]) on conflict do nothing',
      [oneOf(stories), tags.slice(dice(tags.length))],
    );
  },
  async 'a tag of an item for another, by SQL'() {
    await app.rows(
      `update general_tag l set tag_id = t.id from tag t
       where l.general_id = $1 and l.tag_id = (select min(tag_id) from general_tag where general_id = $1)
         and t.id = any($2::bigint[]) and t.id = (select min(id) from tag where id = any($2::bigint[]) and id not in (
           select tag_id from general_tag where general_id = $1))`,
      [oneOf(stories), tags.slice(dice(tags.length))],
    );
  },
  async 'the name of a tag'() {
    await app.write(`Tags/${oneOf(tags)}`, { Name: `${text(1 + dice(45))}${'!'.repeat(dice(9))} ${tags.length}` });
  },
  async 'signs in the name of a tag'() {
    const id = oneOf(tags);
    await app.rows(`update tag set name = replace(name, ' ', $2) where id = $1`, [id, ' - '.slice(dice(3))]);
  },
  async 'a name and a description'() {
    const Description = oneOf([null, `<img src="data:image/gif;base64,${text(1)}">${text(300)}`, marked(3)]);
    await app.write(anyItem(), { Name: text(3), Description });
  },
};

it.each(Array.from({ length: 20 }, (_, round) => round))('they are, after ten changes: %i', async () => {
  const done: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const name = dice(2) === 0 ? 'values of custom fields' : oneOf(Object.keys(changes));
    done.push(name);
    await changes[name]!();
  }
  expect([done, await differing()]).toEqual([done, []]);
});

it('they are, once SQL has made a field with values another type', async () => {
  const id = await define(processes[0]!, 4, 'Text');
  const { Name } = await app.json(`/api/v1/CustomFields/${id}?include=[Name]`);
  const Project = { Id: projects[0] };
  await app.write('UserStories', { Name: 'x', Project, CustomFields: [{ Name, Value: marked(1) }] });
  for (const type of ['RichText', 'Text']) {
    await app.rows('update custom_field set field_type = $2 where id = $1', [id, type]);
    expect([type, await differing()]).toEqual([type, []]);
  }
});

it('they are, once SQL has given an item another tag for one of its own', async () => {
  const id = await made('UserStories', { Name: 'x', Project: { Id: projects[0] }, Tags: 'one of its own' });
  await app.rows('update general_tag set tag_id = $2 where general_id = $1', [id, tags[0]]);
  expect(await differing()).toEqual([]);
});
