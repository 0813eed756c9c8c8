import { describe, expect, it } from 'vitest';
import { placeAt } from '../../query/v1/edited-where.js';
import { completePath, completeWhere, type Schema } from './complete.js';
import { type Field, Metadata } from './metadata.js';
import type { Place } from './service.js';

const field = (Name: string, Type: string, collection = Type): object => ({
  Name,
  Type,
  CanGet: Name !== 'Password',
  IsDeprecated: Name === 'Old',
  Description: '',
  Uri: `https://example.com/api/v1/${collection}/meta`,
});

const description = (
  name: string,
  collection: string,
  values: object[],
  references: object[],
  collections: object[],
) => ({
  Name: name,
  Uri: `https://example.com/api/v1/${collection}/meta`,
  ResourceMetadataPropertiesDescription: {
    ResourceMetadataPropertiesResourceValuesDescription: { Items: values },
    ResourceMetadataPropertiesResourceReferencesDescription: { Items: references },
    ResourceMetadataPropertiesResourceCollectionsDescription: { Items: collections },
  },
});

const bug = description(
  'Bug',
  'Bugs',
  [
    field('Id', 'Int32'),
    field('Name', 'String'),
    field('EndDate', 'DateTime'),
    field('IsNow', 'Boolean'),
    field('Password', 'String'),
    field('Old', 'String'),
    field('Source', 'SourceEnum'),
  ],
  [field('Project', 'Project', 'Projects')],
  [field('Tasks', 'Task', 'Tasks'), field('CustomFields', 'CustomFields')],
);
const project = description(
  'Project',
  'Projects',
  [field('Id', 'Int32'), field('Name', 'String')],
  [],
  [field('Bugs', 'Bug', 'Bugs')],
);

/** Answers as the service does; what was asked for is noted. */
const answers: Record<string, object> = {
  'Index/meta?format=json': {
    Items: [field('Bug', '', 'Bugs'), field('Project', '', 'Projects')],
  },
  'Bugs/meta?format=json': bug,
  'Projects/meta?format=json': project,
  "CustomFields?format=json&take=1000&include=[Name,FieldType]&where=EntityType.Name+eq+'Bug'": {
    Items: [
      { Name: 'Risk', FieldType: 'DropDown' },
      { Name: 'Release Notes', FieldType: 'RichText' },
      { Name: 'Cost', FieldType: 'Money' },
      { Name: 'Cost', FieldType: 'Money' },
    ],
  },
};
const asked: string[] = [];
const metadata = new Metadata((query) => {
  asked.push(query);
  return query in answers ? Promise.resolve(answers[query]) : Promise.reject(new Error(query));
});

const resource = (await metadata.resource('bugs'))!;
const schema: Schema = {
  fieldsAt: (names) => metadata.fieldsAt(resource, names),
  fieldAt: (path) => metadata.fieldAt(resource, path),
  valuesOf: async (path, prefix) =>
    path === 'Project.Name' ? ['Shop', 'Data Platform', "O'Neill"] : [`${path} ${prefix}`],
  choices: { SourceEnum: ['Email', 'Web'] },
};

describe('metadata', () => {
  it('is asked for once, and only where a path leads', async () => {
    await Promise.all([metadata.resource('Bug'), metadata.resource('BUGS'), metadata.resource('bugs')]);
    expect(asked).toEqual(['Index/meta?format=json', 'Bugs/meta?format=json']);
    expect(await metadata.resource('Nothing')).toBeUndefined();
  });

  it('knows the items of an inner collection', async () => {
    expect((await metadata.resourceAt('Projects/5/bugs'))?.name).toBe('Bug');
    expect((await metadata.resourceAt('Projects/5'))?.name).toBe('Project');
    expect(await metadata.resourceAt('Projects/5/Name')).toBeUndefined();
  });

  it('finds the field that a path leads to, custom ones too', async () => {
    expect((await schema.fieldAt('project.bugs.ISNOW'))?.type).toBe('Boolean');
    expect((await schema.fieldAt('CustomFields.Cost'))?.type).toBe('Decimal');
    expect(await schema.fieldAt('Name.Id')).toBeUndefined();
    expect(await schema.fieldAt('Project.Nothing')).toBeUndefined();
  });
});

