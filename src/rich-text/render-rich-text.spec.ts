/** What rich text becomes before it stands in a page: what is kept, what never gets through, and what is bounded. */
import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../../test/web/hostile-texts.js';
import { escapeHtml } from './escape-html.js';
import { renderRichText } from './render-rich-text.js';
import { shownCharacters } from './shown-text.js';

const html = (text: string): string => renderRichText(text, 'Html');

describe('which text is Markdown', () => {
  it.each([
    ['<!--markdown-->*a*', 'Html', '<p><em>a</em></p>\n'],
    ['<!--markdown-->*a*', 'Markdown', '<p><em>a</em></p>\n'],
    ['*a*', 'Markdown', '<p><em>a</em></p>\n'],
    ['<div>*a*</div>', 'Markdown', '<div>*a*</div>'],
    ['*a*', 'Html', '*a*'],
    [' <!--markdown-->*a*', 'Html', ' *a*'],
    ['<!--Markdown-->*a*', 'Html', '*a*'],
    ['', 'Html', ''],
    ['<!--markdown-->', 'Html', ''],
  ] as const)('%j with %s as the setting', (text, editor, expected) =>
    expect(renderRichText(text, editor)).toBe(expected));
});

describe('what is kept of HTML', () => {
  it.each([
    [
      '<p dir="rtl">a <b>b</b> <i>c</i> <u>d</u> <s>e</s><br>f</p>',
      '<p dir="rtl">a <b>b</b> <i>c</i> <u>d</u> <s>e</s><br />f</p>',
    ],
    ['<ol start="3"><li>a</li><li value="7">b</li></ol>', '<ol start="3"><li>a</li><li value="7">b</li></ol>'],
    [
      '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
      '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    ],
    ['<pre><code class="x">a &lt; b</code></pre>', '<pre><code>a &lt; b</code></pre>'],
    ['1 < 2 & 3 > 2 &copy; &amp;lt;', '1 &lt; 2 &amp; 3 &gt; 2 © &amp;lt;'],
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['<div>a</span></b></section>b</div>c</div>', '<div>ab</div>c'],
    ['<section><article>a</article></section><o:p>b</o:p><font color=red>c</font>', 'abc'],
    ['<div>a\r\n</div>\r\n', '<div>a\r\n</div>\r\n'],
    ['a<!-- b -->c<![CDATA[d]]>e<?php f ?>g<!DOCTYPE h>i', 'acegi'],
    ['naïve 日本語 👩‍💻 العربية', 'naïve 日本語 👩‍💻 العربية'],
  ])('%s', (text, expected) => expect(html(text)).toBe(expected));
});

describe('what is kept of Markdown', () => {
  it.each([
    ['# a\n\n- b\n- c', '<h1>a</h1>\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n'],
    ['a\r\nb', '<p>a\nb</p>\n'],
    ['~~a~~ `<b>`', '<p><s>a</s> <code>&lt;b&gt;</code></p>\n'],
    [
      '|a|\n|-|\n|b|',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n',
    ],
    ['```js\na < b\n```', '<pre><code>a &lt; b\n</code></pre>\n'],
    ['a <b onclick="x()">b</b> <script>c()</script>', '<p>a <b>b</b> </p>\n'],
    ['[a](javascript:b) [c](<java\tscript:d>)', '<p>[a](javascript:b) <a>c</a></p>\n'],
    ['![a](/Attachment.aspx?AttachmentID=7)', '<p><img alt="a" src="/Attachment.aspx?AttachmentID=7" /></p>\n'],
    [
      '<https://example.com/?a=1&b=2>',
      '<p><a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer nofollow">https://example.com/?a=1&amp;b=2</a></p>\n',
    ],
  ])('%j', (text, expected) => expect(renderRichText(text, 'Markdown')).toBe(expected));
});

describe('what is no tag of HTML is text', () => {
  it.each([
    ['<T> is missing in List<T>', '<p>&lt;T&gt; is missing in List&lt;T&gt;</p>\n'],
    ['put <your-token> here', '<p>put &lt;your-token&gt; here</p>\n'],
    ['<alice@example.com> wrote', '<p><a href="mailto:alice@example.com"'],
    ['`List<T>`', '<p><code>List&lt;T&gt;</code></p>\n'],
    ['a<Font color=red>b</Font>', '<p>ab</p>\n'],
  ])('in Markdown: %j', (text, expected) => expect(renderRichText(text, 'Markdown')).toContain(expected));

  it.each([
    ['<https://example.com/a> fails', '&lt;https://example.com/a&gt; fails'],
    ['<p>List<T></p>', '<p>List&lt;T&gt;</p>'],
    ['<p title="<T>">a</p>', '<p title="&lt;T&gt;">a</p>'],
    ['<P>a<o:p>b</o:p><Font color=red>c</Font></P>', '<p>abc</p>'],
    ['<a<b>c</b>', '&lt;a<b>c</b>'],
  ])('in HTML: %j', (text, expected) => expect(html(text)).toBe(expected));
});

describe('links', () => {
  const rel = 'rel="noopener noreferrer nofollow"';

  it.each([
    'http://example.com',
    'HTTPS://example.com/a?b#c',
    'mailto:ada@example.com',
    '/entity/12',
    '/Attachment.aspx?AttachmentID=12',
  ])('to %s stay', (address) =>
    expect(html(`<a href="${address}" target="_blank" rel="opener" ping="/x">a</a>`)).toBe(
      `<a href="${address}" ${rel}>a</a>`,
    ));

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\r\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript&colon;alert(1)',
    '&#106;&#x61;vascript:alert(1)',
    '&#0000106avascript:alert(1)',
    'java&Tab;script&NewLine;:alert(1)',
    'feed:javascript:alert(1)',
    'view-source:javascript:alert(1)',
    'vbscript:msgbox(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'ftp://example.com',
    'tel:1',
    '//example.com',
    '\\\\example.com',
    'https:example.com',
    'https:///example.com',
    'x',
    '#x',
    '?x',
    '',
    '/api/v1/Bugs',
    '/entity/12/../../api',
    '/Attachment.aspx?AttachmentID=1&token=2',
  ])('to %j are words', (address) => expect(html(`<a href="${address}">a</a>`)).toBe('<a>a</a>'));
});

