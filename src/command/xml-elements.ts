/**
 * Reads XML text into elements with their attributes, children in order, and text. The events of xml2js's parser make
 * them, and hold the limits as well: what is too deep, too many or too long is refused where it comes. So is what the
 * parser takes and XML does not.
 */
import { badMember, malformedBody } from '../errors.js';
import { onDemand } from '../runtime/on-demand.js';
import { hasXmlCharacters } from '../texts/characters.js';
import { shortened } from '../texts/quoted-text.js';
import type { Sliced } from '../turns/slices.js';
import { type Charset, declaredCharset, longestDeclaration, textPieces } from './charset.js';
import { KeptText } from './kept-text.js';
import { bodyLimits, tooLongText } from './payload.js';
import type { BodyBytes } from './utf8.js';
import { checkDeclaration, doctype, unendedMarkup, xmlMeaning } from './xml-refusals.js';

export interface Element {
  /** Without a prefix: whatever namespace that is bound to, it says nothing. */
  name: string;
  readonly attributes: (readonly [name: string, value: string])[];
  readonly children: Element[];
  text: string;
}

const xml2js = onDemand<typeof import('xml2js')>('xml2js');

/** What is used of the parser within xml2js's. Positions count characters from 1. */
interface SaxParser {
  write(text: string): void;
  close(): void;
  readonly line: number;
  readonly column: number;
  readonly position: number;
  readonly startTagPosition: number;
  readonly closedRoot: boolean;
  readonly tag: { readonly attributes: Record<string, unknown> };
  /** The quote that an attribute stands in, while it is read. */
  readonly q: string;
  readonly entity: string;
  readonly doctype: string;
  readonly sgmlDecl: string;
  readonly attribName: string;
  attribValue: string;
  comment: string;
}

/** What the parser gathers letter by letter, attributes aside. */
const gathered = ['textNode', 'cdata', 'attribName', 'tagName', 'procInstName', 'procInstBody'];

/** So much is read without a pause: few enough elements begin in it. */
const charactersOfSlice = 2048;

/** `named` is the charset of the header. */
export const readElements = (body: BodyBytes, named?: Charset): Sliced<Element> =>
  new XmlReader(withLineFeeds(textPieces(body, 'XML', named ?? declaredCharset(body)))).read();

/** The most characters of a reference such as `&#65;`. */
const charactersOfReference = 100;

/** So much of the markup that is read is looked at again. */
const charactersOfMarkup = 16;

class XmlReader {
  private root: Element | undefined;
  private readonly open: Element[] = [];
  /** With their prefixes. */
  private readonly namesOfOpen: string[] = [];
  /** How many of the open elements bind each prefix. */
  private readonly prefixes = new Map<string, number>();
  private readonly attributes = new Set<string>();
  /** Of the attribute that is read, the part that is behind, and where the rest begins. */
  private value = '';
  private valueFrom: number | undefined;
  private elements = 0;
  /** Where the last markup ended. */
  private markupEnd = 0;
  private readonly text = new KeptText();
  /** The last one that was written. */
  private slice = '';
  private readonly parser: SaxParser;

  constructor(private readonly pieces: Iterable<string>) {
    const { saxParser } = new (xml2js().Parser)({ strict: true }) as unknown as { saxParser: SaxParser };
    this.parser = Object.assign(saxParser, {
      ENTITIES: entities,
      // Its own limit is for what it gathers between two writes, and refuses long attributes.
      bufferCheckPosition: Number.POSITIVE_INFINITY,
      onerror: ({ message }: Error) => this.fail(message),
      onprocessinginstruction: (instruction: { name: string; body: string }) => this.instruction(instruction),
      ondoctype: () => this.refuse(doctype),
      onsgmldeclaration: () => this.refuse(doctype),
      onopentagstart: ({ name }: { name: string }) => this.begin(name),
      onattribute: ({ name }: { name: string }) => this.attribute(name),
      onopentag: () => this.named(),
      onclosetag: () => this.end(),
      ontext: (text: string) => this.plainText(text),
      onopencdata: () => this.beginCdata(),
      oncdata: (text: string) => this.add(text),
      onclosecdata: () => this.endMarkup(),
      // Reported before its last character.
      oncomment: () => this.endMarkup(1),
    });
    this.boundReferences();
  }

