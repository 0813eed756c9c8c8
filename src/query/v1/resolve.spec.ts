import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../model/build-model.js';
import { resourceEntities } from '../../modules/entities.js';
import type { CustomFieldCatalogue, Of, Value } from '../meaning.js';
import { parseParameters } from '../parameters.js';
import { resolve } from './compile-query.js';
import { parseQuery } from './parse.js';

const model = buildModel(resourceEntities);

const catalogue: CustomFieldCatalogue = {
  timeZone: 'UTC',
  groups: (kinds) =>
    kinds.includes(8)
      ? [
          {
            processId: 3,
            entityTypeId: 8,
            fields: [
              { name: 'Browser', type: 'DropDown', options: ['Firefox', 'Chrome'] },
              { name: 'Score', type: 'Number', options: [] },
            ],
          },
        ]
      : [],
};

const resolved = (resource: string, text: string) =>
  resolve(parseQuery(parseParameters(text)), model.resource(resource), catalogue);

const members = (resource: string, text: string): string[] => {
  const plan = resolved(resource, text);
  return [
    ...plan.members.map(({ field }) => field.name),
    ...plan.aggregates.map(({ name }) => name),
    ...(plan.customFields ? ['CustomFields'] : []),
    ...plan.collections.map(({ field }) => field.name),
  ];
};

const rightsOfRole = [
  'CanChangeOwner',
  'CanUsePersonalAccessTokens',
  'CanPrioritize',
  'TimeSheetAccess',
  'PeopleAccess',
];

