/** What the parser of XML complains about, in the words of our errors. */
import { malformedBody, unreadCharset } from '../errors.js';
import { shortened } from '../texts/quoted-text.js';
import { charsetNamed, encodingIn } from './charset.js';

export const doctype = 'a document type (DOCTYPE, ENTITY) is not allowed';

const meanings: readonly (readonly [message: RegExp, meaning: string])[] = [
  [/doctype/, doctype],
  [/^Non-whitespace|^Text data/, 'it has text outside its root element'],
  [/^Unexpected close|^Unmatched/, 'an element ends that did not begin last'],
  [/^Unencoded/, "a name is expected behind '<'"],
  [/comment/, "'--' stands in a comment"],
];

/** `entity` is the reference that is read. */
export function xmlMeaning(message: string, entity: string): string {
  if (/entity/.test(message)) return entity.startsWith('#') ? unwritable : unknownReference;
  return meanings.find(([pattern]) => pattern.test(message))?.[1] ?? 'a tag is not well formed';
}

const unwritable = 'it refers to a character that XML cannot carry';
const unknownReference = "'&' stands for none of the five characters it may stand for";

/** What kind of markup begins the text and does not end, within quotes if there is one. */
export function unendedMarkup(text: string | undefined, quote: string): string | undefined {
  if (text === undefined) return undefined;
  if (text.startsWith('<!--')) return 'a comment';
  if (text.startsWith('<![CDATA[')) return 'a CDATA section';
  return quote === '' ? 'a tag' : 'an attribute';
}

/** Of `<?xml version="1.0" encoding="utf-8"?>` what stands behind its name. The charset is chosen by then. */
export function checkDeclaration(body: string): void {
  const version = /(?:^|\s)version\s*=\s*["']([^"']*)["']/.exec(body)?.[1];
  const encoding = encodingIn(body);
  if (version !== '1.0') throw malformedBody('XML', 'version 1.0 is expected.');
  if (encoding !== undefined && charsetNamed(encoding) === undefined && !ofTwoBytes.test(encoding))
    throw unreadCharset(shortened(encoding));
}

/**
 * What .NET declares of a text of XML, which its programs send in UTF-8. Bytes that could be read up to here are not in
 * it.
 */
const ofTwoBytes = /^(?:utf-?16(?:le|be)?|unicode)$/i;