  /** The parser adds letter by letter to a reference, wherever a slice ends. */
  private boundReferences(): void {
    let reference = '';
    const set = (text: string): void => {
      if (text.length > charactersOfReference) this.refuse(xmlMeaning('entity', text));
      reference = text;
    };
    Object.defineProperty(this.parser, 'entity', { get: () => reference, set });
  }

  *read(): Sliced<Element> {
    for (const piece of this.pieces) {
      for (let at = 0; at < piece.length; at += charactersOfSlice) {
        this.write(piece.slice(at, at + charactersOfSlice));
        yield;
      }
    }
    this.parser.close();
    if (!this.root) throw malformedBody('XML', 'it is empty.');
    return this.root;
  }

  private write(slice: string): void {
    if (!hasXmlCharacters(slice)) throw malformedBody('XML', 'it holds a character that XML cannot carry.');
    this.slice = slice;
    this.text.push(slice);
    this.parser.write(slice);
    if (this.parser.q !== '') this.gather(this.parser.position);
    this.checkGathered();
    this.text.leaveBefore(Math.min(this.markupEnd, this.valueFrom ?? Number.POSITIVE_INFINITY));
  }

  private begin(name: string): void {
    if (this.parser.closedRoot) this.refuse('it has more than one root element');
    if (this.open.length === bodyLimits.depth) this.refuse(`it is nested deeper than ${bodyLimits.depth} levels`);
    this.elements += 1;
    if (this.elements > bodyLimits.items) this.refuse(`it has more than ${bodyLimits.items} elements`);
    const element: Element = { name, attributes: [], children: [], text: '' };
    this.root ??= element;
    this.open.at(-1)?.children.push(element);
    this.open.push(element);
    this.namesOfOpen.push(name);
    this.attributes.clear();
  }

  /** Its attributes have come, which may bind its own prefix. */
  private named(): void {
    const element = this.open.at(-1)!;
    this.bind(element, 1);
    const { name } = element;
    if (name.includes(':')) {
      const [, prefix = '', local] = /^([^:]+):([^:]+)$/.exec(name) ?? [];
      if (!local || !this.prefixes.get(prefix)) this.refuse(`the prefix of '${name}' is bound to no namespace`);
      element.name = local;
    }
    this.endMarkup();
  }

  private bind({ attributes }: Element, by: 1 | -1): void {
    for (const [name] of attributes) {
      if (!name.startsWith('xmlns:')) continue;
      const prefix = name.slice('xmlns:'.length);
      this.prefixes.set(prefix, (this.prefixes.get(prefix) ?? 0) + by);
    }
  }

  private end(): void {
    const element = this.open.pop();
    this.namesOfOpen.pop();
    if (element) this.bind(element, -1);
    this.endMarkup();
  }

  private endMarkup(behind = 0): void {
    const { startTagPosition: begun, position } = this.parser;
    // The parser takes spaces there.
    if (/^\/?\s/.test(this.text.slice(begun, begun + 2))) this.refuse("a name is expected behind '<'");
    this.markupEnd = position + behind;
  }

  private attribute(name: string): void {
    const { tag, position } = this.parser;
    // The parser passes over a second one of a name that it still knows, and calls methods of the object it keeps them
    // in.
    delete tag.attributes[name];
    if (this.attributes.has(name)) throw badMember(name, 'the attribute is given twice.');
    this.attributes.add(name);
    if (this.attributes.size > bodyLimits.members)
      this.refuse(`an element has more than ${bodyLimits.members} attributes`);
    this.gather(position - 1);
    this.open.at(-1)!.attributes.push([name, this.value]);
    this.value = '';
    this.valueFrom = undefined;
  }