describe('selection', () => {
  it.each([
    ['Task', 'include=[userstory,NAME,id]', ['Name', 'UserStory']],
    [
      'UserStory',
      'include=[Tasks,Effort,Tasks-Count,CustomFields]',
      ['Effort', 'Tasks-Count', 'CustomFields', 'Tasks'],
    ],
    ['UserStory', 'include=[]', []],
    ['UserStory', 'include=[ResourceType,Id]', []],
    // The official samples ask comments for their name, which they do not have.
    ['Comment', 'include=[Id,Name,General]', ['General']],
    ['Role', 'exclude=[HasEffort]', ['Name', 'Description', 'IsPair', ...rightsOfRole]],
    [
      'Role',
      'exclude=[id,NAME]&append=[users-COUNT]',
      ['Description', 'IsPair', 'HasEffort', ...rightsOfRole, 'Users-Count'],
    ],
    [
      'Project',
      'include=[Bugs-Effort-Avg,userstories-timespent-sum]',
      ['Bugs-Effort-Avg', 'UserStories-TimeSpent-Sum'],
    ],
    ['General', 'include=[Comments-CreateDate-Min]', ['Comments-CreateDate-Min']],
    ['Process', 'include=[CustomFields]', ['CustomFields']],
  ])('%s?%s', (resource, text, expected) => expect(members(resource, text)).toEqual(expected));

  it('shows all values but the synthetic ones, and all references, by default', () => {
    const story = members('UserStory', '');
    expect(story.slice(0, 4)).toEqual(['Name', 'Description', 'StartDate', 'EndDate']);
    expect(story).toContain('EntityState');
    for (const hidden of ['IsNow', 'LeadTime', 'DeleteDate', 'Tasks', 'Id']) expect(story).not.toContain(hidden);
    expect(story.at(-1)).toBe('CustomFields');
  });

  it('never shows a password', () => {
    expect(members('User', '')).not.toContain('Password');
    expect(() => members('User', 'include=[Password]')).toThrow("Invalid include field 'Password'");
  });

  it.each([
    [
      'UserStory',
      'include=[Nam]',
      "Invalid include field 'Nam'. Property 'Nam' does not exist in 'UserStory'. Did you mean 'Name'?",
    ],
    ['UserStory', 'include=[Name[Id]]', "'Name' of 'UserStory' is a value and has no inner fields."],
    ['UserStory', 'include=[Project[Nope]]', "Property 'Nope' does not exist in 'Project'."],
    ['Epic', 'include=[Features[UserStories]]', "'Features[UserStories]' is a collection inside a collection"],
    ['Epic', 'include=[Features[UserStories[Tasks]]]', 'UserStories?include=[Feature]'],
    [
      'UserStory',
      'include=[Project[CustomFields]]',
      "'CustomFields' cannot be included: custom fields come all together",
    ],
    [
      'UserStory',
      'include=[CustomFields[Risk]]',
      "'CustomFields[…]' cannot be included: custom fields come all together.",
    ],
    ['UserStory', 'include=[CustomFields.Risk]', "'CustomFields.Risk' cannot be included: custom fields come all"],
    ['UserStory', "include=['CustomFields.Risk']", 'Write CustomFields, or select single ones with /api/v2.'],
    ['UserStory', 'include=Id,customfields.Release Notes', "'customfields.Release Notes' cannot be included"],
    ['UserStory', "include=[CustomFields.'Release Notes']", 'custom fields come all together'],
    ['UserStory', 'include=[Project[CustomFields.Risk]]', 'for the root entity only. Use a separate request'],
    ['UserStory', 'include=[Project.CustomFields.Risk]', 'for the root entity only. Use a separate request'],
    ['UserStory', 'include=[Project.Name]', "Invalid include field 'Project.Name'."],
    ['UserStory', 'include=[Id,Project.Name]', 'stands in brackets: write Project[Name].'],
    ['UserStory', 'include=["Release.Project.Name"]', 'write Release[Project[Name]].'],
    ['UserStory', 'include=[Feature[Epic.Name]]', 'write Epic[Name].'],
    ['UserStory', 'include=[Projct.Name]', "Property 'Projct' does not exist in 'UserStory'. Did you mean 'Project'?"],
    ['UserStory', 'include=[Name.Id]', "'Name' of 'UserStory' is a value and has no inner fields."],
    ['UserStory', 'include=[Project.]', "Property 'Project.' does not exist in 'UserStory'."],
    ['Process', 'include=[CustomFields.Name]', 'write CustomFields[Name].'],
    ['Bug', 'include=[browser]', "Property 'browser' does not exist in 'Bug'. Did you mean 'CustomFields'?"],
    ['Bug', 'exclude=[Browser]', "Did you mean 'CustomFields'?"],
    ['UserStory', 'include=[__proto__]', "Invalid include field '__proto__'"],
    ['UserStory', 'include=[constructor]', "Invalid include field 'constructor'"],
    ['UserStory', 'exclude=[Nam]', "Property 'Nam' does not exist in 'UserStory'. Did you mean 'Name'?"],
    ['UserStory', 'append=[Foo-Count]', "Invalid aggregate 'Foo-Count': 'UserStory' has no collection 'Foo'."],
    ['UserStory', 'append=[Bugs-Severity-Max]', "'Bug' has no value 'Severity'."],
    ['UserStory', 'append=[Bug-Count]', "did you mean 'Bugs'"],
    ['Assignable', 'append=[Tsks-Count]', "'Assignable' has no collection 'Tsks'; did you mean 'Tasks'."],
    ['Assignable', 'append=[History-EntityState-Sum]', "has no value 'EntityState'"],
    ['UserStory', 'append=[Bugs-Name-Sum]', 'Sum needs a number.'],
    ['UserStory', 'append=[Bugs-Name-Max]', 'Max needs a number or a date.'],
    ['UserStory', 'append=[Bugs-Nope-Sum]', "'Bug' has no value 'Nope'"],
    ['User', 'append=[Comments-Password-Max]', "'Comment' has no value 'Password'"],
  ])('%s?%s is refused', (resource, text, message) => expect(() => resolved(resource, text)).toThrow(message));
});

