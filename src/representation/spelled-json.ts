/**
 * Reads JSON that the database wrote. Numbers keep the places that they are spelled with, and lists are read when their
 * values are asked for: read, they would take ten times as much memory as their texts.
 */

/** A number as it is spelled. */
export class SpelledNumber {
  constructor(readonly text: string) {}
}

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

export type Json = string | boolean | null | undefined | SpelledNumber | SpelledList | JsonObject;

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !(value instanceof SpelledNumber) && !(value instanceof SpelledList);

/** The values of a text, one behind the other, with commas between them. */
export function* valuesIn(text: string): Generator<Json> {
  const reading = new Reading(text);
  for (reading.skip(); reading.at < text.length; reading.skip()) {
    yield reading.value();
    reading.skip();
    reading.at += 1;
  }
}

const [quote, comma, colon, backslash] = [...'",:\\'].map((sign) => sign.charCodeAt(0));
const [openingBracket, closingBracket, openingBrace, closingBrace] = [...'[]{}'].map((sign) => sign.charCodeAt(0));
const space = 0x20;

class Reading {
  at = 0;

  constructor(private readonly text: string) {}

  skip(): void {
    while (this.text.charCodeAt(this.at) <= space) this.at += 1;
  }

  value(): Json {
    switch (this.text.charCodeAt(this.at)) {
      case quote:
        return this.string();
      case openingBrace:
        return this.object();
      case openingBracket:
        return this.list();
      default:
        return this.word();
    }
  }

  private object(): JsonObject {
    const object: JsonObject = {};
    this.at += 1;
    while (!this.isAt(closingBrace)) {
      const name = this.string();
      if (!this.isAt(colon)) throw malformed(this.at);
      this.skip();
      const value = this.value();
      // Set like any other, this name would be that of the prototype.
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true });
      else object[name] = value;
      if (this.isAt(comma)) this.skip();
    }
    return object;
  }

  private list(): SpelledList {
    const start = this.at + 1;
    let depth = 0;
    do {
      const sign = this.text.charCodeAt(this.at);
      if (sign === openingBracket) depth += 1;
      else if (sign === closingBracket) depth -= 1;
      else if (sign === quote) this.at = this.endOfString(this.at);
      else if (Number.isNaN(sign)) throw malformed(start);
      this.at += 1;
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

  private string(): string {
    const start = this.at;
    const end = this.endOfString(start);
    this.at = end + 1;
    const inside = this.text.slice(start + 1, end);
    return inside.includes('\\') ? (JSON.parse(this.text.slice(start, end + 1)) as string) : inside;
  }

  /** Where its closing quote is. */
  private endOfString(start: number): number {
    let end = this.text.indexOf('"', start + 1);
    while (this.isEscaped(end)) end = this.text.indexOf('"', end + 1);
    if (end < 0) throw malformed(start);
    return end;
  }

  /** Behind an odd number of backslashes. */
  private isEscaped(at: number): boolean {
    let before = at;
    while (this.text.charCodeAt(before - 1) === backslash) before -= 1;
    return (at - before) % 2 === 1;
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

const isPartOfWord = (code: number): boolean =>
  code > space && code !== comma && code !== closingBrace && code !== closingBracket;

const malformed = (at: number): Error => new Error(`the text is no JSON at ${at}`);
