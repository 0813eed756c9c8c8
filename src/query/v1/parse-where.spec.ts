import { describe, expect, it } from 'vitest';
import { limits } from '../limits.js';
import { parseWhere } from './parse.js';
import type { Filter } from './query.js';

/** A filter in a short, unambiguous spelling. */
function spelled(filter: Filter): string {
  if ('parts' in filter) return `${filter.kind}(${filter.parts.map(spelled).join(' ')})`;
  if ('part' in filter) return `not(${spelled(filter.part)})`;
  const path = filter.path.join('/');
  if (filter.kind === 'compare') return `${path}:${filter.operator}:${filter.value.text}`;
  const operator = `${filter.negated ? 'not-' : ''}${filter.kind}`;
  if (filter.kind === 'null') return `${path}:${operator}`;
  const values = filter.kind === 'in' ? filter.values : [filter.value];
  return `${path}:${operator}:${values.map((value) => value.text).join('|')}`;
}

describe('conditions', () => {
  it.each([
    ["EntityState.Name eq 'Done'", 'EntityState/Name:eq:Done'],
    ['Effort gt 3.5', 'Effort:gt:3.5'],
    ['TimeSpent lte 5.0', 'TimeSpent:lte:5.0'],
    ['Id GTE -5', 'Id:gte:-5'],
    ['Id lt 1e309', 'Id:lt:1e309'],
    ['Id Ne 99999999999999999999', 'Id:ne:99999999999999999999'],
    ['id in (7,8)', 'id:in:7|8'],
    ['Id in(7)', 'Id:in:7'],
    ['Id in [ 1 , 2 ]', 'Id:in:1|2'],
    ['EntityState.Name not in ("Planned","In Progress")', 'EntityState/Name:not-in:Planned|In Progress'],
    ["EndDate in ('tomorrow',today)", 'EndDate:in:tomorrow|today'],
    ["Name contains '\\''", "Name:contains:'"],
    ["Name contains ''", 'Name:contains:'],
    ["Name contains '%'", 'Name:contains:%'],
    ["Tags not contains '*Major*'", 'Tags:not-contains:*Major*'],
    ['Tags contains "\'two words\'"', "Tags:contains:'two words'"],
    ['Release is null', 'Release:null'],
    ['Description IS NOT NULL', 'Description:not-null'],
    ['IsFinal eq true', 'IsFinal:eq:true'],
    ['CreateDate gte 2026-01-05', 'CreateDate:gte:2026-01-05'],
    ['CreateDate gt @Today', 'CreateDate:gt:@Today'],
    ['CreateDate gt Today-7', 'CreateDate:gt:Today-7'],
    ["'CustomFields.Release Notes' is not null", 'CustomFields/Release Notes:not-null'],
    ['StartDate is not nil', 'StartDate:not-null'],
    ['(EndDate IS Nil)', 'EndDate:null'],
    ["CustomFields.'Release Notes' eq x", 'CustomFields/Release Notes:eq:x'],
    ['Tasks-Count gt 2', 'Tasks-Count:gt:2'],
    ["Name eq 'a''b'", "Name:eq:a'b"],
    ["Name eq'a'", 'Name:eq:a'],
    ['Id eq5', 'Id:eq:5'],
    ['Effort gte-0.5 and Id in(1)', 'and(Effort:gte:-0.5 Id:in:1)'],
    ['Id gt 3and(Id lt -4.5OR Name eq 5or)', 'and(Id:gt:3 or(Id:lt:-4.5 Name:eq:5or))'],
    ["Id eq 3or 'CustomFields.a b' eq 1", 'or(Id:eq:3 CustomFields/a b:eq:1)'],
    ['Name in (3or, 4and) and Name eq 3and and Name eq 3or', 'and(Name:in:3or|4and Name:eq:3and Name:eq:3or)'],
    ['eq eq 1', 'eq:eq:1'],
    ['not eq 1', 'not:eq:1'],
    ['in in (in)', 'in:in:in'],
    ['constructor eq 1', 'constructor:eq:1'],
  ])('%s', (text, expected) => expect(spelled(parseWhere(text).filter)).toBe(expected));

  it('number their values', () =>
    expect(parseWhere("Id in (1, '2')").filter).toEqual({
      kind: 'in',
      path: ['Id'],
      negated: false,
      values: [
        { text: '1', place: 0 },
        { text: '2', place: 1 },
      ],
    }));
});

describe('conjunctions', () => {
  it.each([
    ['a eq 1 and b eq 2 and c eq 3', 'and(a:eq:1 b:eq:2 c:eq:3)'],
    ['(a eq 1)and(b eq 2)', 'and(a:eq:1 b:eq:2)'],
    ['(a eq 1) AND (b eq 2)', 'and(a:eq:1 b:eq:2)'],
    ['a eq 1 or b eq 2 and c eq 3', 'or(a:eq:1 and(b:eq:2 c:eq:3))'],
    ['(a eq 1 or b eq 2) and c eq 3', 'and(or(a:eq:1 b:eq:2) c:eq:3)'],
    ['(a eq 1 and b eq 2) and c eq 3', 'and(a:eq:1 b:eq:2 c:eq:3)'],
    ['(((a eq 1)))', 'a:eq:1'],
    ['not (a eq 1)', 'not(a:eq:1)'],
    ['NOT(a eq 1 or b is null)and c eq 2', 'and(not(or(a:eq:1 b:null)) c:eq:2)'],
    ['not (not (a eq 1))', 'not(not(a:eq:1))'],
    ["Id in(1,2)and(Name eq 'x')", 'and(Id:in:1|2 Name:eq:x)'],
    ["Name eq 'x'and Id eq 1", 'and(Name:eq:x Id:eq:1)'],
    ['\tId\u00a0eq\r\n1  ', 'Id:eq:1'],
  ])('%s', (text, expected) => expect(spelled(parseWhere(text).filter)).toBe(expected));
});

