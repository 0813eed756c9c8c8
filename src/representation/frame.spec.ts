import { describe, expect, it } from 'vitest';
import { frameJson, xmlFrame } from './frame.js';
import { escapeXml } from './xml.js';

describe('frameJson', () => {
  it.each([
    ['', {}, '{"Items":[]}'],
    ['{"Id":1},{"Id":2}', {}, '{"Items":[{"Id":1},{"Id":2}]}'],
    ['{}', { next: 'http://h/?a=%22b%22' }, '{"Next":"http://h/?a=%22b%22","Items":[{}]}'],
    ['{}', { next: 'n', prev: 'p' }, '{"Prev":"p","Next":"n","Items":[{}]}'],
  ])('row %#', (items, links, expected) => expect(frameJson(items, links)).toBe(expected));
});

describe('xmlFrame', () => {
  it.each([
    ['', {}, '<Bugs />'],
    ['<Bug Id="1" />', {}, '<Bugs>\n  <Bug Id="1" />\n</Bugs>'],
    ['', { prev: 'p?a=1&b="2"' }, '<Bugs Prev="p?a=1&amp;b=&quot;2&quot;" />'],
  ])('row %#', (items, links, expected) => {
    const { head, tail } = xmlFrame('Bugs', items === '', links);
    expect(head + items + tail).toBe(expected);
  });
});

it('escapes what would end an attribute or be lost in one', () => {
  expect(escapeXml(`<a b="c">&\r\n\t'`)).toBe("&lt;a b=&quot;c&quot;&gt;&amp;&#13;&#10;&#9;'");
});
