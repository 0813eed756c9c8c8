import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlLine, shellQuote } from './shell-quote.js';

describe('a word for a shell', () => {
  it.each([
    ['plain', 'plain'],
    ['https://a.b/c?d', "'https://a.b/c?d'"],
    ["it's", "'it'\\''s'"],
    ['', "''"],
    ['-rf', '-rf'],
  ])('%s', (word, quoted) => expect(shellQuote(word)).toBe(quoted));

  it.each([
    "a'b''c",
    '$HOME `id` $(id) "x" \\ ! # ~ * ? [a] {b,c} & | ; < > ( )',
    'line\nbreak\ttab',
    "http://h/api/v1/Bugs?where=Name+eq+'it\\'s'&include=[Id]",
    '\\',
    "'",
  ])('reaches the program as it was: %s', (word) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(word)}`], { encoding: 'utf8' })).toBe(word);
  });
});

describe('a line for curl', () => {
  it('names the login, or an access token kept in a variable', () => {
    expect(curlLine("http://h/api/v1/Bugs?where=Name+eq+'x'", { login: 'o hara' })).toBe(
      "curl -g -u 'o hara' 'http://h/api/v1/Bugs?where=Name+eq+'\\''x'\\'''",
    );
    expect(curlLine('http://h/api/v1/Bugs', { token: '$TOKEN' })).toBe(
      'curl -g --header "Authorization: Bearer $TOKEN" http://h/api/v1/Bugs',
    );
  });

  it('says letters of other scripts as programs can send them', () => {
    expect(curlLine("http://h/api/v1/Bugs?where=Name+eq+'ü €'", { login: 'a' })).toBe(
      "curl -g -u a 'http://h/api/v1/Bugs?where=Name+eq+'\\''%C3%BC %E2%82%AC'\\'''",
    );
  });
});