describe('mistakes', () => {
  const toTheEnd = "'and', 'or' or the end";
  it.each([
    ["Name equals 'x'", "an operator such as 'eq' or 'contains' at 5, found \"equals\""],
    [
      'CustomFields.Release Notes is not null',
      `an operator such as 'eq' or 'contains' (a name with blanks stands in quotes, such as 'CustomFields.Release Notes') at 21, found "Notes"`,
    ],
    ['Id eqx', "an operator such as 'eq' or 'contains' at 3, found \"eqx\""],
    ['Id in5', "an operator such as 'eq' or 'contains' at 3, found \"in5\""],
    ['asdad asd asda', "an operator such as 'eq' or 'contains' at 6, found \"asd\""],
    ["(User.IsActive eq 'true')include=[User]", `${toTheEnd} at 25, found "include"`],
    ["(Name eq 'x') or 1=1", "an operator such as 'eq' or 'contains' at 18, found \"=\""],
    ["'; drop table story;--", "a closing ' at 22, found the end"],
    ["Name eq 'it's'", `${toTheEnd} at 12, found "s"`],
    ["Name eq '\u{1f600}' x", `${toTheEnd} at 12, found "x"`],
    ['Id eq 1,5', `${toTheEnd} at 7, found ","`],
    ['Name eq x y', `${toTheEnd} (a text of several words stands in quotes) at 10, found "y"`],
    ['(Name eq x y)', `'and', 'or' or ')' (a text of several words stands in quotes) at 11, found "y"`],
    ['(Name eq x) y', `${toTheEnd} at 12, found "y"`],
    ['Id eq 1)', `${toTheEnd} at 7, found ")"`],
    ['(Id eq 1', "'and', 'or' or ')' at 8, found the end"],
    ['((Id eq 1)', "'and', 'or' or ')' at 10, found the end"],
    ['not (Id eq 1', "'and', 'or' or ')' at 12, found the end"],
    ['', 'a field name at 0, found the end'],
    ['()', 'a field name at 1, found ")"'],
    ['Id eq 1 and', 'a field name at 11, found the end'],
    ['Id eq 1 and and Id eq 2', "an operator such as 'eq' or 'contains' at 16, found \"Id\""],
    ['Id', "an operator such as 'eq' or 'contains' at 2, found the end"],
    ['Id eq', 'a value at 5, found the end'],
    ['Id eq (1)', 'a value at 6, found "("'],
    ['Id in 1,2', '\'(\' at 6, found "1"'],
    ['Id in ()', 'a value at 7, found ")"'],
    ['Id in (1,)', 'a value at 9, found ")"'],
    ['Id in (1 2)', "',' or ')' at 9, found \"2\""],
    ['Id in [1)', "',' or ']' at 8, found \")\""],
    ['Id not eq 1', "'in' or 'contains' at 7, found \"eq\""],
    ['Id is 5', "'null' or 'not null' at 6, found \"5\""],
    ['Id is not 5', '\'null\' at 10, found "5"'],
    ['Project..Name eq 1', 'a field name at 8, found ".Name"'],
    ['Id hasOwnProperty 1', "an operator such as 'eq' or 'contains' at 3, found \"hasOwnProperty\""],
  ])('%s', (text, complaint) => expect(() => parseWhere(text)).toThrow(`where: expected ${complaint}.`));

  it('with NUL are refused', () =>
    expect(() => parseWhere("Name eq '\0'")).toThrow('where: the character NUL is not allowed.'));
});

describe('limits', () => {
  const nested = (levels: number) => `${'('.repeat(levels)}Id eq 1${')'.repeat(levels)}`;
  const joined = (count: number) => Array(count).fill('Id eq 1').join(' and ');
  const listed = (count: number) => `Id in (${Array(count).fill('1').join(',')})`;

  it.each([
    ['parentheses', nested(limits.nesting)],
    ['conditions', joined(limits.conditions)],
    ['values', listed(limits.listValues)],
    ['values in two lists', `${listed(limits.listValues)} and ${listed(limits.listValues)}`],
    ['parentheses side by side', Array(90).fill('(((Id eq 1)))').join('or')],
  ])('can be reached: %s', (_, text) => expect(() => parseWhere(text)).not.toThrow());

  it.each([
    [nested(limits.nesting + 1), 'too many levels of parentheses; at most 50 are allowed'],
    ['('.repeat(10_000), 'too many levels of parentheses; at most 50 are allowed'],
    ['not('.repeat(10_000), 'too many levels of parentheses; at most 50 are allowed'],
    [joined(limits.conditions + 1), 'too many conditions; at most 100 are allowed'],
    [joined(5_000), 'too many conditions; at most 100 are allowed'],
    [listed(limits.listValues + 1), 'too many values in a list; at most 1000 are allowed'],
    [listed(100_000), 'too many values in a list; at most 1000 are allowed'],
    [`${'Project.'.repeat(500)}Id eq 1`, 'too many levels of names; at most 10 are allowed'],
  ])('%#', (text, complaint) => expect(() => parseWhere(text)).toThrow(`where: ${complaint}.`));

  it.each([
    ["a closing ' at 100009", `Name eq '${'a'.repeat(100_000)}`],
    ["a closing ' at 200009", `Name eq '${"''".repeat(100_000)}`],
    ['a value at 50005', `Id eq${' '.repeat(50_000)}`],
    ["an operator such as 'eq' or 'contains' at 50003", `not${' '.repeat(50_000)}x`],
  ])('long texts are walked once: %s', (complaint, text) => expect(() => parseWhere(text)).toThrow(complaint));
});
