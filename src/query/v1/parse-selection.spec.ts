import { describe, expect, it } from 'vitest';
import { limits } from '../limits.js';
import { parseAppend, parseExclude, parseInclude, parseSelection } from './parse.js';
import type { IncludeItem } from './query.js';

/** Items in a short spelling; aggregates in braces. */
function spelled(items: IncludeItem[]): string {
  return items
    .map(({ name, inner, aggregate }) => (aggregate ? `{${name}}` : `${name}${inner ? `[${spelled(inner)}]` : ''}`))
    .join(',');
}

describe('include', () => {
  it.each([
    ['[Id,Name]', 'Id,Name'],
    ['Id,Name', 'Id,Name'],
    [' [ Name, Id ] ', 'Name,Id'],
    ['[]', ''],
    ['[Project[]]', 'Project[]'],
    ['EntityState[Name],Team[Name]', 'EntityState[Name],Team[Name]'],
    ['[UserStory[Id,Name,Feature[Id,Name]],Id]', 'UserStory[Id,Name,Feature[Id,Name]],Id'],
    ['[Tasks-Count,Bugs-Effort-Sum,Bugs[tasks-COUNT]]', '{Tasks-Count},{Bugs-Effort-Sum},Bugs[{tasks-COUNT}]'],
    ['[Bugs-Sum,Tasks-Foo,-Count,Tasks--Count]', 'Bugs-Sum,Tasks-Foo,-Count,Tasks--Count'],
    ["[CustomFields[Release Notes,'a,b',v1.2]]", 'CustomFields[Release Notes,a,b,v1.2]'],
    ['[Project[CustomFields]]', 'Project[CustomFields]'],
    ['[Name,name,NAME]', 'Name'],
    ['[Project,project[Id]]', 'Project[Id]'],
    ['[Project[Id],Name,PROJECT]', 'Project[Id],Name'],
    ['[Project[Id,Owner[Id]],Project[name,ID,owner[Login]]]', 'Project[Id,Owner[Id,Login],name]'],
    ['[Project,Project[]]', 'Project[]'],
    ['[Tasks-Count,tasks-count]', '{Tasks-Count}'],
    ['[__proto__,constructor,__proto__[Id]]', '__proto__[Id],constructor'],
  ])('%s', (text, expected) => expect(spelled(parseInclude(text))).toBe(expected));

  it('keeps names as said, and what aggregates reckon', () =>
    expect(parseInclude('[ id,bugs-effort-SUM,Bugs-count]')).toEqual([
      { name: 'id' },
      {
        name: 'bugs-effort-SUM',
        aggregate: { name: 'bugs-effort-SUM', collection: 'bugs', field: 'effort', function: 'sum' },
      },
      {
        name: 'Bugs-count',
        aggregate: { name: 'Bugs-count', collection: 'Bugs', field: undefined, function: 'count' },
      },
    ]));

  it.each([
    ['', 'a field name at 0, found the end'],
    ['[*]', 'a field name at 1, found "*"'],
    ['[Id,]', 'a field name at 4, found "]"'],
    ['[Id,,Name]', 'a field name at 4, found ","'],
    ['[Id', "',' or ']' at 3, found the end"],
    ['[Id,Project[Name]', "',' or ']' at 17, found the end"],
    ['[Id]]', 'the end at 4, found "]"'],
    ['Id]', '\',\' or the end at 2, found "]"'],
    ['[Name Id]', "',' or ']' at 6, found \"Id\""],
    ['[Tasks-Count[Id]]', "',' or ']' at 12, found \"[\""],
    ['[[Id]]', 'a field name at 1, found "["'],
  ])('refuses %s', (text, complaint) => expect(() => parseInclude(text)).toThrow(`include: expected ${complaint}.`));

  const nested = (levels: number) => `${'[Project'.repeat(levels)}${']'.repeat(levels)}`;
  const many = (count: number, name = 'Name') => `[${Array(count).fill(name).join(',')}]`;

  it('goes up to its limits', () => {
    expect(spelled(parseInclude(nested(limits.depth)))).toBe(nested(limits.depth).slice(1, -1));
    expect(parseInclude(many(limits.includeItems))).toHaveLength(1);
  });

  it.each([
    [nested(limits.depth + 1), 'too many levels of names; at most 10 are allowed'],
    [nested(1_000), 'too many levels of names; at most 10 are allowed'],
    ['['.repeat(1_000), 'expected a field name at 1, found "["'],
    [many(limits.includeItems + 1), 'too many fields; at most 200 are allowed'],
    [many(10_000), 'too many fields; at most 200 are allowed'],
    [`[Project${many(150)},Owner${many(150)}]`, 'too many fields; at most 200 are allowed'],
    [many(limits.aggregates + 1, 'Tasks-Count'), 'too many aggregates; at most 50 are allowed'],
  ])('%#', (text, complaint) => expect(() => parseInclude(text)).toThrow(`include: ${complaint}.`));
});

