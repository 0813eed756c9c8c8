import { describe, expect, it } from 'vitest';
import { choose, parseInclude, spellInclude } from './include-text.js';

describe('the list of include', () => {
  it.each([
    ['[Id,Name]', '[Id,Name]'],
    [' [ Id , Project [ Name , Process[Id] ] ] ', '[Id,Project[Name,Process[Id]]]'],
    ['Id,Name', '[Id,Name]'],
    ['[Tasks[]]', '[Tasks]'],
    ['[]', ''],
    ['', ''],
    ['[Tasks-Count,Bugs-Effort-Sum]', '[Tasks-Count,Bugs-Effort-Sum]'],
    ['[Release Notes]', '[Release Notes]'],
  ])('reads %s', (text, spelled) => expect(spellInclude(parseInclude(text)!)).toBe(spelled));

  it.each([
    '[Id',
    'Id]',
    '[Id,]',
    '[,Id]',
    '[Id[Name]',
    '[[Id]]',
    '[Id]Name',
    '[Id]]',
    '[Id Name][x]',
  ])('does not read %s', (text) => expect(parseInclude(text)).toBeUndefined());

  it.each([
    ['[Id]', ['Name'], true, '[Id,Name]'],
    ['[Id]', ['ID'], true, '[Id]'],
    ['[Id,Name]', ['id'], false, '[Name]'],
    ['[Id]', ['Project', 'Name'], true, '[Id,Project[Name]]'],
    ['[Project]', ['Project', 'Process', 'Name'], true, '[Project[Process[Name]]]'],
    ['[Project[Name,Id]]', ['Project', 'Id'], false, '[Project[Name]]'],
    ['[Project[Name]]', ['Project', 'Name'], false, '[Project]'],
    ['[Project[Name]]', ['Project'], false, ''],
    ['[Id]', ['Project', 'Name'], false, '[Id]'],
  ])('%s with %s chosen: %s', (text, path, isChosen, spelled) => {
    expect(spellInclude(choose(parseInclude(text)!, path, isChosen))).toBe(spelled);
  });
});