describe('own addresses below a path', () => {
  it.each([
    ['<a href="/entity/5">a</a>', '<a href="/tracker/entity/5" rel="noopener noreferrer nofollow">a</a>'],
    ['<a href="/tracker/entity/5">a</a>', '<a href="/tracker/entity/5" rel="noopener noreferrer nofollow">a</a>'],
    ['<a href="/trackers/entity/5">a</a>', '<a>a</a>'],
    ['<a href="/tracker/api/v1/Bugs">a</a>', '<a>a</a>'],
    ['<img src="/Attachment.aspx?AttachmentID=7">', '<img src="/tracker/Attachment.aspx?AttachmentID=7" />'],
    ['<img src="/tracker/Attachment.aspx?AttachmentID=7">', '<img src="/tracker/Attachment.aspx?AttachmentID=7" />'],
    [
      '<a href="https://example.com/entity/5">a</a>',
      '<a href="https://example.com/entity/5" rel="noopener noreferrer nofollow">a</a>',
    ],
  ])('%s', (text, expected) => expect(renderRichText(text, 'Html', '/tracker')).toBe(expected));
});

describe('pictures', () => {
  it.each([
    ['https://example.com/a.png', 'https://example.com/a.png'],
    ['/attachment.aspx?attachmentid=12', '/attachment.aspx?attachmentid=12'],
    ['data:image/png;base64,iVBO\r\n Rw0K', 'data:image/png;base64,iVBORw0K'],
    ['DATA:image/GIF;base64,R0lG', 'DATA:image/GIF;base64,R0lG'],
    ['data:image/jpeg;base64,/9j/', 'data:image/jpeg;base64,/9j/'],
    ['data:image/webp;base64,UklG+A==', 'data:image/webp;base64,UklG+A=='],
  ])('from %j are shown', (address, expected) =>
    expect(html(`<img src="${address}" alt="a" width="3" srcset="/x 2x" onload="b()">`)).toBe(
      `<img alt="a" width="3" src="${expected}" />`,
    ));

  it.each([
    'x',
    'javascript:alert(1)',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:text/html;base64,PHNjcmlwdD4=',
    'data:image/png,abc',
    'data:image/png;charset=x;base64,abc',
    '/api/v1/Authentication',
    '//example.com/a.png',
    '',
  ])('from %j give way to their words', (address) =>
    expect(html(`a<img src="${address}" alt="&lt;b&gt;" onerror="c()">d`)).toBe('a<span>&lt;b&gt;</span>d'));
});

