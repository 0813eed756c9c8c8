/**
 * Reads a JSON body, leniently as clients write it, straight into a Payload: numbers keep their digits, members are a
 * list. The limits of depth, values and text hold while it is read.
 */
import { badMember, malformedBody } from '../errors.js';
import type { Sliced } from '../turns/slices.js';
import { type Charset, textPieces } from './charset.js';
import {
  type Body,
  bodyLimits,
  givenTwice,
  type Payload,
  type PayloadMember,
  type PayloadValue,
  tooLongText,
} from './payload.js';
import type { BodyBytes } from './utf8.js';

export function* parseJson(body: BodyBytes, charset?: Charset): Sliced<Body> {
  const value = yield* new JsonReader(textPieces(body, 'JSON', charset)).whole();
  if (value.kind === 'object') return { kind: 'one', entity: value.object };
  if (value.kind !== 'list') throw malformedBody('JSON', 'an entity {…} or a list of entities […] is expected.');
  return { kind: 'many', entities: value.items.map(entity) };
}

function entity(item: PayloadValue, index: number): Payload {
  if (item.kind !== 'object') throw badMember(`[${index}]`, 'an entity {…} is expected.');
  return item.object;
}

/** Members that stand beside `Items` in an answer and mean nothing in a body. */
const besides = new Set(['items', 'next', 'prev']);

const escapes: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
});

/** Of what stands between two values: a search in one go takes its time. */
const mostBetween = bodyLimits.text;

/** Characters of a number, which may have all places that are read, of a name without quotes, an escape. */
const mostOfToken = 1200;

const blank = /\s{1,1000}/y;
const bareKey = /[\p{L}_$][\p{L}\p{N}_$-]{0,999}/uy;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /[A-Za-z_$][\w$]{0,99}/y;
type Quote = '"' | "'";
/** A text in quotes that holds nothing to look at closely: most texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters end a run and are looked at one by one
const simple = { '"': /"[^"\\\u0000-\u001f]*"/y, "'": /'[^'\\\u0000-\u001f]*'/y } as const;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters end a run and are looked at one by one
const plain = { '"': /[^"\\\u0000-\u001f]+/y, "'": /[^'\\\u0000-\u001f]+/y } as const;

/** So many steps are made without a pause: values, and parts of texts. */
const stepsToPause = 256;

class JsonReader {
  /** What is at hand: pieces that were read are let go. */
  private text = '';
  private at = 0;
  /** Characters that were let go. */
  private behind = 0;
  /** The last place that was looked at, and where that is in the text at hand. */
  private counted: Position = { characters: 0, lines: 0, column: 0 };
  private countedTo = 0;
  private isWhole = false;
  /** Since the last pause. */
  private isPieceNew = false;
  private items = 0;
  private steps = 0;
  /** The way to the value that is read. */
  private readonly way: (string | number)[] = [];

  constructor(private readonly pieces: Iterator<string>) {}

  *whole(): Sliced<PayloadValue> {
    const value = this.leaf(0) ?? (yield* this.nested(0));
    this.skip();
    if (this.at < this.text.length) this.refuse('nothing more is expected');
    return value;
  }

  /** A value that is read in one step; undefined at the beginning of any other. */
  private leaf(depth: number): PayloadValue | undefined {
    this.skip();
    if (depth > bodyLimits.depth) throw malformedBody('JSON', `it is nested deeper than ${bodyLimits.depth} levels.`);
    this.count();
    const next = this.text[this.at];
    if (next === '{' || next === '[') return undefined;
    if (next !== '"' && next !== "'") return this.bare();
    const text = this.simple(next);
    return text === undefined ? undefined : { kind: 'text', text };
  }

  private *nested(depth: number): Sliced<PayloadValue> {
    const next = this.text[this.at];
    if (next === '{') return yield* this.object(depth);
    if (next === '[') return { kind: 'list', items: yield* this.list(depth) };
    return { kind: 'text', text: yield* this.quoted(next as Quote) };
  }

