import { describe, expect, it } from 'vitest';
import { cellOf, columnsOf, itemsOf, momentOf } from './answer-table.js';

describe('an answer as a table', () => {
  it('has a row an item, or one for the entity asked for', () => {
    expect(itemsOf({ Items: [{ Id: 1 }, { Id: 2 }] })).toHaveLength(2);
    expect(itemsOf({ ResourceType: 'Bug', Id: 1 })).toEqual([{ ResourceType: 'Bug', Id: 1 }]);
    expect(itemsOf('text')).toEqual([]);
    expect(
      columnsOf([
        { ResourceType: 'Bug', Id: 1 },
        { Id: 2, Name: 'a' },
      ]),
    ).toEqual(['Id', 'Name']);
  });

  it.each([
    ['/Date(1784039038000+0000)/', '2026-07-14 14:23'],
    ['/Date(1784039038000+0200)/', '2026-07-14 16:23'],
    ['/Date(1784039038000-0730)/', '2026-07-14 06:53'],
    ['/Date(1767225600000+0000)/', '2026-01-01'],
    ['/Date(-86400000)/', '1969-12-31'],
    ['/Date(99999999999999999)/', undefined],
    ['/Date(1)/ and more', undefined],
  ])('tells %s in its own zone', (input, shown) => expect(momentOf(input)).toBe(shown));

  const state = { ResourceType: 'EntityState', Id: 5, Name: 'Done', NumericPriority: 1 };
  const user = {
    ResourceType: 'User',
    Id: 7,
    Kind: 'User',
    FirstName: 'A',
    LastName: 'B',
    Login: 'a',
    FullName: 'A B',
  };

  it.each([
    [null, { kind: 'none' }],
    ['', { kind: 'none' }],
    [3.5, { kind: 'number', text: '3.5' }],
    [true, { kind: 'text', text: 'true' }],
    ['<div>a</div>', { kind: 'text', text: '<div>a</div>' }],
    ['a < b', { kind: 'text', text: 'a < b' }],
    [state, { kind: 'entity', id: 5, type: 'EntityState', text: 'Done' }],
    [user, { kind: 'entity', id: 7, type: 'User', text: 'A B' }],
    [
      { ResourceType: 'TeamAssignment', Id: 9 },
      { kind: 'entity', id: 9, type: 'TeamAssignment', text: 'TeamAssignment 9' },
    ],
    [
      { ResourceType: 'Assignment', Id: 9, Role: state },
      { kind: 'entity', id: 9, type: 'Assignment', text: 'Done' },
    ],
    [
      { Items: [state], Next: 'x' },
      { kind: 'list', count: 1, isCut: true, items: [cellOf(state)] },
    ],
    [{ Items: [] }, { kind: 'list', count: 0, isCut: false, items: [] }],
    [
      [
        { Name: 'Risk', Type: 'DropDown', Value: 'High' },
        { Name: 'Cost', Type: 'Money', Value: null },
      ],
      { kind: 'fields', items: [['Risk', { kind: 'text', text: 'High' }]] },
    ],
    [[], { kind: 'none' }],
    [
      { ResourceType: 'UserStory', Id: 2, Name: 'a', Feature: state },
      {
        kind: 'fields',
        items: [
          ['', { kind: 'entity', id: 2, type: 'UserStory', text: 'a' }],
          ['Feature', cellOf(state)],
        ],
      },
    ],
  ])('shows %j', (value, cell) => expect(cellOf(value)).toEqual(cell));

  it('takes the tags out of rich text alone', () => {
    const isRich = (name: string) => name === 'Description';
    const text = '<!--markdown--><div>a &lt; <b>b</b>&amp;lt; 1 < 2</div>';
    const shown = { kind: 'text', text: 'a < b &lt; 1 < 2' };
    expect(cellOf(text, 'Description', isRich)).toEqual(shown);
    expect(cellOf(text, 'Name', isRich)).toEqual({ kind: 'text', text });
    expect(cellOf({ ResourceType: 'Bug', Id: 1, Name: '<b>', Description: text }, 'Bug', isRich)).toMatchObject({
      items: [
        ['', { text: '<b>' }],
        ['Description', shown],
      ],
    });
    const custom = [
      { Name: 'Notes', Type: 'RichText', Value: text },
      { Name: 'Plain', Type: 'Text', Value: '<b>' },
    ];
    expect(cellOf(custom)).toMatchObject({
      items: [
        ['Notes', shown],
        ['Plain', { text: '<b>' }],
      ],
    });
  });
});
