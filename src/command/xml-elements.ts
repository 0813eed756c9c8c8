/** Parses XML text into elements with their attributes, children in order, and text. Bounded before it is parsed. */
import { Parser } from 'xml2js';
import { malformedBody } from '../errors.js';
import { checkXml } from './check-xml.js';

export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly Element[];
  text: string;
}

/** What xml2js makes of an element. */
interface Raw {
  '#name'?: string;
  $?: Record<string, string>;
  $$?: Raw[];
  _?: string;
}

const options = {
  strict: true,
  async: false,
  explicitChildren: true,
  preserveChildrenOrder: true,
  explicitCharkey: true,
  includeWhiteChars: true,
};

export function readElements(text: string): Element {
  checkXml(text);
  let root: Element | undefined;
  let failure: Error | undefined;
  // Line ends are one character to a reader of XML, however they were sent.
  new Parser(options).parseString(text.replace(/\r\n?/g, '\n'), (error: Error | null, result?: Record<string, Raw>) => {
    failure ??= error ?? undefined;
    const [name] = Object.keys(result ?? {});
    if (name !== undefined) root ??= element({ ...result![name], '#name': name });
  });
  if (failure) throw malformedBody('XML', sentence(failure.message));
  if (!root) throw malformedBody('XML', 'it is empty.');
  return root;
}

function element(raw: Raw): Element {
  const name = raw['#name']!;
  if (name.includes(':'))
    throw malformedBody('XML', `'${name}' is of another namespace; write names without a prefix.`);
  return {
    name,
    attributes: raw.$ ?? {},
    children: (raw.$$ ?? []).filter((child) => child['#name'] !== '__text__').map(element),
    text: raw._ ?? '',
  };
}

/** The parser tells what, line and column on lines of their own. */
const sentence = (message: string): string => `${message.replace(/\s*\n\s*/g, ', ').toLowerCase()}.`;