/** Everything a browser could take for a tag must be one of these, written exactly so. */
const harmless =
  /<(?:\/?(?:a|abbr|b|blockquote|br|caption|cite|code|col|colgroup|dd|del|dfn|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|samp|small|span|strike|strong|sub|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr))(?: (?:alt|dir|lang|title|height|width|rel|(?:href|src)(?==")(?!="\s*(?!https?:\/\/|mailto:|\/entity\/|\/Attachment|data:image\/(?:png|jpeg|gif|webp);)))="[^"<>]*")*(?: \/)?>/gi;

describe('what must never get through', () => {
  it.each(hostileTexts)('%s', (text) => {
    for (const shown of [html(text), html(`<!--markdown-->${text}`), html(`<!--markdown-->a ${text}`)]) {
      expect(shown.replace(harmless, '')).not.toMatch(/[<>]/);
    }
    // What is safe stays as it is, so that nothing can be hidden in a second reading.
    expect(html(html(text))).toBe(html(text));
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](  JaVaScRiPt&colon;alert(1) "b")',
    '[a]: javascript:alert(1)\n\n[a]',
    '![a](javascript:alert(1) "\\" onerror=alert(1)")',
    '![a" onerror="alert(1)](https://x)',
    '<javascript:alert(1)>',
    '[a](<https://x" onclick="alert(1)>)',
    '```"><script>alert(1)</script>\na\n```',
    '`<script>`<script>alert(1)</script>',
    '[<img src=x onerror=alert(1)>](https://x)',
    '| <script> |\n|-|\n| `<script>` |',
  ])('Markdown %j', (text) => expect(html(`<!--markdown-->${text}`).replace(harmless, '')).not.toMatch(/[<>]/));
});

describe('what is too long', () => {
  const end = '<p><em>The rest is not shown: this text is longer than 200,000 characters.</em></p>';
  const source = '<p><em>This text is too long to be shown as it was meant; here is its source.</em></p>';
  const limit = shownCharacters.Html;

  it('is cut, and says so', () => {
    expect(html('a'.repeat(limit))).toBe('a'.repeat(limit));
    expect(html('a'.repeat(limit + 1))).toBe(`${'a'.repeat(limit)}${end}`);
  });

  it('is cut earlier when it is Markdown, which takes longer', () =>
    expect(html(`<!--markdown-->${'a'.repeat(100_001)}`)).toBe(
      `${source}<pre>${'a'.repeat(100_000)}</pre>${end.replace('200,000', '100,000')}`,
    ));

  it.each([
    ['Markdown', `<!--markdown-->${'a'.repeat(10_000)}`, 'b'],
    ['blocks of Markdown', `<!--markdown-->${'>>>>a\n\n'.repeat(227)}`, '- a\n- b'],
    ['cells of tables', `<!--markdown-->${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|\n'.repeat(7)}`, '|\n|\n'],
    ['tags of HTML', '<b></b>'.repeat(2000), '<i>'],
    ['named characters of HTML', '&amp;'.repeat(4000), '&lt;'],
  ])('is shown as its source when it has too many %s', (_, most, more) => {
    expect(html(most)).not.toContain(source);
    expect(html(most + more)).toBe(`${source}<pre>${escapeHtml((most + more).replace('<!--markdown-->', ''))}</pre>`);
  });

  it('is closed where it is cut', () =>
    expect(html(`<b>${'a'.repeat(limit)}<i>`)).toBe(`<b>${'a'.repeat(limit - 3)}</b>${end}`));

  it('loses the tag that the cut goes through', () =>
    expect(html(`${'a'.repeat(limit - 5)}<img src="https://x">`)).toBe(`${'a'.repeat(limit - 5)}${end}`));

  it('never ends in half a character', () =>
    expect(html(`${'a'.repeat(limit - 1)}👍`)).toBe(`${'a'.repeat(limit - 1)}\ufffd${end}`));
});