/** A condition of version 1 in words: what it is asked of by its path, collections in brackets. */
function spelled(value: Value): string {
  const pathTo = (of: Value, name: string): string => (of.kind === 'row' ? name : `${spelled(of)}.${name}`);
  switch (value.kind) {
    case 'field':
      return pathTo(value.of, value.operand.kind === 'field' ? value.operand.field.name : `[${value.operand.name}]`);
    case 'reference':
      return pathTo(value.of, value.field.name);
    case 'literal':
      return `${(value.value as unknown as { now: unknown }).now}::${value.sqlType}`;
    case 'call':
      return `${value.function.name}(${value.args.map(spelled)})`;
    case 'compare':
      return `${spelled(value.left)} ${value.operator} ${spelled(value.right)}`;
    case 'in':
      return `${spelled(value.of)} in ${value.values.map(spelled)}`;
    case 'contains':
      return `${spelled(value.of)} contains ${value.wholeStart ? '' : '*'}${spelled(value.part)}${value.wholeEnd ? '' : '*'}`;
    case 'null':
      return `${spelled(value.of)} null`;
    case 'not':
      return `not (${spelled(value.of)})`;
    case 'and':
    case 'or':
      return value.parts.map(spelled).join(` ${value.kind} `);
    case 'some': {
      const { source, filters } = value.of;
      if (source === 'root' || source.kind === 'values') throw new Error('version 1 has no such collections');
      return `${pathTo(source.owner, source.field.name)}[${filters.map(spelled)}]`;
    }
    default:
      throw new Error(`version 1 has no ${value.kind}`);
  }
}

