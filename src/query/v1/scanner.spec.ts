import { describe, expect, it } from 'vitest';
import { ApiError } from '../../errors.js';
import { limits } from '../limits.js';
import { Scanner, scanBracketed, scanList, scanName, scanPath, scanValue } from './scanner.js';

const scan = (text: string) => new Scanner('where', text);

describe('quoted texts', () => {
  it.each([
    ["'x'", 'x'],
    ['"x"', 'x'],
    ["''", ''],
    ["''''", "'"],
    ["'it\\'s'", "it's"],
    ["'it''s'", "it's"],
    ["'\\''", "'"],
    ['"a""b"', 'a"b'],
    ['\'a""b\'', 'a""b'],
    ["'a\\\"b'", 'a"b'],
    ["'C:\\\\temp'", 'C:\\temp'],
    ["'C:\\temp\\u0000'", 'C:\\temp\\u0000'],
    ["'\\\\'", '\\'],
    ["'\u202ez\u0301\u{1f600}'", '\u202ez\u0301\u{1f600}'],
  ])('%s is read as %s', (text, expected) => expect(scan(text).quoted()).toBe(expected));

  it.each([
    ["'abc", 4],
    ["'", 1],
    ["'\\'", 3],
    ["'a''", 4],
    [`'${'\u{1f600}'.repeat(3)}`, 4],
  ])('%s lacks its closing quote, missed at %d', (text, at) =>
    expect(() => scan(text).quoted()).toThrow(`where: expected a closing ' at ${at}, found the end.`));

  it('are none where there is no quote', () => expect(scan('x').quoted()).toBeUndefined());
});

describe('values', () => {
  it.each([
    ['-5', '-5'],
    ['+1.5e-3 ', '+1.5e-3'],
    ['@Today)', '@Today'],
    ['Today-7,', 'Today-7'],
    ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00Z'],
    ['24-Oct-2015', '24-Oct-2015'],
    ['١٢', '١٢'],
  ])('%s is read as %s', (text, expected) => expect(scanValue(scan(text))).toEqual({ text: expected, place: 0 }));

  it('may be quoted', () => expect(scanValue(scan("  'null'"))).toEqual({ text: 'null', place: 0 }));

  it.each([
    ['', 0, 'the end'],
    [' ) ', 1, '")"'],
    [' ;drop', 1, '";"'],
    ['\u{1f600}', 0, '"\u{1f600}"'],
  ])('"%s" is none', (text, at, actual) =>
    expect(() => scanValue(scan(text))).toThrow(`where: expected a value at ${at}, found ${actual}.`));
});

describe('paths', () => {
  it.each([
    ['Id', ['Id']],
    ['Assignable.EntityType.Name', ['Assignable', 'EntityType', 'Name']],
    ['Tasks-Count', ['Tasks-Count']],
    ['Größe.名前', ['Größe', '名前']],
    ["'Project.Name'", ['Project', 'Name']],
    ["'CustomFields.Release Notes'", ['CustomFields', 'Release Notes']],
    ["'customfields.Serial No. (old)'", ['customfields', 'Serial No. (old)']],
    ["'CustomFields.Customer\\'s'", ['CustomFields', "Customer's"]],
    ["CustomFields.'Release Notes'", ['CustomFields', 'Release Notes']],
    ['CustomFields."v1.2"', ['CustomFields', 'v1.2']],
    ['"CustomFields"."x"', ['CustomFields', 'x']],
    ['CustomFields.Browser.Version', ['CustomFields', 'Browser.Version']],
    ["'Feature.CustomFields.a.b'", ['Feature', 'CustomFields', 'a.b']],
    ["'CustomFields.1.2.3.4.5.6.7.8.9.10.11'", ['CustomFields', '1.2.3.4.5.6.7.8.9.10.11']],
    ['CustomFields', ['CustomFields']],
    ['__proto__.constructor', ['__proto__', 'constructor']],
  ])('%s has the names %j', (text, names) => expect(scanPath(scan(` ${text} eq`))).toEqual(names));

  it.each([
    ['', 0, 'the end'],
    ['.Name', 0, '".Name"'],
    ['Project..Name', 8, '".Name"'],
    ['Project.', 8, 'the end'],
    ['Project. Name', 8, '" "'],
    ['....', 0, '"...."'],
    ["''", 0, '"\'\'"'],
    ["'Project..Name'", 0, '"Project..Name"'],
    ["'CustomFields.'", 0, '"CustomFields."'],
    ["CustomFields.' '", 0, '"\'\'"'],
    ['*', 0, '"*"'],
  ])('"%s" is none', (text, at, actual) =>
    expect(() => scanPath(scan(text))).toThrow(`where: expected a field name at ${at}, found ${actual}.`));

  it('have a limit of names', () => {
    const path = (names: number) => Array(names).fill('Project').join('.');
    expect(scanPath(scan(path(limits.depth)))).toHaveLength(limits.depth);
    for (const text of [path(limits.depth + 1), path(100_000), `'${path(500)}'`]) {
      expect(() => scanPath(scan(text))).toThrow('where: too many levels of names; at most 10 are allowed.');
    }
  });
});

