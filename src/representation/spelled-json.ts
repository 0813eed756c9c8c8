/**
 * Reads JSON that the database wrote. Numbers keep the places that they are spelled with, and lists are read when their
 * values are asked for: read, they would take ten times as much memory as their texts.
 */

/** A number as it is spelled. */
export class SpelledNumber {
  constructor(readonly text: string) {}
}

/** A long text as it is spelled, which is read in pieces. */
export class SpelledText {
  /** `text`: what stands between the quotes. */
  constructor(private readonly text: string) {}

  *pieces(): Generator<string> {
    for (let start = 0; start < this.text.length; ) {
      const end = pieceEnd(this.text, start);
      yield decoded(this.text.slice(start, end));
      start = end;
    }
  }
}

/** What is longer is read in pieces of this many characters. */
const longText = 2 ** 16;

/** Where a piece ends: neither within a character nor within an escape. */
function pieceEnd(text: string, start: number): number {
  const end = start + longText;
  if (end >= text.length) return text.length;
  // An escape takes six characters at most.
  const last = text.lastIndexOf('\\', end - 1);
  if (last >= Math.max(start, end - 6) && isOdd(backslashesBefore(text, last + 1, start))) return last;
  const isPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return isPair ? end - 1 : end;
}

function backslashesBefore(text: string, at: number, start: number): number {
  let before = at;
  while (before > start && text.charCodeAt(before - 1) === backslash) before -= 1;
  return at - before;
}

const decoded = (spelled: string): string =>
  spelled.includes('\\') ? (JSON.parse(`"${spelled}"`) as string) : spelled;

const isOdd = (count: number): boolean => count % 2 === 1;

/** A list as it is spelled. */
export class SpelledList {
  /** `text`: what stands between the brackets. */
  constructor(private readonly text: string) {}

  [Symbol.iterator](): Generator<Json> {
    return valuesIn(this.text);
  }
}

export interface JsonObject {
  [member: string]: Json;
}

export type Json = string | boolean | null | undefined | SpelledNumber | SpelledText | SpelledList | JsonObject;

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof SpelledNumber || value instanceof SpelledText || value instanceof SpelledList);

/**
 * The values of a text, one behind the other, with commas between them. What takes a while to read is read in steps,
 * with undefined between them.
 */
export function* valuesIn(text: string): Generator<Json> {
  const reading = new Reading(text);
  for (reading.skip(); reading.at < text.length; reading.skip()) {
    yield yield* reading.value();
    reading.skip();
    reading.at += 1;
  }
}

const [quote, comma, colon, backslash] = [...'",:\\'].map((sign) => sign.charCodeAt(0));
const [openingBracket, closingBracket, openingBrace, closingBrace] = [...'[]{}'].map((sign) => sign.charCodeAt(0));
const space = 0x20;

/** Reads one value in steps. */
type Steps<T> = Generator<undefined, T>;

class Reading {
  at = 0;
  private nextStep = longText;

  constructor(private readonly text: string) {}

  skip(): void {
    while (this.text.charCodeAt(this.at) <= space) this.at += 1;
  }

  *value(): Steps<Json> {
    switch (this.text.charCodeAt(this.at)) {
      case quote:
        return longOrShort(yield* this.spelled());
      case openingBrace:
        return yield* this.object();
      case openingBracket:
        return yield* this.list();
      default:
        return this.word();
    }
  }

  private *object(): Steps<JsonObject> {
    const object: JsonObject = {};
    this.at += 1;
    while (!this.isAt(closingBrace)) {
      const name = decoded(yield* this.spelled());
      if (!this.isAt(colon)) throw malformed(this.at);
      this.skip();
      const value = yield* this.value();
      // Set like any other, this name would be that of the prototype.
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true });
      else object[name] = value;
      if (this.isAt(comma)) this.skip();
    }
    return object;
  }

  private *list(): Steps<SpelledList> {
    const start = this.at + 1;
    let depth = 0;
    do {
      const sign = this.text.charCodeAt(this.at);
      if (sign === openingBracket) depth += 1;
      else if (sign === closingBracket) depth -= 1;
      else if (sign === quote) yield* this.spelled();
      else if (Number.isNaN(sign)) throw malformed(start);
      if (sign !== quote) this.at += 1;
      if (this.isNextStep()) yield;
    } while (depth > 0);
    return new SpelledList(this.text.slice(start, this.at - 1));
  }

  /** Goes over the sign where it comes next. */
  private isAt(sign: number | undefined): boolean {
    this.skip();
    if (this.text.charCodeAt(this.at) !== sign) return false;
    this.at += 1;
    return true;
  }

  /** What stands between the quotes. */
  private *spelled(): Steps<string> {
    const start = this.at + 1;
    do {
      this.at = this.text.indexOf('"', this.at + 1);
      if (this.at < 0) throw malformed(start);
      if (this.isNextStep()) yield;
    } while (isOdd(backslashesBefore(this.text, this.at, start)));
    this.at += 1;
    return this.text.slice(start, this.at - 1);
  }

  private isNextStep(): boolean {
    if (this.at < this.nextStep) return false;
    this.nextStep = this.at + longText;
    return true;
  }

  private word(): Json {
    const start = this.at;
    while (isPartOfWord(this.text.charCodeAt(this.at))) this.at += 1;
    const word = this.text.slice(start, this.at);
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === '') throw malformed(start);
    return new SpelledNumber(word);
  }
}

const longOrShort = (spelled: string): string | SpelledText =>
  spelled.length > longText ? new SpelledText(spelled) : decoded(spelled);

const isPartOfWord = (code: number): boolean =>
  code > space && code !== comma && code !== closingBrace && code !== closingBracket;

const malformed = (at: number): Error => new Error(`the text is no JSON at ${at}`);
