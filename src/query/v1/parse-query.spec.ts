import { describe, expect, it } from 'vitest';
import { ApiError } from '../../errors.js';
import { type KnownParameter, parseParameters } from '../parameters.js';
import { parseAppend, parseExclude, parseInclude, parseOrder, parseQuery, parseWhere } from './parse.js';
import type { Query } from './query.js';

const read = (rawQuery: string): Query => parseQuery(parseParameters(rawQuery));

it('has defaults for a request that says nothing', () =>
  expect(read('')).toEqual({
    selection: { include: undefined, exclude: undefined, append: [] },
    where: undefined,
    order: [],
    page: { take: 25, skip: 0 },
    inner: { take: 25, skip: 0 },
  }));

it('puts all that was said together', () =>
  expect(
    read(
      'take=2&skip=1&innerTake=5000&innerSkip=3&where=(Id+gt+1)&orderbydesc=Id&include=%5BName%5D&append=[Tasks-Count]',
    ),
  ).toMatchObject({
    selection: { include: [{ name: 'Name' }], append: [{ collection: 'Tasks', function: 'count' }] },
    where: {
      filter: { kind: 'compare', path: ['Id'], operator: 'gt', value: { text: '1' } },
      words: ['1'],
      shape: '(Id gt \0)',
    },
    order: [{ path: ['Id'], descending: true }],
    page: { take: 2, skip: 1 },
    inner: { take: 1000, skip: 3 },
  }));

it('reads the result twins where the plain parameters are absent', () => {
  const { selection } = read('resultInclude=[Name]&include=&resultAppend=[Bugs-Count]&append=[Tasks-Count]');
  expect(selection).toMatchObject({ include: [{ name: 'Name' }], append: [{ name: 'Tasks-Count' }] });
  expect(read('resultInclude=[Name]&include=[Id]').selection.include).toEqual([{ name: 'Id' }]);
  expect(read('resultExclude=[Name]').selection.exclude).toEqual(['Name']);
});

describe('what clients send', () => {
  it.each([
    "format=json&take=100&where=Release.Name eq 'text'&include=[Name, Id]",
    "format=json&take=300&where=Release.Name eq 'text' and EntityState.Name ne 'Passed Dev01  QA'&include=[Name, Description, Id]",
    'format=json&where=Epic.Id eq 12345&include=[Id,Name,EntityState[Name],Team[Name],Progress,Effort]&take=100',
    "where=(EntityState.Name eq 'In Progress') and (AssignedUser.Id eq 12345)&include=[Id,UserStory[Id,Feature[Id,Name]]]&orderByDesc=ModifyDate",
    'format=json&where=(Master.Id eq 7) or (Slave.Id eq 7)&include=[Master,Slave,RelationType]&take=100',
    'take=2&skip=1&where=(Id gt 1)&orderbydesc=Id&include=[Id,Name]&append=[Tasks-Count]',
    'format=json&where=CreateDate lt "2014-10-10"',
    'format=json&orderby=id&skip=4&take=2',
    'format=json&ids=7',
    'where=id in (7,8)&include=[CustomFields]&format=json',
    "include=[Name,Id,EndDate,Project[Id],Release[Id]]&where=(EndDate in ('tomorrow','today'))",
    "take=1000&format=json&where=(IsActive eq 'true') and (DeleteDate is null)&callback=cb",
    'format=json&append=[TestCases-Count]&include=[TestCases[LastStatus]]',
    "where=(IsFinal eq 1)and(EntityType.Name eq 'Request')&include=[Id]&resultFormat=json",
    'where=(Id gte 2700) and (Id lte 3600)&take=1000&append=[Comments-Count, MasterRelations-Count, Attachments-Count]',
    "where=CreateDate gt '24-Oct-2015'&format=json",
    'resultInclude=[Id,TestCaseRuns[Id,TestCase[Id]]]',
    'format=json&take=25&where=EntityState.Name ne "Done" and EntityState.Name ne "Closed"',
    'format=json&take=25&where=CreateDate gte 2026-01-05 and CreateDate lt 2026-01-06',
    'where=CreateDate gt @Today',
    'include=[name,requesters]&take=500&innerTake=1000',
    "where=('CustomFields.Release Notes' is not null)",
    'where=(Tags contains "\'two words\'")',
    'include=[Features[UserStories[Tasks]]]',
    'include=[Bugs-Effort-Sum]&take=1000',
    'include=[id,EntityState]&where=(EntityState.Name in ("Planned","In Progress"))',
    'where=(IsActive eq "true") and (LastLoginDate eq "null") and (CreateDate lt "2018-01-17")&take=1000',
    "where=(CurrentBug.Id eq 59241)and(Date lte '2016-09-30')&orderbyDesc=Date&take=1&include=[EntityState]",
    'include= [FirstName,LastName,Comments[CreateDate,Description]]&take=100&innertake=1000',
  ])('is read: %s', (rawQuery) => {
    expect(() => read(rawQuery)).not.toThrow();
    const encoded = rawQuery.replace(/[^\w=&]/g, (character) => encodeURIComponent(character));
    expect(read(encoded)).toEqual(read(rawQuery));
    expect(read(encoded.replaceAll('%20', '+'))).toEqual(read(rawQuery));
  });

  it.each([
    [
      "where=(User.IsActive eq 'true')include=[User]&take=1000",
      "where: expected 'and', 'or' or the end at 25, found \"include\".",
    ],
    ['format=json&where=asdad asd asda', "where: expected an operator such as 'eq' or 'contains' at 6, found \"asd\"."],
    ['where=(Id gte 1) and (Id lte 9)&append=[Notexisting-field]', "Invalid aggregate 'Notexisting-field'"],
    ['include=[Name]&exclude=[Id]', 'include and exclude cannot be used in one request.'],
    ['INCLUDE=[]&Exclude=[]', 'include and exclude cannot be used in one request.'],
    ['innerTake=-1', "innerTake: '-1' is not a whole number of 0 or more."],
    ['take=1e3', "take: '1e3' is not a whole number of 0 or more."],
  ])('is refused: %s', (rawQuery, complaint) => expect(() => read(rawQuery)).toThrow(complaint));
});