describe('exclude', () => {
  it.each([
    ['[Id, Name]', ['Id', 'Name']],
    ['Description', ['Description']],
    ['[]', []],
    ['[Name,NAME,Effort,name]', ['Name', 'Effort']],
    ['[Tasks-Count]', ['Tasks-Count']],
  ])('%s', (text, expected) => expect(parseExclude(text)).toEqual(expected));

  it('has no inner lists', () =>
    expect(() => parseExclude('[Project[Name]]')).toThrow("exclude: expected ',' or ']' at 8, found \"[\"."));

  it('has a limit', () =>
    expect(() => parseExclude(Array(201).fill('a').join())).toThrow(
      'exclude: too many fields; at most 200 are allowed.',
    ));
});

describe('append', () => {
  it.each([
    ['[Tasks-Count]', [['Tasks', undefined, 'count']]],
    [
      'Bugs-count, Times-Spent-MAX',
      [
        ['Bugs', undefined, 'count'],
        ['Times', 'Spent', 'max'],
      ],
    ],
    [
      '[Comments-CreateDate-Min,UserStories-TimeSpent-avg,Bugs-Effort-sum]',
      [
        ['Comments', 'CreateDate', 'min'],
        ['UserStories', 'TimeSpent', 'average'],
        ['Bugs', 'Effort', 'sum'],
      ],
    ],
    ['[Tasks-Count,TASKS-count]', [['Tasks', undefined, 'count']]],
    ['[__proto__-Count]', [['__proto__', undefined, 'count']]],
    ['[]', []],
  ])('%s', (text, expected) =>
    expect(parseAppend(text).map((one) => [one.collection, one.field, one.function])).toEqual(expected));

  it.each([
    'Notexisting-field',
    'Tasks',
    'Bugs-Sum',
    'Bugs-Effort-Count',
    'Features-UserStories-Tasks-Count',
    'Tasks--Count',
    '-Count',
    'Count',
    'Tasks-',
    'Bugs-Effort-constructor',
  ])('refuses %s', (name) =>
    expect(() => parseAppend(`[${name}]`)).toThrow(
      `Invalid aggregate '${name}': write Collection-Count, such as Tasks-Count, or Collection-Field-Sum (also Avg, Min, Max), such as Bugs-Effort-Sum.`,
    ));

  it.each([
    ['[Bugs-Count', "expected ',' or ']' at 11, found the end"],
    ['[Bugs-Count,]', 'expected a field name at 12, found "]"'],
    [Array(51).fill('Bugs-Count').join(), 'too many aggregates; at most 50 are allowed'],
  ])('refuses %s', (text, complaint) => expect(() => parseAppend(text)).toThrow(`append: ${complaint}.`));
});

describe('selection', () => {
  it('has default fields and no aggregates when nothing is said', () =>
    expect(parseSelection({})).toEqual({ include: undefined, exclude: undefined, append: [] }));

  it('takes append beside either list', () => {
    expect(parseSelection({ include: '[]', append: '[Tasks-Count]' })).toMatchObject({ include: [], append: [{}] });
    expect(parseSelection({ exclude: '[Id]', append: '[Tasks-Count]' })).toMatchObject({ exclude: [{}], append: [{}] });
  });

  it.each([
    ['[Name]', '[Id]'],
    ['[]', '[]'],
    ['[Name', '[]'],
  ])('refuses include %s with exclude %s', (include, exclude) =>
    expect(() => parseSelection({ include, exclude })).toThrow('include and exclude cannot be used in one request.'));
});
