/** Parses XML text into elements with their attributes, children in order, and text. Bounded before it is parsed. */
import { malformedBody } from '../errors.js';
import { onDemand } from '../on-demand.js';
import { checkXml } from './check-xml.js';

export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly Element[];
  text: string;
}

const xml2js = onDemand<typeof import('xml2js')>('xml2js');

/** What xml2js makes of an element. */
interface Raw {
  '#name'?: string;
  $?: Record<string, string>;
  $$?: Raw[];
  _?: string;
}

/** In front of every name, so that none is a member that all objects have. */
const mark = '-';

const options = {
  tagNameProcessors: [(name: string) => mark + name],
  attrNameProcessors: [(name: string) => mark + name],
  strict: true,
  async: false,
  explicitChildren: true,
  preserveChildrenOrder: true,
  explicitCharkey: true,
  // Texts come as children of their own: those of nothing but white space, too.
  charsAsChildren: true,
  includeWhiteChars: true,
};

export function readElements(text: string): Element {
  // Line ends are one character to a reader of XML, however they were sent.
  const plain = checkXml(text.replace(/\r\n?/g, '\n'));
  let root: Element | undefined;
  let failure: Error | undefined;
  new (xml2js().Parser)(options).parseString(plain, (error: Error | null, result?: Record<string, Raw>) => {
    failure ??= error ?? undefined;
    const [name] = Object.keys(result ?? {});
    if (name !== undefined) root ??= element({ ...result![name], '#name': name });
  });
  if (failure) throw malformedBody('XML', sentence(failure.message));
  if (!root) throw malformedBody('XML', 'it is empty.');
  return root;
}

function element(raw: Raw): Element {
  const name = raw['#name']!.slice(mark.length);
  if (name.includes(':'))
    throw malformedBody('XML', `'${name}' is of another namespace; write names without a prefix.`);
  return {
    name,
    attributes: unmarked(raw.$ ?? {}),
    children: (raw.$$ ?? []).filter((child) => child['#name'] !== '__text__').map(element),
    text: (raw.$$ ?? []).map((child) => (child['#name'] === '__text__' ? (child._ ?? '') : '')).join(''),
  };
}

function unmarked(marked: Record<string, string>): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(marked)) attributes[name.slice(mark.length)] = value;
  return attributes;
}

/** The parser tells what, line and column on lines of their own. */
const sentence = (message: string): string => `${message.replace(/\s*\n\s*/g, ', ').toLowerCase()}.`;