describe('random texts', () => {
  const loneSurrogate = /\p{Cs}/gu;
  const words = [
    ...[
      'Id',
      'Project',
      'Name',
      'CustomFields',
      'Tasks-Count',
      'Bugs-Effort-Sum',
      '__proto__',
      '1',
      '-5',
      '1e9',
      'null',
    ],
    ...['eq', 'ne', 'gt', 'in', 'contains', 'is', 'not', 'and', 'or', 'asc', 'desc', 'AND', 'not (', 'is not null'],
    ...[
      '(',
      ')',
      '[',
      ']',
      ',',
      '.',
      '-',
      "'",
      '"',
      '\\',
      "''",
      ' ',
      '\t',
      '\0',
      '\ud800',
      '\u{1f600}',
      'ß',
      '%',
      '=',
      ';',
    ],
    ...[
      'Id eq 1',
      "Name eq 'x'",
      '(Id in (1,2))',
      ' and ',
      ' or ',
      'Id,Name',
      'Project[Id]',
      '%41',
      '%ff',
      '+',
      '&',
      'where=',
    ],
  ];
  const parsers: Record<string, (text: string) => unknown> = {
    where: parseWhere,
    include: parseInclude,
    exclude: parseExclude,
    append: parseAppend,
    order: (text) => parseOrder({ orderBy: text, orderByDesc: text }),
    query: (text) => read(`${text}&take=5`),
    'encoded query': (text) =>
      (['where', 'include', 'append', 'orderby', 'take'] satisfies KnownParameter[]).map((name) =>
        read(`${name}=${encodeURIComponent(text.replaceAll(loneSurrogate, ''))}`),
      ),
  };

  it.each(Object.entries(parsers))('are read or refused, never worse: %s', (_, parse) => {
    const next = random(20_260_105);
    let refused = 0;
    for (let round = 0; round < 4000; round++) {
      const text = Array.from({ length: next(14) }, () => words[next(words.length)]).join(next(2) === 0 ? ' ' : '');
      try {
        parse(text);
      } catch (error) {
        if (!(error instanceof ApiError)) throw new Error(`${JSON.stringify(text)}: ${error}`);
        expect([400, 414]).toContain(error.httpStatus);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});

/** Mulberry32: the same whole numbers below a bound at every run. */
function random(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}