  /**
   * Reads on in an attribute. The parser's own value is glued letter by letter, and its line breaks may be references
   * to such.
   */
  private gather(end: number): void {
    const { parser } = this;
    const from = this.valueFrom ?? this.startOfValue(end);
    const raw = this.text.slice(from, end).replace(/&[^;]*$/, '');
    if (raw.includes('<')) this.refuse(`'<' stands in the attribute '${parser.attribName}'`);
    this.value += attributeValue(raw);
    this.valueFrom = from + raw.length;
    parser.attribValue = '';
    if (this.value.length > bodyLimits.text) throw tooLongText(this.pathTo(parser.attribName));
  }

  /** The quote before it is in the slice that was written last. */
  private startOfValue(end: number): number {
    const from = this.text.length - this.slice.length;
    return from + this.slice.lastIndexOf(this.parser.q, end - 1 - from) + 1;
  }

  private plainText(text: string): void {
    const raw = () => this.text.slice(this.markupEnd, this.parser.startTagPosition - 1);
    if (text.includes(']]>') && raw().includes(']]>')) this.refuse("']]>' stands outside a CDATA section");
    this.add(text);
  }

  private beginCdata(): void {
    if (this.open.length === 0) this.refuse('it has text outside its root element');
  }

  private add(text: string): void {
    const element = this.open.at(-1);
    // White space around the root.
    if (!element) return;
    if (element.text.length + text.length > bodyLimits.text) throw tooLongText(this.pathTo());
    element.text += text;
  }

  private instruction({ name, body }: { name: string; body: string }): void {
    if (name !== 'xml' || this.parser.startTagPosition !== 1) this.refuse('a processing instruction is not allowed');
    if (this.parser.position > longestDeclaration) this.refuse('the declaration is too long');
    checkDeclaration(body);
    this.endMarkup();
  }

  /** What has not come to its end yet has its limits, too. */
  private checkGathered(): void {
    const { parser } = this;
    // CDATA sections and comments begin as declarations do.
    if (parser.doctype || parser.sgmlDecl.length > '[CDATA['.length) this.refuse(doctype);
    parser.comment = '';
    const long = gathered.find((name) => (parser as unknown as Record<string, string>)[name]!.length > bodyLimits.text);
    if (long !== undefined) throw tooLongText(this.pathTo());
  }

  private pathTo(attribute?: string): string {
    const names = this.open.map(({ name }) => name);
    return [...names.slice(1), ...(attribute === undefined ? [] : [attribute])].join('.') || names[0] || 'A text';
  }

  private fail(message: string): never {
    const { startTagPosition = 0, q, entity } = this.parser;
    const isUnended = /^Un(?:closed root|expected end)/.test(message);
    if (/^Unexpected close|^Unmatched/.test(message) && this.open.length > 0)
      return this.refuse(
        `'${shortened((this.parser as unknown as { tagName: string }).tagName)}' ends where '${this.namesOfOpen.at(-1)}' has to`,
      );
    if (!isUnended) return this.refuse(xmlMeaning(message, entity));
    const begun =
      startTagPosition > this.markupEnd
        ? this.text.slice(startTagPosition - 1, startTagPosition - 1 + charactersOfMarkup)
        : undefined;
    return this.refuse(`${unendedMarkup(begun, q) ?? `'${this.namesOfOpen.at(-1)}'`} does not end`);
  }

  private refuse(why: string): never {
    throw malformedBody('XML', `${why} at line ${this.parser.line + 1}, column ${this.parser.column}.`);
  }
}

const entities: Readonly<Record<string, string>> = Object.freeze(
  Object.assign(Object.create(null), { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }),
);

/** What the text between quotes means: a line break or a tab is a space. */
function attributeValue(raw: string): string {
  const spaced = raw.replace(/[\n\t]/g, ' ');
  return spaced.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_, hexadecimal, decimal, name) => {
    if (name !== undefined) return entities[name.toLowerCase()]!;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal));
  });
}

/** Line ends are one character to a reader of XML, however they were sent. */
function* withLineFeeds(pieces: Iterable<string>): Generator<string> {
  let held = '';
  for (const piece of pieces) {
    const text = held + piece;
    held = text.endsWith('\r') ? '\r' : '';
    const whole = held === '' ? text : text.slice(0, -1);
    yield whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
  }
  if (held !== '') yield '\n';
}