describe('filter', () => {
  /** As in a filter, references and collections by their names. */
  it.each([
    ['UserStory', 'where=Id eq 5', 'Id eq 5::bigint'],
    ['UserStory', "where=Id eq '5'", 'Id eq 5::bigint'],
    ['UserStory', 'where=Effort gt 3.5', 'Effort gt 3.5::numeric'],
    ['UserStory', "where=Name ne 'x'", 'Name ne x::text'],
    ['UserStory', "where=Name eq 'null'", 'Name null'],
    ['UserStory', "where=Name ne 'null'", 'not (Name null)'],
    ['User', 'where=LastLoginDate eq "null"', 'LastLoginDate null'],
    ['User', "where=IsActive eq 'True'", 'IsActive eq true::boolean'],
    ['EntityState', 'where=IsFinal eq 1', 'IsFinal eq true::boolean'],
    ['UserStory', 'where=CreateDate gte Today', 'CreateDate gte today()'],
    ['UserStory', "where=CreateDate gt '24-Oct-2015'", 'CreateDate gt 2015-10-24 00:00:00::timestamptz'],
    ['UserStory', "where=EntityState.Name eq 'Done'", 'EntityState.Name eq Done::text'],
    ['UserStory', "where=EntityState.Name ne 'Done'", 'EntityState.Name ne Done::text'],
    ['UserStory', 'where=Feature.Epic.Name is null', 'Feature.Epic.Name null'],
    ['UserStory', 'where=Feature is null', 'Feature null'],
    ['UserStory', 'where=Feature is not null', 'not (Feature null)'],
    ['UserStory', 'where=AssignedUser is null', 'not (AssignedUser[])'],
    ['UserStory', 'where=AssignedUser.Id eq 1', 'AssignedUser[Id eq 1::bigint]'],
    ['UserStory', "where=Tasks.Name ne 'x'", 'Tasks[Name ne x::text]'],
    ['Feature', 'where=Bugs.Iteration.Name is null', 'Bugs[Iteration.Name null]'],
    ['Feature', 'where=Bugs.Iteration is null', 'Bugs[Iteration null]'],
    ['Feature', 'where=Bugs.Comments is null', 'Bugs[not (Comments[])]'],
    ['UserStory', 'where=Feature.Bugs is null', 'not (Feature.Bugs[])'],
    ['UserStory', "where=Feature.Bugs.Iteration.Name ne 'x'", 'Feature.Bugs[Iteration.Name ne x::text]'],
    ['UserStory', "where=Tags contains 'abc'", 'TagObjects[Name contains abc::text]'],
    ['UserStory', `where=Tags contains "'two words'"`, 'TagObjects[Name contains two words::text]'],
    ['UserStory', "where=Tags contains '*abc*'", 'TagObjects[Name contains *abc::text*]'],
    ['UserStory', "where=Tags not contains 'abc*'", 'not (TagObjects[Name contains abc::text*])'],
    ['Bug', "where=CustomFields.browser eq 'Firefox'", '[Browser] eq Firefox::text'],
    ['Bug', "where='CustomFields.Browser' is not null", 'not ([Browser] null)'],
    ['Request', "where=Owner.Kind eq 'requester'", 'Owner.Kind eq Requester::text'],
    ['Process', 'where=CustomFields.EntityType.Id eq 4', 'CustomFields[EntityType.Id eq 4::bigint]'],
    [
      'Project',
      'where=Process.CustomFields.Process.CustomFields.Name eq x',
      'Process.CustomFields[Process.CustomFields[Name eq x::text]]',
    ],
    ['UserStory', 'where=(Id eq 1) or not (Id eq 2)', 'Id eq 1::bigint or not (Id eq 2::bigint)'],
    ['UserStory', 'where=Id not in (1,2)', 'not (Id in 1::bigint,2::bigint)'],
    ['UserStory', 'where=Id eq 9007199254740993', 'Id eq 9007199254740993::bigint'],
    ['UserStory', 'where=Id lt 9223372036854775807', 'Id lt 9223372036854775807::bigint'],
    ['UserStory', 'where=Id gt 9223372036854775808', 'Id gt 9223372036854775807::bigint'],
    ['UserStory', `where=Id eq ${'9'.repeat(400)}`, 'Id eq 9223372036854775807::bigint'],
    ['UserStory', 'where=Id gte -9223372036854775809', 'Id gte -9223372036854775808::bigint'],
    ['UserStory', "where=Id eq '%2B00000000000000000000007'", 'Id eq 7::bigint'],
    ['Iteration', 'where=IsCurrent eq true', 'IsCurrent eq true::boolean'],
  ])('%s?%s', (resource, text, expected) => expect(spelled(resolved(resource, text).where[0]!)).toBe(expected));

  it.each([
    ['UserStory', "where=Nam eq 'x'", "Property 'Nam' does not exist in 'UserStory'. Did you mean 'Name'?"],
    ['UserStory', 'where=Project.Project.Nope eq 1', "Property 'Nope' does not exist in 'Project'."],
    ['UserStory', 'where=Name.Id eq 1', "does not exist in 'UserStory'"],
    ['UserStory', 'where=Id eq abc', "Id: 'abc' is not a whole number."],
    ['UserStory', 'where=Id eq 1.5', 'is not a whole number'],
    ['UserStory', "where=Effort eq 'abc'", "Effort: 'abc' is not a number."],
    ['UserStory', 'where=Effort eq NaN', 'is not a number'],
    ['UserStory', 'where=Effort eq Infinity', 'is not a number'],
    ['UserStory', 'where=Effort eq 0x10', 'is not a number'],
    ['UserStory', "where=Effort eq '1,5'", 'is not a number'],
    ['UserStory', `where=Effort eq ${encodeURIComponent('١٢')}`, 'is not a number'],
    ['UserStory', 'where=NumericPriority eq 1e309', 'is not a number'],
    ['UserStory', "where=CreateDate gt '2023-02-29'", 'is not a date'],
    ['User', "where=IsActive eq 'maybe'", "'maybe' is not true or false."],
    ['User', "where=Kind eq 'Robot'", 'is not one of None, User,'],
    ['User', "where=LastLoginDate lt 'null'", "LastLoginDate: 'lt' cannot be used here, null has no order"],
    ['User', "where=Password eq 'x'", "Property 'Password' does not exist in 'User'."],
    ['User', "where=PasswordHash gt 'a'", "Property 'PasswordHash' does not exist in 'User'."],
    [
      'UserStory',
      "where=Assignments.GeneralUser.Password contains 'x'",
      "Property 'Password' does not exist in 'User'.",
    ],
    ['UserStory', 'where=Project eq 5', "'Project' is an entity; compare one of its fields, for example 'Project.Id'"],
    ['UserStory', 'where=Tasks eq 5', "'Tasks' is an entity"],
    ['UserStory', 'where=Effort contains 5', "Effort: 'contains' cannot be used here"],
    [
      'UserStory',
      'where=Tasks-Count gt 2',
      "'Tasks-Count' is a computed number and cannot be filtered by in version 1",
    ],
    ['Bug', "where=CustomFields.Browsr eq 'x'", "Did you mean 'CustomFields.Browser'?"],
    ['Bug', "where=browser eq 'x'", "Property 'browser' does not exist in 'Bug'. Did you mean 'CustomFields.Browser'?"],
    ['UserStory', 'where=Bugs.Score eq 1', "does not exist in 'Bug'. Did you mean 'CustomFields.Score'?"],
    ['UserStory', 'where=Score eq 1', "Property 'Score' does not exist in 'UserStory'."],
    ['Bug', "where=CustomFields.Score eq 'x'", "CustomFields.Score: 'x' is not a number."],
    ['UserStory', 'where=constructor eq 1', "Property 'constructor' does not exist"],
    ['Process', 'where=CustomFields.Nope.Id eq 4', "Property 'Nope' does not exist in 'CustomField'."],
    ['Process', `where=CustomFields.${'Process.CustomFields.'.repeat(5)}Name eq x`, 'too many levels of names'],
  ])('%s?%s is refused', (resource, text, message) => expect(() => resolved(resource, text)).toThrow(message));

  it.each([
    ['where=DeleteDate is not null', true],
    ["where=(IsActive eq true) and (DeleteDate gt '2020-01-01')", true],
    ['where=IsActive eq true', false],
    ['where=Comments.Owner.DeleteDate is not null', false],
  ])('%s asks for deleted rows: %s', (text, expected) => {
    expect(resolved('User', text).asksForDeleted).toBe(expected);
  });
});