  private *object(depth: number): Sliced<PayloadValue> {
    const members: PayloadMember[] = [];
    const names = new Set<string>();
    this.at += 1;
    for (this.skip(); !this.takes('}'); this.separated('}')) {
      if (this.pausesHere()) yield;
      const name = this.key() ?? (yield* this.quoted(this.text[this.at] as Quote));
      this.way.push(name);
      if (names.has(name.toLowerCase())) throw givenTwice(wayOf(this.way) || name);
      names.add(name.toLowerCase());
      if (names.size > bodyLimits.members) this.refuse(`an object has more than ${bodyLimits.members} members`);
      this.skip();
      if (!this.takes(':')) this.refuse("':' is expected");
      members.push({ name, value: this.leaf(depth + 1) ?? (yield* this.nested(depth + 1)) });
      this.way.pop();
    }
    return collection(members) ?? { kind: 'object', object: { members } };
  }

  private *list(depth: number): Sliced<PayloadValue[]> {
    const items: PayloadValue[] = [];
    this.at += 1;
    for (this.skip(); !this.takes(']'); this.separated(']')) {
      if (this.pausesHere()) yield;
      this.way.push(items.length);
      items.push(this.leaf(depth + 1) ?? (yield* this.nested(depth + 1)));
      this.way.pop();
    }
    return items;
  }

  private pausesHere(): boolean {
    this.steps += 1;
    if (this.steps % stepsToPause !== 0 && !this.isPieceNew) return false;
    this.isPieceNew = false;
    return true;
  }

  /** A comma, which may also stand before the end, or the end itself. */
  private separated(end: string): void {
    this.skip();
    if (this.takes(',')) this.skip();
    else if (this.text[this.at] !== end) this.refuse(`',' or '${end}' is expected`);
  }

  /** A name that is read in one step; undefined at the beginning of one in quotes that is not. */
  private key(): string | undefined {
    const quote = this.text[this.at];
    if (quote === '"' || quote === "'") return this.simple(quote);
    return this.run(bareKey) ?? this.refuse('a name is expected');
  }

  private bare(): PayloadValue {
    const numeral = this.run(number);
    if (numeral !== undefined) {
      if (numeral.length >= mostOfToken) this.refuse(`a number of ${mostOfToken} characters or more`);
      if (/[\w.]/.test(this.text[this.at] ?? '')) this.refuse('a number is malformed');
      return { kind: 'number', text: numeral };
    }
    const start = this.at;
    switch (this.run(word)) {
      case 'true':
        return { kind: 'boolean', value: true };
      case 'false':
        return { kind: 'boolean', value: false };
      case 'null':
        return { kind: 'null' };
      default:
        this.at = start;
        return this.refuse('a value is expected');
    }
  }

  private simple(quote: Quote): string | undefined {
    const text = this.run(simple[quote])?.slice(1, -1);
    return text === undefined ? undefined : this.checked(text);
  }

  /** A text with escapes or line breaks, or one that cannot be read. */
  private *quoted(quote: Quote): Sliced<string> {
    let text = '';
    let parts: string[] = [];
    for (this.at += 1; !this.ends(quote); ) {
      const run = this.run(plain[quote]);
      if (run !== undefined) parts.push(run);
      else parts.push(this.text[this.at] === '\\' ? this.escaped() : this.control());
      if (!this.pausesHere()) continue;
      text = this.checked(text + parts.join(''));
      parts = [];
      yield;
    }
    text = this.checked(text + parts.join(''));
    if (!text.isWellFormed()) this.refuse('half of a surrogate pair');
    return text;
  }

  private ends(quote: Quote): boolean {
    this.bring(mostOfToken);
    return this.takes(quote);
  }

  private checked(text: string): string {
    if (text.length > bodyLimits.text) throw tooLongText(wayOf(this.way) || 'A name');
    return text;
  }

