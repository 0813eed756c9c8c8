/**
 * Looks over XML text once, before anything is built from it: refuses document types, processing instructions, other
 * encodings and characters XML has no place for, and bounds depth, elements and attributes.
 */
import { badMember, malformedBody } from '../errors.js';
import { isXmlText } from '../xml-text.js';
import { bodyLimits } from './payload.js';

const attributesPerElement = 1000;

/** Returns the text with white space in attributes as a reader of XML takes it: each line break or tab a space. */
export function checkXml(text: string): string {
  if (!isXmlText(text)) throw malformedBody('XML', 'it holds a character that XML cannot carry.');
  const open: string[] = [];
  const breaks: number[] = [];
  let at = checkDeclaration(text);
  let elements = 0;
  for (let next = text.indexOf('<', at); next >= 0; next = text.indexOf('<', at)) {
    checkText(text.slice(at, next), open.length);
    const aside = skipAside(text, next);
    if (aside !== undefined) {
      if (open.length === 0 && text[next + 2] === '[') mustBeBlank('CDATA');
      at = aside;
      continue;
    }
    if (open.length === 0 && elements > 0) throw malformedBody('XML', 'it has more than one root element.');
    const tag = readTag(text, next, breaks);
    at = tag.end;
    elements += follow(tag, open);
    if (open.length > bodyLimits.depth)
      throw malformedBody('XML', `it is nested deeper than ${bodyLimits.depth} levels.`);
    if (elements > bodyLimits.members) throw malformedBody('XML', `it has more than ${bodyLimits.members} elements.`);
    if (tag.closesItself) open.pop();
  }
  if (open.length > 0) throw malformedBody('XML', `'${shown(open.at(-1)!)}' does not end.`);
  mustBeBlank(text.slice(at));
  return breaks.length === 0 ? text : unbroken(text, breaks);
}

/** Keeps account of the elements that are open; 1 for one that begins. */
function follow(tag: Tag, open: string[]): number {
  if (!tag.closes) {
    open.push(tag.name);
    return 1;
  }
  if (open.pop() !== tag.name) throw malformedBody('XML', `'${shown(tag.name)}' ends where it has not begun.`);
  return 0;
}

function checkText(between: string, depth: number): void {
  checkReferences(between);
  if (depth === 0) mustBeBlank(between);
  else if (between.includes(']]>')) throw malformedBody('XML', "']]>' stands outside a CDATA section.");
}

function unbroken(text: string, breaks: readonly number[]): string {
  let result = '';
  let from = 0;
  for (const at of breaks) {
    result += `${text.slice(from, at)} `;
    from = at + 1;
  }
  return result + text.slice(from);
}

function mustBeBlank(outside: string): void {
  if (outside.trim() !== '') throw malformedBody('XML', 'it has text outside its root element.');
}

const known = new Set(['lt', 'gt', 'amp', 'quot', 'apos']);

/** References to characters; in comments and CDATA sections `&` is a letter like others. */
function checkReferences(text: string): void {
  let at = 0;
  for (let next = text.indexOf('&', at); next >= 0; next = text.indexOf('&', at)) {
    at = next + 1;
    const [, hexadecimal, decimal, name] =
      /^&(?:#x([0-9a-fA-F]{1,8})|#(\d{1,8})|(\w{1,10}));/.exec(text.slice(next, next + 14)) ?? [];
    if (name !== undefined && known.has(name)) continue;
    if (hexadecimal === undefined && decimal === undefined)
      throw malformedBody('XML', "'&' stands for none of the five characters it may stand for.");
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (code > 0x10ffff || !isXmlText(String.fromCodePoint(code))) {
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

interface Tag {
  name: string;
  end: number;
  closes: boolean;
  closesItself: boolean;
}

const tagName = /\/?([^\s/>=<"'&]+)/y;
const attribute = /\s+([^\s/>=<"'&]+)\s*=\s*(?=(["']))/y;
const tagEnd = /\s*(\/?)>/y;

function readTag(text: string, start: number, breaks: number[]): Tag {
  const closes = text[start + 1] === '/';
  const name = match(tagName, text, start + 1)?.[1];
  if (name === undefined) throw malformedBody('XML', "a name is expected behind '<'.");
  checkName(name);
  let at = tagName.lastIndex;
  const names = new Set<string>();
  for (let found = match(attribute, text, at); found; found = match(attribute, text, at)) {
    const [, attributeName, quote] = found;
    const from = attribute.lastIndex + 1;
    at = behind(text, quote!, from, 'an attribute');
    checkAttribute(attributeName!, names, text.slice(from, at - 1));
    for (let n = from; n < at; n += 1) if (text[n] === '\n' || text[n] === '\t') breaks.push(n);
  }
  const end = match(tagEnd, text, at);
  if (!end)
    throw malformedBody(
      'XML',
      unended(text, at) ? 'a tag does not end.' : `the tag '${shown(name)}' is not well formed.`,
    );
  if (closes && (names.size > 0 || end[1] !== ''))
    throw malformedBody('XML', `the tag '${shown(name)}' is not well formed.`);
  return { name, end: tagEnd.lastIndex, closes, closesItself: !closes && end[1] === '/' };
}

/** Whether another tag begins before this one ends. */
function unended(text: string, at: number): boolean {
  const end = text.indexOf('>', at);
  const next = text.indexOf('<', at);
  return end < 0 || (next >= 0 && next < end);
}

function checkAttribute(name: string, names: Set<string>, value: string): void {
  checkName(name);
  // The parser keeps attributes in an object that has members of its own.
  if (name in Object.prototype) throw badMember(name, 'there is no such field.');
  checkReferences(value);
  if (value.includes('<')) throw malformedBody('XML', `'<' stands in the attribute '${shown(name)}'.`);
  if (names.has(name)) throw badMember(shown(name), 'the attribute is given twice.');
  names.add(name);
  if (names.size > attributesPerElement)
    throw malformedBody('XML', `an element has more than ${attributesPerElement} attributes.`);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const plainName = /^[\p{L}_:][\p{L}\p{M}\p{N}_.:·-]*$/u;

function checkName(name: string): void {
  if (!plainName.test(name.slice(0, 1000))) throw malformedBody('XML', `'${shown(name)}' is no name.`);
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name).toWellFormed();
