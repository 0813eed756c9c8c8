import { expect, it } from 'vitest';
import { readableText } from './readable-text.js';

it.each<[string, string, string]>([
  ['plain text', 'a < b & c', 'a < b & c'],
  ['Markdown as it was written', '<!--markdown-->- *a*\n- b', '- *a*\n- b'],
  ['paragraphs', '<p>One</p>\n<p>Two</p>', 'One\n\nTwo'],
  ['blocks in one another', '<div><div>a<br>b</div></div><div>c</div>', 'a\nb\n\nc'],
  ['lists', 'Do:<ul><li>a</li><li><b>b</b></li></ul>', 'Do:\n- a\n- b'],
  ['tables', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
  [
    'named and numbered characters',
    'a&nbsp;&lt;b&gt; &#8364;&#x20ac; &amp;amp; &unknown; &#0;',
    'a <b> €€ &amp; &unknown; &#0;',
  ],
  ['styles, scripts and comments', '<style>p { color: red }</style><script>x()</script><!-- c -->a', 'a'],
  ['what is no tag', 'x\n<https://work.example/a> and List<T>', 'x\n<https://work.example/a> and List<T>'],
  ['what is no tag in HTML', '<p><alice@work.example> wrote<br>&lt;a</p>', '<alice@work.example> wrote\n<a'],
  ['tags that do not end', 'a <b', 'a <b'],
  ['attributes', '<a href="https://work.example/?a=1">here</a>', 'here'],
])('%s', (_, html, text) => expect(readableText(html)).toBe(text));