  private escaped(): string {
    const letter = this.text[this.at + 1] ?? '';
    const simple = escapes[letter];
    if (simple !== undefined) {
      this.at += 2;
      return simple;
    }
    const code = letter === 'u' ? /^[0-9a-fA-F]{4}$/.exec(this.text.slice(this.at + 2, this.at + 6))?.[0] : undefined;
    if (code === undefined) return this.refuse('an escape is malformed');
    if (code === '0000') this.refuse('the character NUL is not allowed');
    this.at += 6;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  /** Line breaks and tabs are taken as they come; other control characters have no business in a text. */
  private control(): string {
    const letter = this.text[this.at];
    if (letter === undefined) return this.refuse('the text does not end');
    if (letter === '\0') this.refuse('the character NUL is not allowed');
    if (!'\n\r\t'.includes(letter)) return this.refuse('a control character');
    this.at += 1;
    return letter;
  }

  /** White space and comments: what stands behind them is at hand. */
  private skip(): void {
    for (;;) {
      this.bring(mostOfToken);
      if (this.text.charCodeAt(this.at) <= 0x20 || this.text.charCodeAt(this.at) > 0x7f) this.skipBlank();
      if (this.text[this.at] !== '/') return;
      this.count();
      const isBlock = this.text[this.at + 1] === '*';
      if (!isBlock && this.text[this.at + 1] !== '/') return;
      this.skipComment(isBlock ? '*/' : '\n');
    }
  }

  private skipBlank(): void {
    for (let length = 0, run = this.run(blank); run !== undefined; run = this.run(blank)) {
      length += run.length;
      if (length > mostBetween) this.refuse(`more than ${mostBetween} characters of white space`);
      this.bring(mostOfToken);
    }
  }

  private skipComment(ending: '*/' | '\n'): void {
    const start = this.place();
    this.at += 2;
    for (let length = 0; ; ) {
      const end = this.text.indexOf(ending, this.at);
      // The last character may be half of the ending.
      const passed = end < 0 ? Math.max(0, this.text.length - this.at - 1) : end + ending.length - this.at;
      this.at += passed;
      length += passed;
      if (length > mostBetween) this.refuse(`a comment of more than ${mostBetween} characters`, start);
      if (end >= 0) return;
      if (this.isWhole) break;
      this.bring(mostOfToken);
    }
    if (ending === '*/') this.refuse('a comment does not end', start);
    this.at = this.text.length;
  }

  /** Has so many characters at hand, as far as there are. */
  private bring(characters: number): void {
    while (!this.isWhole && this.text.length - this.at < characters) {
      const { value, done } = this.pieces.next();
      this.isWhole = done === true;
      if (done) return;
      this.behind = this.place().characters;
      this.text = this.text.slice(this.at) + value;
      this.countedTo = 0;
      this.at = 0;
      this.isPieceNew = true;
    }
  }

  private takes(letter: string): boolean {
    if (this.text[this.at] !== letter) return false;
    this.at += 1;
    return true;
  }

  private run(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.at += match.length;
    return match;
  }

  /** Comments count, too. */
  private count(): void {
    this.items += 1;
    if (this.items > bodyLimits.items) throw malformedBody('JSON', `it has more than ${bodyLimits.items} values.`);
  }

  private refuse(why: string, place?: Position): never {
    const actual =
      this.at < this.text.length ? `'${String.fromCodePoint(this.text.codePointAt(this.at)!)}'` : 'the end';
    throw malformedBody('JSON', `${why} at ${named(place ?? this.place())}, found ${place ? "'/'" : actual}.`);
  }

  /**
   * Lines are counted near the beginning, and each once: further on nobody looks for them, and it would take a while.
   */
  private place(): Position {
    const { at, text } = this;
    const { lines, column } = this.counted;
    const characters = this.behind + at;
    if (this.behind > bodyLimits.text) return { characters, lines, column };
    const passed = text.slice(this.countedTo, at);
    let [start, more] = [0, 0];
    for (let end = passed.indexOf('\n'); end >= 0; end = passed.indexOf('\n', start))
      [start, more] = [end + 1, more + 1];
    this.countedTo = Math.max(this.countedTo, at);
    this.counted = {
      characters,
      lines: lines + more,
      column: (more === 0 ? column : 0) + passed.length - start,
    };
    return this.counted;
  }
}

/** How much is before. */
interface Position {
  readonly characters: number;
  readonly lines: number;
  /** Characters of the line. */
  readonly column: number;
}

const named = ({ characters, lines, column }: Position): string =>
  characters > bodyLimits.text ? `character ${characters + 1}` : `line ${lines + 1}, column ${column + 1}`;

/** `[3].Tasks[0].Name`: `Items` is no place of its own. */
const wayOf = (way: readonly (string | number)[]): string =>
  way
    .filter((part) => typeof part === 'number' || part.toLowerCase() !== 'items')
    .reduce<string>(
      (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
      '',
    );

/** `{Items: […]}` is a collection, in the form that answers have. */
function collection(members: readonly PayloadMember[]): PayloadValue | undefined {
  const items = members.find((member) => member.name.toLowerCase() === 'items')?.value;
  const isCollection = items?.kind === 'list' && members.every(({ name }) => besides.has(name.toLowerCase()));
  return isCollection ? items : undefined;
}