describe('lists', () => {
  const names = (text: string) => {
    const scanner = scan(text);
    return scanList(scanner, () => scanName(scanner));
  };

  it.each([
    ['[]', []],
    [' [ ] ', []],
    ['a', ['a']],
    ['a , b', ['a', 'b']],
    [" [ a,b ,'c d' ] ", ['a', 'b', 'c d']],
  ])('%s is %j', (text, expected) => expect(names(text)).toEqual(expected));

  it.each([
    ['', 'a field name at 0, found the end'],
    ['a,', 'a field name at 2, found the end'],
    ['[a,]', 'a field name at 3, found "]"'],
    ['[,a]', 'a field name at 1, found ","'],
    ['[a', "',' or ']' at 2, found the end"],
    ['[a b]', "',' or ']' at 3, found \"b\""],
    ['a]', '\',\' or the end at 1, found "]"'],
    ['[a]]', 'the end at 3, found "]"'],
    ['[a],b', 'the end at 3, found ","'],
    ['[', 'a field name at 1, found the end'],
  ])('"%s" is none', (text, complaint) => expect(() => names(text)).toThrow(`where: expected ${complaint}.`));

  it('hold names of custom fields with white space', () => {
    const scanner = scan('Release Notes , x]');
    expect(scanBracketed(scanner, () => scanName(scanner, true))).toEqual(['Release Notes', 'x']);
  });
});

describe('words', () => {
  it('are whole and in any letter case', () => {
    expect(scan(' AND(').takeWord('and')).toBe(true);
    expect(scan('android').takeWord('and')).toBe(false);
    expect(scan('and-x').takeWord('and')).toBe(false);
  });

  it('that are not found are not consumed', () => {
    const scanner = scan('not x');
    expect(scanner.takeCall('not')).toBe(false);
    expect(scanner.takeFrom(new Map([['or', 1]]))).toBeUndefined();
    expect(scanner.takeFrom(new Map([['not', 1]]))).toBe(1);
  });

  it('are not looked up among the members of objects', () =>
    expect(scan('constructor').takeFrom(new Map([['eq', 1]]))).toBeUndefined());
});

describe('characters', () => {
  it('are counted, not code units', () => {
    const scanner = scan("'\u{1f600}\u{1f600}' 'x\u{1f600}' y");
    expect([scanner.here(), scanner.quoted()]).toEqual([0, '\u{1f600}\u{1f600}']);
    expect([scanner.here(), scanner.quoted()]).toEqual([7, 'x\u{1f600}']);
    expect(() => scanner.end('the end')).toThrow('expected the end at 10, found "y"');
  });

  it('exclude NUL', () => expect(() => scan("'\0'")).toThrow('where: the character NUL is not allowed.'));

  it.each(['\ud800', '\udc00', "'\ud83d'"])('exclude lone surrogates', (text) =>
    expect(() => scan(text)).toThrow(ApiError));
});
