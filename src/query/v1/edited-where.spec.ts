import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionRows, placeAt } from './edited-where.js';

describe('a filter as rows', () => {
  it.each([
    ['', []],
    [' ', []],
    ["Name EQ 'it''s'", [['Name', 'eq', "it's"]]],
    ["(Name eq 'x')", [['Name', 'eq', 'x']]],
    [
      "Id gt 5 and (Name contains 'a' AND Effort lte '3.5')",
      [
        ['Id', 'gt', '5'],
        ['Name', 'contains', 'a'],
        ['Effort', 'lte', '3.5'],
      ],
    ],
    ["Id in (1, 2,'3')", [['Id', 'in', '1', '2', '3']]],
    ["Name not in ['a','b']", [['Name', 'not in', 'a', 'b']]],
    ["Name not contains 'x'", [['Name', 'not contains', 'x']]],
    ['EndDate is null', [['EndDate', 'is null']]],
    ['EndDate  is   not null', [['EndDate', 'is not null']]],
    ["'CustomFields.Release Notes' is not null", [['CustomFields.Release Notes', 'is not null']]],
    ["CustomFields.'Release Notes' eq 'x'", [['CustomFields.Release Notes', 'eq', 'x']]],
  ])('%s', (text, rows) => {
    const listed = conditionRows(text)?.map(({ path, operator, values }) => [path, operator, ...values]);
    expect(listed).toEqual(rows);
  });

  it.each([
    'Id eq 1 or Id eq 2',
    'Id eq 1 and (Id eq 2 or Id eq 3)',
    'not (Id eq 1)',
    'Id eq',
    'Id 5',
    "Name equals 'x'",
    "Name eq 'x",
    "Name eq ''",
    "Name in ('', 'x')",
    '(Id eq 1',
    'Id eq 1)',
    'Id in ()',
    'Id in (1',
    'Id eq 1 and',
    'Id eq 1 Id eq 2',
    "'and' and",
    '(',
  ])('is more than rows, or none: %s', (text) => expect(conditionRows(text)).toBeUndefined());
});

describe('the place of the caret', () => {
  it.each([
    ['|', 'path', '', ''],
    ['Na|', 'path', '', 'Na'],
    ['(not (Pro|ject.Id', 'path', '', 'Pro'],
    ["'CustomFields.Release N|otes' eq 1", 'path', '', "'CustomFields.Release N"],
    ['Name |', 'operator', 'Name', ''],
    ['Name not  c|', 'operator', 'Name', 'not  c'],
    ['Name is n|', 'operator', 'Name', 'is n'],
    ['Name is not |', 'operator', 'Name', 'is not '],
    ['Name nothing of |', 'operator', 'Name', 'nothing of '],
    ['Id eq |', 'value', 'Id', ''],
    ["Project.Name eq 'In Pro|gress' and Id eq 1", 'value', 'Project.Name', "'In Pro"],
    ["Project.Name eq 'In Pro|", 'value', 'Project.Name', "'In Pro"],
    ['Id in |', 'opening', 'Id', ''],
    ['Id in (|', 'listValue', 'Id', ''],
    ["Name in ('a', b|", 'listValue', 'Name', 'b'],
    ["Name in ('a' |", 'separator', 'Name', ''],
    ["Name in ('a') |", 'joiner', 'Name', ''],
    ['Id eq 1|', 'value', 'Id', '1'],
    ['Id eq 1 |', 'joiner', 'Id', ''],
    ['(Id eq 1) a|nd', 'joiner', 'Id', 'a'],
    ['Id eq 1 and |', 'path', 'Id', ''],
  ])('%s', (input, wanted, path, typed) => {
    const place = placeAt(input.replace('|', ''), input.indexOf('|'));
    expect({ ...place, path: place.path.join('.') }).toMatchObject({ wanted, path, typed });
  });

  it('lies within the text, whatever that is', () => {
    const piece = fc.constantFrom(
      ...[
        'Id',
        'Name',
        'é',
        '😀',
        ' ',
        '(',
        ')',
        "'",
        '"',
        '\\',
        ' eq ',
        ' not ',
        'in',
        ',',
        'and',
        'is',
        'null',
        '[',
        '1',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(12), (pieces, count) => {
        const text = pieces.join('');
        const caret = pieces.slice(0, count).join('').length;
        const { from, to, typed } = placeAt(text, caret);
        expect(from).toBeLessThanOrEqual(caret);
        expect(to).toBeGreaterThanOrEqual(from + typed.length);
        expect(to).toBeLessThanOrEqual(text.length);
        for (const { values } of conditionRows(text) ?? []) expect(values).not.toContain('');
      }),
    );
  });

  it('goes to the end of what is typed there', () => {
    const ends = (input: string): string => {
      const text = input.replace('|', '');
      const { from, to } = placeAt(text, input.indexOf('|'));
      return text.slice(from, to);
    };
    expect(ends("Name eq 'a|bc' and Id eq 1")).toBe("'abc'");
    expect(ends("Name eq 'a|bc")).toBe("'abc");
    expect(ends('Na|me eq 1')).toBe('Name');
    expect(ends('Id not| in (1)')).toBe('not');
    expect(ends('Id eq 1 |and Id eq 2')).toBe('and');
  });
});
