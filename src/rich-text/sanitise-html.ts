/**
 * Lets through what texts are formatted with and nothing else: no scripts, styles, forms, frames, names or foreign
 * content. What is no tag of HTML is text.
 */
import sanitizeHtml from 'sanitize-html';
import { withoutFalseTags } from '../texts/html-tags.js';
import { safeImage, safeLink } from './safe-address.js';
import { TooMuch } from './too-much.js';

/** Thrown for HTML with more elements inside one another than any editor makes. */
export class TooDeep extends Error {}

export function sanitiseHtml(html: string, root: string): string {
  if (hasMore(html, mostMarks)) throw new TooMuch();
  return sanitizeHtml(withoutFalseTags(html), { ...policy, transformTags: addressesBelow(root), ...guards() });
}

/** Beginnings of tags and of named characters, which are what takes time. Nobody formats a text with so many. */
const mostMarks = 4000;

function hasMore(html: string, most: number): boolean {
  const marks = /[<&]/g;
  let count = 0;
  while (count <= most && marks.test(html)) count += 1;
  return count > most;
}

/** Whether one may stay takes several times as long as reading it. Word writes three or four in each tag. */
const mostAttributes = 8000;

/** Elements open at one time. The parser's work grows with it, so it is bounded before anything else. */
const deepest = 1000;

const blocks = 'blockquote caption dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre ul';
const tables = 'col colgroup table tbody td tfoot th thead tr';
const inline =
  'a abbr b br cite code del dfn em i img ins kbd mark q s samp small span strike strong sub sup tt u var wbr';

/** Elements whose content is not text to be read, or is read by another grammar: they go with all they hold. */
const dropped =
  'applet audio canvas embed frame frameset iframe math noembed noframes noscript object option plaintext script select style svg template textarea title video xmp';

const words = (list: string): string[] => list.split(' ');

const policy: sanitizeHtml.IOptions = {
  allowedTags: [...words(blocks), ...words(tables), ...words(inline)],
  nonTextTags: words(dropped),
  allowedAttributes: {
    '*': ['dir', 'lang', 'title'],
    a: ['href', 'rel'],
    img: ['alt', 'height', 'src', 'width'],
    ol: ['reversed', 'start', 'type'],
    li: ['value'],
    col: ['span'],
    colgroup: ['span'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
  },
  // The library's own check stays on as well.
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  nestingLimit: 100,
};

const addressesBelow = (root: string): sanitizeHtml.IOptions['transformTags'] => ({
  a: (tagName, attributes) => safeAnchor(tagName, attributes, root),
  img: (tagName, attributes) => safePicture(tagName, attributes, root),
});

function safeAnchor(
  tagName: string,
  { href, rel: _, ...attribs }: sanitizeHtml.Attributes,
  root: string,
): sanitizeHtml.Tag {
  const address = safeLink(href ?? '', root);
  // Without an address it is no link, and its words stay.
  if (address === undefined) return { tagName, attribs };
  return { tagName, attribs: { ...attribs, href: address, rel: 'noopener noreferrer nofollow' } };
}

/** A picture from elsewhere gives way to the words that stand for it. */
function safePicture(tagName: string, { src, ...attribs }: sanitizeHtml.Attributes, root: string): sanitizeHtml.Tag {
  const address = safeImage(src ?? '', root);
  if (address === undefined) return { tagName: 'span', attribs: {}, text: attribs.alt ?? '' };
  return { tagName, attribs: { ...attribs, src: address } };
}

function guards(): Pick<sanitizeHtml.IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0;
  let attributes = 0;
  return {
    onOpenTag: (_, given) => {
      depth += 1;
      if (depth > deepest) throw new TooDeep();
      attributes += Object.keys(given).length;
      if (attributes > mostAttributes) throw new TooMuch();
    },
    onCloseTag: () => {
      depth -= 1;
    },
  };
}
