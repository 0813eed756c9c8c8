import { describe, expect, it } from 'vitest';
import { databasePattern, marked } from './marks.js';
import { parseSearch } from './search-text.js';

describe('marked', () => {
  it.each([
    ['log in', 'Log in by mail', '<mark>Log</mark> <mark>in</mark> by mail'],
    ['"log in"', 'Log – in by <b>', '<mark>Log – in</mark> by &lt;b&gt;'],
    ['log*', 'logs, blog', '<mark>logs</mark>, blog'],
    ['in -log', 'log in', 'log <mark>in</mark>'],
    ['q', 'q\u0303 q', 'q\u0303 <mark>q</mark>'],
    ['b', 'q\u0303b -\u0303b', 'q\u0303b -\u0303<mark>b</mark>'],
    ['q\u0303*', 'q\u0303b\u0302c q', '<mark>q\u0303b\u0302c</mark> q'],
    ['"a b"', 'a\u20dd b a\u0338 b', '<mark>a\u20dd b</mark> a\u0338 b'],
    ['测试', '去测-试c', '去<mark>测-试</mark>c'],
    ['测*', undefined, undefined],
    ['c测', 'c测c c测', '<mark>c测</mark>c <mark>c测</mark>'],
    ['ที', 'ที่ ที', 'ที่ <mark>ที</mark>'],
    ['e\u0301', 'x é', 'x <mark>é</mark>'],
    ['mail', 'e\u00admail ma\u00adil', 'e\u00admail <mark>ma\u00adil</mark>'],
    ['istanbul', 'İSTANBUL i\u0307stanbul', '<mark>İSTANBUL</mark> <mark>i\u0307stanbul</mark>'],
    ['nothing', 'else', undefined],
  ])('%j in %j is %j', (q, text, expected) => {
    if (text === undefined) expect(() => parseSearch(q)).toThrow(/before a star/);
    else expect(marked(text, parseSearch(q))).toBe(expected);
  });

  it('finds a word behind many marks', () => {
    const text = `${'q\u0303'.repeat(200)} ${'\u0303'.repeat(400)}q`;
    expect(marked(text, parseSearch('q'))).toBe(`${text.slice(0, -1)}<mark>q</mark>`);
  });
});

it('a pattern for the database has no words that are left out', () => {
  const pattern = databasePattern(parseSearch('one -two "three four" 测试'));
  expect(pattern).toContain('one');
  expect(pattern).toContain('three');
  expect(pattern).toContain('测');
  expect(pattern).not.toContain('two');
});