describe('what is nested', () => {
  it('keeps a hundred levels, and the text of all', () => {
    const shown = html(`${'<div>'.repeat(300)}a${'</div>'.repeat(300)}`);
    expect(shown).toBe(`${'<div>'.repeat(100)}a${'</div>'.repeat(100)}`);
  });

  it('beyond reason is shown as its source', () => {
    const shown = html('<div>'.repeat(2000));
    expect(shown).toContain('nested too deeply');
    expect(shown.replace(harmless, '')).toMatch(/^[^<>]*(&lt;div&gt;){2000}$/);
  });
});

describe('attributes', () => {
  const tag = (name: string, count: number, value = ''): string =>
    `<${name} ${Array.from({ length: count }, (_, n) => `a${n}${value}`).join(' ')}>`;

  it.each([
    ['as many as an editor writes', `${tag('b', 4, '="x"')}x</b>`.repeat(1900), '<b>x</b>'.repeat(1900)],
    ['thousands of one element', `${tag('a', 8000)}x</a>`, '<a>x</a>'],
  ])('are left out: %s', (_, text, expected) => expect(html(text)).toBe(expected));

  it.each([
    ['of one element', `${tag('a', 25_000)}x</a>`],
    ['between slashes', tag('img', 25_000).replaceAll(' ', '/').replace('/', ' ')],
    ['of elements that go', tag('script', 8001)],
    ['of many elements', `${tag('i', 20)}x</i>`.repeat(1000)],
  ])('beyond reason are shown as their source: %s', (_, text) => {
    const shown = html(text);
    expect(shown).toContain('too long to be shown as it was meant');
    expect(shown.replace(harmless, '')).not.toMatch(/[<>]/);
  });
});

/** A limit that is lost shows as a run of minutes, which the runner's own limit ends. */
describe('a text made to take long is answered like any other', () => {
  const size = 1024 * 1024;
  const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

  it.each([
    '<div>',
    '<b></i>',
    '<p><b><i>',
    '<table><tr><td>',
    '<ul><li>',
    '<math><mi>',
    '<svg>',
    '<a href="https://x">',
    '<noscript>',
    '<iframe>',
    '<textarea></textarea/>',
    '<',
    '</div>',
    '<!--',
    '<![CDATA[',
    '<?',
    '&amp',
    '&#',
    '<a ',
    '<img src=x>',
  ])('HTML of %s', (piece) => expect(html(fill(piece)).length).toBeLessThan(8 * size));

  it('HTML that opens first and closes something else', () => {
    const text = `${'<b>'.repeat(999)}${'</i>'.repeat(3000)}`;
    expect(html(text)).toBe(`${'<b>'.repeat(100)}${'</b>'.repeat(100)}`);
  });

  it.each([
    '[',
    '![',
    '[a](',
    '[a]:',
    '[\n',
    '[a][',
    '`',
    '`a``',
    '*',
    '**a *b ',
    'a**b_c ',
    '_a__',
    '~~a~ ',
    '>',
    '> - 1. ',
    '- ',
    '* a\nb\n',
    '|a|b\n|-|-\n',
    '<a ',
    'a <!-',
    'a <?',
    '<http:a',
    '\\',
    'a\n',
    'a\n---\n',
    '&',
    '\t',
    '```\n',
    '<div>\n\n',
  ])('Markdown of %j', (piece) => expect(html(`<!--markdown-->${fill(piece)}`).length).toBeLessThan(12 * size));

  it.each([
    [
      'a list in a list in a list',
      Array.from({ length: 2000 }, (_, level) => `${' '.repeat(2 * level)}- a`).join('\n'),
    ],
    ['a quote that lazy lines go on with', `${'>'.repeat(1000)}a\n${'b\n'.repeat(100_000)}`],
    ['runs of back ticks of every length', Array.from({ length: 2000 }, (_, count) => '`'.repeat(count)).join(' ')],
    ['a table of many columns', `${'|a'.repeat(500)}\n${'|-'.repeat(500)}\n${'|a\n'.repeat(100_000)}`],
    ['many references to one address', `[a]: https://x\n\n${'[a]'.repeat(100_000)}`],
    ['emphasis opened and closed far away', `${'*a '.repeat(50_000)}${' a*'.repeat(50_000)}`],
  ])('Markdown with %s', (_, text) => expect(html(`<!--markdown-->${text}`).length).toBeLessThan(12 * size));
});
