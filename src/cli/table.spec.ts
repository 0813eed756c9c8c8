/** Tables on terminals: as wide as letters are shown, and no wider than there is room. */
import { describe, expect, it } from 'vitest';
import { table } from './table.js';
import { widthOf, widthwise } from './text-width.js';

it.each<[string, number]>([
  ['', 0],
  ['plain', 5],
  ['Übung', 5],
  ['漢字', 4],
  ['ひらカナ한', 10],
  ['ｆｕ', 4],
  ['😀', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['e\u0301', 1],
  ['\u0301', 0],
  ['\ufffd…', 2],
  ['𠀀', 2],
])('%j takes %d columns', (text, width) => expect(widthOf(text)).toBe(width));

it.each([
  ['ab', 4, 'ab  '],
  ['abcdef', 4, 'abc…'],
  ['漢字漢', 4, '漢… '],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['abcd', 4, 'abcd'],
])('%j in %d columns is %j', (text, width, cut) => expect(widthwise(text, width)).toBe(cut));

describe('a table', () => {
  const rows = [
    { id: 1, name: '漢字 of some length', state: 'Open' },
    { id: 12, name: 'plain', state: null },
  ];

  it('has columns that stand below one another, however wide their letters are', () => {
    expect(table(rows).text.split('\n')).toEqual([
      'id  name                 state',
      '1   漢字 of some length  Open',
      '12  plain                -',
    ]);
  });

  it('cuts what is longest where there is too little room', () => {
    expect(table(rows, 24)).toEqual({
      text: 'id  name           state\n1   漢字 of some…  Open\n12  plain          -',
      left: 0,
    });
  });

  it('leaves out columns that would be too narrow, and tells how many', () => {
    const row = Object.fromEntries([...'abcdefghij'].map((name) => [name, name.repeat(20)]));
    const { text, left } = table([row], 30);
    expect(text.split('\n')).toEqual(['a               b', 'aaaaaaaaaaaaa…  bbbbbbbbbbbbb…']);
    expect(left).toBe(8);
  });

  it('is never wider than the terminal but for one column of the least width', () => {
    const cells = ['x', 'xx'.repeat(9), '漢'.repeat(9), '😀'.repeat(30), ''];
    for (let room = 12; room < 120; room++) {
      const rows = [Object.fromEntries(cells.map((cell, at) => [`c${at}`, cell]))];
      for (const line of table(rows, room).text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(room);
    }
  });

  it('without rows is a word', () => expect(table([], 10).text).toBe('There are none.'));
});