describe('completion of a path', () => {
  const labels = async (input: string, isWanted?: (one: Field) => boolean) =>
    (await completePath(input, schema, isWanted)).map(({ text }) => text);

  it.each([
    ['', ['Id', 'Name', 'EndDate', 'IsNow', 'Source', 'Project.', 'Tasks.', 'CustomFields.']],
    ['na', ['Name']],
    ['ie', ['CustomFields.']],
    ['proj', ['Project.']],
    ['Project.', ['Project.Id', 'Project.Name', 'Project.Bugs.']],
    ['project.bugs.is', ['project.bugs.IsNow']],
    ['CustomFields.', ['CustomFields.Risk', 'CustomFields.Release Notes', 'CustomFields.Cost']],
    ['Name', ['Name']],
    ['Name.', []],
    ['Nothing.x', []],
  ])('%s', async (input, texts) => expect(await labels(input)).toEqual(texts));

  it('offers what is wanted only', async () => {
    expect(await labels('', ({ kind }) => kind === 'reference')).toEqual(['Project.']);
  });
});

describe('completion of conditions', () => {
  const answered = (text: string, caret: number): Place => JSON.parse(JSON.stringify(placeAt(text, caret)));

  /** `|` is the caret; the text with the first option put in, and how many there are. */
  async function first(input: string): Promise<[string, number]> {
    const caret = input.indexOf('|');
    const text = input.replace('|', '');
    const { from, to, options } = await completeWhere(answered(text, caret), caret, schema);
    return [text.slice(0, from) + (options[0]?.text ?? '') + text.slice(to), options.length];
  }

  it.each([
    ['|', 'Id ', 8],
    ['Na|', 'Name ', 1],
    ['(Na|', '(Name ', 1],
    ['Project.|', 'Project.Id ', 3],
    ['not (En|', 'not (EndDate ', 1],
    ['CustomFields.Rel|', "'CustomFields.Release Notes' ", 1],
    ['Name |', 'Name eq ', 12],
    ['IsNow |', 'IsNow eq ', 4],
    ['Project |', 'Project is null ', 2],
    ['Name con|', 'Name contains ', 1],
    ['Name not c|', 'Name not contains ', 1],
    ['Name is n|', 'Name is null ', 2],
    ['Name is not |', 'Name is not null ', 1],
    ['IsNow eq |', "IsNow eq 'true' ", 2],
    ["IsNow eq 'f|", "IsNow eq 'false' ", 1],
    ['Source eq W|', "Source eq 'Web' ", 1],
    ["Project.Name eq 'data|", "Project.Name eq 'Data Platform' ", 1],
    ["Project.Name eq 'O|", "Project.Name eq 'O\\'Neill' ", 3],
    ['Project.Name in |', 'Project.Name in (', 1],
    ['Project.Name in (|', "Project.Name in ('Shop'", 3],
    ["Project.Name in ('Shop', da|", "Project.Name in ('Shop', 'Data Platform'", 1],
    ['Id eq 1 |', 'Id eq 1 and ', 2],
    ['(Id eq 1) a|', '(Id eq 1) and ', 1],
    ['Id eq 1 and |', 'Id eq 1 and Id ', 8],
    ['Name is null |', 'Name is null and ', 2],
    ['Id eq |', 'Id eq ', 0],
    ["Na| eq 'x'", "Name  eq 'x'", 1],
  ])('%s', async (input, text, count) => {
    const [completed, many] = await first(input);
    expect(many).toBe(count);
    if (count > 0) expect(completed).toBe(text);
  });

  it('quotes what it puts in', async () => {
    const { options } = await completeWhere(answered('Project.Name eq neil', 20), 20, schema);
    expect(options.map(({ text }) => text)).toEqual(["'O\\'Neill' "]);
  });
});
