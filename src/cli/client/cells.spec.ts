import { expect, it } from 'vitest';
import { cellsOf, filledCells, rowsOf } from './cells.js';

const customFields = [
  { Name: 'Risk', Type: 'DropDown', Value: 'High' },
  { Name: 'News', Type: 'RichText', Value: '<p>a</p><p>b</p>' },
];
const links = [
  { Name: 'A', Type: 'URL', Value: { Url: 'u', Label: 'l' } },
  { Name: 'E', Type: 'Entity', Value: { Id: 5, Kind: 'Bug', Name: 'x' } },
];
const yuki = { ResourceType: 'GeneralUser', Id: 27, FirstName: 'Y', FullName: 'Yuki' };
const alpha = { ResourceType: 'TeamAssignment', Id: 654, Team: { Id: 3, Name: 'Alpha' } };
const highlights = [
  { Field: 'Name', Html: '<mark>Red</mark> apples' },
  { Field: 'Description', Html: 'a &amp; <mark>b</mark>' },
];

it.each<[string, object, object]>([
  ['texts and numbers', { Id: 5, Name: 'a' }, { Id: 5, Name: 'a' }],
  ['no types', { ResourceType: 'Bug', resourceType: 'Bug', Id: 5 }, { Id: 5 }],
  ['names of references', { Project: { ResourceType: 'Project', Id: 8, Name: 'Mobile' } }, { Project: 'Mobile' }],
  ['people by their full names', { Owner: { Id: 3, FirstName: 'A', FullName: 'A B' } }, { Owner: 'A B' }],
  ['ids of what has no name', { Team: { Id: 8 } }, { Team: 8 }],
  ['how many are in a collection', { Tasks: { Items: [1, 2] }, list: ['a'] }, { Tasks: '[2]', list: '[1]' }],
  ['dates', { D: '/Date(1792838550000+0000)/' }, { D: '2026-10-24 10:42' }],
  ['dates east of Greenwich', { D: '/Date(1777586400000+0200)/' }, { D: '2026-05-01 00:00' }],
  ['dates west of it', { D: '/Date(1777606200000-0330)/' }, { D: '2026-05-01 00:00' }],
  ['descriptions as they are read', { Description: '<p>a &amp; b</p><p>c</p>' }, { Description: 'a & b c' }],
  ['names as they are', { Name: '<p>a</p>' }, { Name: '<p>a</p>' }],
  ['the beginning of long texts', { D: 'x'.repeat(100) }, { D: `${'x'.repeat(60)}…` }],
  [
    'custom fields by name',
    { CustomFields: customFields },
    { 'CustomFields.Risk': 'High', 'CustomFields.News': 'a b' },
  ],
  [
    'those of version 2',
    { customValues: { customFields: [{ name: 'Due', type: 'Date', value: '/Date(1777586400000+0200)/' }] } },
    { 'customValues.Due': '2026-05-01 00:00' },
  ],
  [
    'addresses and entities of custom fields',
    { CustomFields: links },
    { 'CustomFields.A': 'u', 'CustomFields.E': 'x' },
  ],
  ['who is assigned', { AssignedUser: { Items: [yuki, { FullName: 'Liam' }] } }, { AssignedUser: 'Yuki, Liam' }],
  [
    'who is assigned, by assignments',
    { Assignments: { Items: [{ ResourceType: 'Assignment', Id: 5, GeneralUser: yuki, Role: { Name: 'QA' } }] } },
    { Assignments: 'Yuki' },
  ],
  ['teams of assignments', { ResponsibleTeam: alpha, teams: [alpha] }, { ResponsibleTeam: 'Alpha', teams: 'Alpha' }],
  [
    'how many times there are, not whose',
    { Times: { Items: [{ ResourceType: 'Time', User: yuki }] } },
    { Times: '[1]' },
  ],
  ['what a search finds', { Found: { Rank: 0.5, Highlights: { Items: highlights } } }, { Found: 'Red apples … a & b' }],
  ['other objects as JSON', { custom: { url: 'u' } }, { custom: '{"url":"u"}' }],
])('%s', (_, item, cells) => expect(cellsOf(item as Record<string, unknown>)).toEqual(cells));

it('leaves out what is empty', () => expect(filledCells({ Id: 5, Name: '', Build: null })).toEqual({ Id: 5 }));

it('gives all rows the same columns', () =>
  expect(rowsOf([{ a: 1 }, { b: 2 }, 'x'])).toEqual([
    { a: 1, b: null, value: null },
    { a: null, b: 2, value: null },
    { a: null, b: null, value: 'x' },
  ]));