describe('order', () => {
  it.each([
    ['UserStory', '', [['Id', true]]],
    ['Project', '', [['Name', false]]],
    ['Release', '', [['StartDate', true]]],
    [
      'UserStory',
      'orderBy=name,effort desc',
      [
        ['Name', false],
        ['Effort', true],
      ],
    ],
    ['UserStory', 'orderByDesc=Project.Name', [['Name', true]]],
    ['UserStory', 'orderBy=Project', [['Name', false]]],
    ['UserStory', 'orderBy=Owner', [['FullName', false]]],
    ['Bug', 'orderBy=CustomFields.Score', [['Score', false]]],
  ])('%s?%s', (resource, text, expected) => {
    const order = resolved(resource, text).order.map((one) => {
      const { operand } = one.by as Of<'field'>;
      return [operand.kind === 'field' ? operand.field.name : operand.name, one.descending];
    });
    expect(order).toEqual(expected);
  });

  it.each([
    ['UserStory', 'orderBy=Nam', "Property 'Nam' does not exist in 'UserStory'. Did you mean 'Name'?"],
    ['Bug', 'orderBy=score desc', "Property 'score' does not exist in 'Bug'. Did you mean 'CustomFields.Score'?"],
    ['UserStory', 'orderBy=Tasks.Name', "'Tasks.Name' leads through a collection"],
    ['User', 'orderBy=Password', "Property 'Password' does not exist"],
    ['UserStory', 'orderBy=Name.Id', "Property 'Name.Id' does not exist"],
  ])('%s?%s is refused', (resource, text, message) => expect(() => resolved(resource, text)).toThrow(message));
});
