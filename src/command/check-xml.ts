/**
 * Looks over XML text once, before anything is built from it: refuses document types, processing instructions, other
 * encodings and characters XML has no place for, and bounds depth, elements and attributes.
 */
import { malformedBody } from '../errors.js';
import { bodyLimits } from './payload.js';

const attributesPerElement = 1000;

export function checkXml(text: string): void {
  checkCharacters(text);
  let at = checkDeclaration(text);
  let depth = 0;
  let elements = 0;
  for (let next = text.indexOf('<', at); next >= 0; next = text.indexOf('<', at)) {
    if (depth === 0) mustBeBlank(text.slice(at, next));
    const aside = skipAside(text, next);
    if (aside !== undefined) {
      at = aside;
      continue;
    }
    if (depth === 0 && elements > 0) throw malformedBody('XML', 'it has more than one root element.');
    const tag = readTag(text, next);
    at = tag.end;
    depth += tag.closes ? -1 : 1;
    elements += tag.closes ? 0 : 1;
    if (depth > bodyLimits.depth) throw malformedBody('XML', `it is nested deeper than ${bodyLimits.depth} levels.`);
    if (elements > bodyLimits.members) throw malformedBody('XML', `it has more than ${bodyLimits.members} elements.`);
    if (tag.closesItself) depth -= 1;
  }
  mustBeBlank(text.slice(at));
}

function mustBeBlank(outside: string): void {
  if (outside.trim() !== '') throw malformedBody('XML', 'it has text outside its root element.');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function checkCharacters(text: string): void {
  if (illegal.test(text)) throw malformedBody('XML', 'it holds a character that XML cannot carry.');
  for (const [, hexadecimal, decimal] of text.matchAll(/&#(?:x([0-9a-fA-F]{1,8})|(\d{1,8}));/g)) {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (isSurrogate || code > 0x10ffff || illegal.test(String.fromCodePoint(code))) {
      throw malformedBody('XML', 'it refers to a character that XML cannot carry.');
    }
  }
}

/** Returns where the document goes on behind its declaration, if it has one. */
function checkDeclaration(text: string): number {
  if (!/^<\?xml\s/.test(text)) return 0;
  const end = text.indexOf('?>');
  const declaration = end < 0 || end > 200 ? '' : text.slice(0, end);
  const version = /\sversion\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1];
  const encoding = /\sencoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1];
  if (version !== '1.0') throw malformedBody('XML', 'version 1.0 is expected.');
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw malformedBody('XML', 'UTF-8 is expected.');
  return end + 2;
}

/** The end of a comment or CDATA section; undefined for a tag. Everything else that starts with `<!` or `<?` is refused. */
function skipAside(text: string, at: number): number | undefined {
  if (text.startsWith('<!--', at)) return behind(text, '-->', at + 4, 'a comment');
  if (text.startsWith('<![CDATA[', at)) return behind(text, ']]>', at + 9, 'a CDATA section');
  if (text[at + 1] === '!') throw malformedBody('XML', 'a document type (DOCTYPE, ENTITY) is not allowed.');
  if (text[at + 1] === '?') throw malformedBody('XML', 'a processing instruction is not allowed.');
  return undefined;
}

function behind(text: string, end: string, from: number, what: string): number {
  const found = text.indexOf(end, from);
  if (found < 0) throw malformedBody('XML', `${what} does not end.`);
  return found + end.length;
}

function readTag(text: string, start: number): { end: number; closes: boolean; closesItself: boolean } {
  let attributes = 0;
  let at = start + 1;
  while (at < text.length && text[at] !== '>') {
    const letter = text[at]!;
    if (letter === '<') throw malformedBody('XML', 'a tag does not end.');
    if (letter === '=') attributes += 1;
    at = letter === '"' || letter === "'" ? behind(text, letter, at + 1, 'an attribute') : at + 1;
  }
  if (at >= text.length) throw malformedBody('XML', 'a tag does not end.');
  if (attributes > attributesPerElement)
    throw malformedBody('XML', `an element has more than ${attributesPerElement} attributes.`);
  return { end: at + 1, closes: text[start + 1] === '/', closesItself: text[at - 1] === '/' };
}
