import { describe, expect, it } from 'vitest';
import { encoded, isElsewhere, parseQuery, spellQuery } from './query-text.js';

describe('a query as text', () => {
  it.each([
    ['UserStories'],
    ['UserStories/12/Tasks?take=5'],
    [
      "UserStories?where=(Effort+gt+3)+and+(Name+contains+'a')&include=[Id,Project[Name]]&append=[Tasks-Count]&format=json",
    ],
    ['Bugs?orderByDesc=CreateDate&format=xml&take=25&skip=50'],
    ["Bugs?where=Name+eq+'50%25+of+A%26B+%2B+%23'"],
    ['Bugs?where=Tags+contains+%22%E2%80%A8%22'],
    ["Bugs?where=Name+eq+'Ünï 要'".replaceAll(' ', '+')],
    ['Bugs?take=5&innertoo=1&take=6'],
  ])('is the same after being read: %s', (text) => {
    expect(spellQuery(parseQuery(text))).toBe(text);
  });

  it.each([
    ['https://example.com/tracker/api/v1/Bugs/?Take=5', 'Bugs?take=5'],
    ['/api/v1/bugs?WHERE=Id%20eq%201', 'bugs?where=Id+eq+1'],
    [' Bugs?include=%5BId%2CName%5D&take=&skip=0 ', 'Bugs?include=[Id,Name]&skip=0'],
    ['Bugs#there', 'Bugs'],
    ["Bugs?where=Name contains 'C#'&take=2", "Bugs?where=Name+contains+'C%23'&take=2"],
    ['/api/v2/UserStory?filter=id==1', '/api/v2/UserStory?filter=id==1'],
    ['http://example.com/api/v2/Bug?take=1&filter=true', 'http://example.com/api/v2/Bug?take=1&filter=true'],
    ['Bugs?take=1&where=Id gt 1', 'Bugs?where=Id+gt+1&take=1'],
    ['Bugs?where=100%', 'Bugs?where=100%25'],
    ['', ''],
    ['?take=5', '?take=5'],
    ['Bugs?x={}|"<>', 'Bugs?x=%7B%7D%7C%22%3C%3E'],
  ])('is brought to one form: %s', (input, text) => {
    expect(spellQuery(parseQuery(input))).toBe(text);
  });

  it.each([
    ['http://127.0.0.1:3000/api/v2/UserStory?select={id}', true],
    ['/api/v2/UserStory', true],
    ['127.0.0.1:3000/tracker/api/v2/UserStory', true],
    ['/v2/UserStory', true],
    ['https://example.com/elsewhere', true],
    ['https://example.com/tracker/api/v1/Bugs', false],
    ['Bugs', false],
    ['v2s', false],
  ])('tells that version 1 does not have it: %s', (input, expected) => {
    expect(isElsewhere(parseQuery(input).path)).toBe(expected);
  });

  it('never holds who asks', () => {
    expect(spellQuery(parseQuery('Bugs?token=secret&Access_Token=secret&take=1'))).toBe('Bugs?take=1');
  });

  it('comes back whole from an address it is a part of', () => {
    const text = "Bugs?where=Name+eq+'a+b%26c'&include=[Id,Name]&x=\ud800 é";
    const address = new URL(`https://example.com/query?q=${encoded(text)}`);
    expect(address.searchParams.get('q')).toBe(text.toWellFormed());
    expect(address.hash).toBe('');
  });
});
