/** Rich text as people read it where there is no browser: Markdown as it was written, HTML without its tags. */
import { withoutFalseTags } from '../../texts/html-tags.js';

const mark = '<!--markdown-->';

/** What begins and does not end goes on to the end of the text, as in a browser. */
const unseen = /<!--.*?(?:-->|$)|<(style|script|svg|math)\b[^<>]*(?<!\/)>.*?(?:<\/\1\s*>|$)/gis;

/** Not fit to stand in a page: what was escaped is not so any more. */
export function readableText(text: string): string {
  if (text.startsWith(mark)) return text.slice(mark.length).trim();
  const html = withoutFalseTags(text);
  if (!/<[a-z!/][^<>]*>/i.test(html) && !/&#?\w{1,31};/.test(text)) return text.trim();
  return html
    .replace(unseen, '')
    .replace(/\s+/g, ' ')
    .replace(/<li\b[^<>]*>/gi, '\n- ')
    .replace(/<\/?(?:address|article|blockquote|br|d[dlt]|div|h[1-6]|hr|ol|p|pre|section|table|tr|ul)\b[^<>]*>/gi, '\n')
    .replace(/<\/t[dh]\s*>/gi, ' ')
    .replace(/<[a-z!/][^<>]*>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,31}));/gi, character)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}(?=- )|\n{3,}/g, (lines) => (lines.length > 2 ? '\n\n' : '\n'))
    .trim();
}

const names: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  copy: '©',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  szlig: 'ß',
});

/** What is not known stays as it was written. */
function character(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return names[name] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
}
