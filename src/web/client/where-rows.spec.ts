import { describe, expect, it } from 'vitest';
import { comparisonNames, partOperators } from '../../query/operators.js';
import { conditionRows } from '../../query/v1/edited-where.js';
import { operators, spellRows, type ValueKind } from './where-rows.js';

const kinds: Record<string, ValueKind> = {
  Id: 'number',
  Effort: 'number',
  Name: 'text',
  EndDate: 'moment',
  IsNow: 'flag',
  'CustomFields.Release Notes': 'text',
};
const spell = (text: string) => spellRows(conditionRows(text)!, (path) => kinds[path]);

it('the operators of the page are those of filters', () => {
  const parts = partOperators.flatMap(({ word }) => (word === undefined ? [] : [word, `not ${word}`]));
  const others = ['in', 'not in', 'is null', 'is not null'];
  expect(operators.map(({ name }) => name).sort()).toEqual([...comparisonNames, ...parts, ...others].sort());
});

describe('conditions as rows', () => {
  it.each([
    ["Name eq 'x'", "Name eq 'x'"],
    ['Name EQ "x"', "Name eq 'x'"],
    ["(Name eq 'x')", "Name eq 'x'"],
    ["Id gt 5 and (Name contains 'a' AND Effort lte '3.5')", "(Id gt 5) and (Name contains 'a') and (Effort lte 3.5)"],
    ["(Id eq 1)and(Name eq 'b')", "(Id eq 1) and (Name eq 'b')"],
    ["Id in (1, 2,'3')", 'Id in (1,2,3)'],
    ["Name not in ['a','b']", "Name not in ('a','b')"],
    ["Name not contains 'x'", "Name not contains 'x'"],
    ['EndDate is null', 'EndDate is null'],
    ['EndDate  is   not null', 'EndDate is not null'],
    ['EndDate gte 2026-01-05', "EndDate gte '2026-01-05'"],
    ["IsNow eq 'true'", "IsNow eq 'true'"],
    ["Name eq '2026'", "Name eq '2026'"],
    ["Name eq 'it\\'s'", "Name eq 'it\\'s'"],
    ["Name eq 'it''s'", "Name eq 'it\\'s'"],
    ["Name eq 'a\\\\b'", "Name eq 'a\\\\b'"],
    ["'CustomFields.Release Notes' is not null", "'CustomFields.Release Notes' is not null"],
    ["CustomFields.'Release Notes' eq 'x'", "'CustomFields.Release Notes' eq 'x'"],
    ['Unknown.Path eq 5', 'Unknown.Path eq 5'],
    ["Name eq 'and'", "Name eq 'and'"],
    ['', ''],
  ])('%s', (text, spelled) => {
    expect(spell(text)).toBe(spelled);
    // What was spelled says the same.
    expect(conditionRows(spell(text))).toEqual(conditionRows(text));
  });

  it('leaves out those that are not finished', () => {
    const rows = [
      { path: '', operator: 'eq', values: ['x'] },
      { path: 'Project.', operator: 'eq', values: ['x'] },
      { path: 'Name', operator: 'eq', values: [''] },
      { path: 'Id', operator: 'in', values: ['1', ''] },
      { path: 'Release', operator: 'is null', values: [] },
    ];
    expect(spellRows(rows, (path) => kinds[path])).toBe('(Id in (1)) and (Release is null)');
  });
});
