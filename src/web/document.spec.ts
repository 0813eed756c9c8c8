/** What becomes of Markdown when it is a page of documentation. */
import { describe, expect, it } from 'vitest';
import { renderDocument } from './document.js';

const render = (text: string, addresses: Record<string, string> = {}) =>
  renderDocument(text, { ofLink: (href) => addresses[href], ofPicture: (src) => addresses[src] });
const html = (text: string, addresses?: Record<string, string>): string => render(text, addresses).content.text;

describe('headings', () => {
  it.each([
    ['## Several processes', 'several-processes'],
    ['### where', 'where'],
    ['## 1. Addresses', '1-addresses'],
    ['## The start, and several processes', 'the-start-and-several-processes'],
    ['## `take` & *skip*', 'take--skip'],
    ['## Größe – ja', 'größe--ja'],
    ['## Content', 'content-1'],
  ])('%s is the place %s', (text, id) => expect(html(text)).toContain(` id="${id}"`));

  it('of one name are told apart', () =>
    expect(html('# A\n\n## B\n\n## B\n\n## B-1')).toBe(
      '<h1 id="a">A</h1>\n<h2 id="b">B</h2>\n<h2 id="b-1">B</h2>\n<h2 id="b-1-1">B-1</h2>\n',
    ));

  it('of the second level are the contents', () =>
    expect(render('# A\n\n## `B` <c>\n\n### D').sections).toEqual([{ id: 'b-c', words: 'B <c>' }]));
});

it('pictures are shown, and their words where they are not served', () => {
  expect(html('![b <c> *d*](e.png "t")\n\n![f <g>](h.png)', { 'e.png': '/e?x&y' })).toBe(
    '<p><img src="/e?x&amp;y" alt="b &lt;c&gt; d" loading="lazy"></p>\n<p>f &lt;g&gt;</p>\n',
  );
});

describe('links', () => {
  it('lead where they are told to, or nowhere', () =>
    expect(html('[a *b*](c.md) [d](e.md) [f](c.md)', { 'c.md': '/c?x&y' })).toBe(
      '<p><a href="/c?x&amp;y">a <em>b</em></a> d <a href="/c?x&amp;y">f</a></p>\n',
    ));

  it('never run anything', () => expect(html('[a](javascript:b)', { 'javascript:b': 'x' })).not.toContain('href'));
});

describe('what is too wide', () => {
  it('scrolls by itself, under a name, without styles of its own', () =>
    expect(html('## "A"\n\n|  | B |\n|---|--:|\n| c | 1 |')).toContain(
      '<div class="scrolled" role="group" tabindex="0" aria-label="Table: &quot;A&quot;">\n<table>\n<thead>\n' +
        '<tr>\n<td></td>\n<th class="end">B</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td class="end">1</td>\n',
    ));

  it('is broken where no desk would show its lines', () => {
    expect(html('```\na < b\n```')).toBe(
      '<pre role="group" tabindex="0" aria-label="Example"><code>a &lt; b\n</code></pre>\n',
    );
    expect(html(`\`\`\`json\n${'a'.repeat(111)}\n\`\`\``)).toContain('<pre class="broken"><code>aaa');
  });
});

it('is text where it is no Markdown', () => {
  expect(html('<script>a</script>')).toBe('<p>&lt;script&gt;a&lt;/script&gt;</p>\n');
});
