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
  ['comments that hold tags', 'a<!--[if gte mso 9]><xml><w:View>Normal</w:View></xml><![endif]-->b', 'ab'],
  ['pictures', 'a<svg viewBox="0 0 9 9"><title>t</title><path d="M10 20z"/></svg>b<svg/>c', 'abc'],
  ['formulas', 'a<math><mrow><mi>x</mi></mrow></math>b', 'ab'],
  ['what does not end', 'a<svg><path d="M10"/>', 'a'],
  [
    'wraps of what was copied',
    '<google-sheets-html-origin><u1:p></u1:p>a <st2:place>b</st2:place><w14:shadow/></google-sheets-html-origin>',
    'a b',
  ],
  ['elements of XML', '<p>a</p><ns2:Order> is missing', 'a\n<ns2:Order> is missing'],
  ['what is no tag', 'x\n<https://work.example/a> and List<T>', 'x\n<https://work.example/a> and List<T>'],
  ['what is no tag in HTML', '<p><alice@work.example> wrote<br>&lt;a</p>', '<alice@work.example> wrote\n<a'],
  ['tags that do not end', 'a <b', 'a <b'],
  ['attributes', '<a href="https://work.example/?a=1">here</a>', 'here'],
])('%s', (_, html, text) => expect(readableText(html)).toBe(text));
