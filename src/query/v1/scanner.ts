/** Walks once through the text of a parameter: words, quoted texts, symbols and limits, each in linear time. */
import { type ApiError, tooMuch } from '../../errors.js';
import { limits } from '../limits.js';
import { Source } from '../parameters.js';
import type { Literal, Path } from './query.js';

// Each pattern is a run of one class with nothing after it, so that matching never goes back.
const whiteSpace = /\s+/y;
export const bareWord = /[\p{L}\p{M}\p{N}_.+:@-]+/uy;
const letters = /[a-z]+/iy;
const bareName = /[\p{L}\p{M}\p{N}_-]+/uy;
const dottedName = /[\p{L}\p{M}\p{N}_.-]+/uy;
const listName = /[^,[\]]+/y;
const behindValue = /\s*(?:$|[,)\]]|(?:and|or)(?![\p{L}\p{M}\p{N}_.+:@-]))/iuy;
const quotedRun: Record<string, RegExp> = { "'": /[^'\\]+/y, '"': /[^"\\]+/y };

const escapable = new Set(["'", '"', '\\']);

const excess = {
  depth: 'too many levels of names',
  nesting: 'too many levels of parentheses',
  conditions: 'too many conditions',
  listValues: 'too many values in a list',
  includeItems: 'too many fields',
  aggregates: 'too many aggregates',
  orders: 'too many fields',
} satisfies Partial<Record<keyof typeof limits, string>>;

export type Limit = keyof typeof excess;

/** A literal, and where it stands in the text. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

/** What the grammar of `where` wants next. */
export type Wanted = 'path' | 'operator' | 'opening' | 'value' | 'listValue' | 'separator' | 'joiner';

/** Where it begins in the text, and the path that was read last. */
export interface Gap {
  wanted: Wanted;
  from: number;
  path: Path;
}

/**
 * Methods named `take…` skip white space and consume what they name, or else consume nothing; `run` and `quoted` start
 * right here.
 */
export class Scanner extends Source {
  #index = 0;
  readonly #used = new Map<Limit, number>();
  readonly #words: Word[] = [];
  #gap: Gap = { wanted: 'path', from: 0, path: [] };

  /** Skips white space. Gives where the next begins. */
  here(): number {
    this.run(whiteSpace);
    return this.#index;
  }

  /** Notes what comes next, for who completes a text that ends there. */
  want(wanted: Wanted, path = this.#gap.path): void {
    this.#gap = { wanted, from: this.here(), path };
  }

  /** What was wanted last. */
  get gap(): Gap {
    return this.#gap;
  }

  take(symbol: string): boolean {
    this.run(whiteSpace);
    return this.takeAdjacent(symbol);
  }

  takeAdjacent(symbol: string): boolean {
    if (this.text[this.#index] !== symbol) return false;
    this.#index++;
    return true;
  }

  /** A whole word of the table, in any letter case. */
  takeFrom<Row>(table: { get(word: string): Row | undefined }): Row | undefined {
    this.run(whiteSpace);
    const start = this.#index;
    const row = table.get(this.run(bareWord).toLowerCase());
    if (row === undefined) this.#index = start;
    return row;
  }

  /** A word of the table with a number right behind it, which stays: `eq5`. */
  takeBeforeNumber<Row>(table: ReadonlyMap<string, Row>): Row | undefined {
    this.run(whiteSpace);
    const start = this.#index;
    const row = table.get(this.run(letters).toLowerCase());
    if (row !== undefined && /[-+\d]/.test(this.text[this.#index] ?? '')) return row;
    this.#index = start;
    return undefined;
  }

  takeWord(word: string): boolean {
    return this.takeFrom({ get: (candidate) => candidate === word || undefined }) ?? false;
  }

  /** A word right before an opening parenthesis, such as `not (`. */
  takeCall(word: string): boolean {
    const start = this.#index;
    if (this.takeWord(word) && this.take('(')) return true;
    this.#index = start;
    return false;
  }

  /** The run of a class of characters; may be empty. */
  run(characters: RegExp): string {
    characters.lastIndex = this.#index;
    const run = characters.exec(this.text)?.[0] ?? '';
    this.#index += run.length;
    return run;
  }

  /**
   * A value without quotes, which may be empty. Of `3and` the number alone is one where the text does not go on as it
   * would behind a value.
   */
  bareValue(): string {
    const start = this.#index;
    const bare = this.run(bareWord);
    const [number] = /^[-+]?\d+(?:\.\d+)?(?=(?:and|or)$)/i.exec(bare) ?? [];
    if (number === undefined || this.#goesOn()) return bare;
    this.#index = start + number.length;
    return number;
  }

  #goesOn(): boolean {
    behindValue.lastIndex = this.#index;
    return behindValue.test(this.text);
  }

  /** A quoted text without its quotes and escapes, or undefined when there is no quote here. */
  quoted(): string | undefined {
    const quote = this.text[this.#index] ?? '';
    const plain = quotedRun[quote];
    if (!plain) return undefined;
    this.#index++;
    let text = this.run(plain);
    while (this.#index < this.text.length) {
      const escaped = this.#escaped(quote);
      if (escaped === undefined) return text;
      text += escaped + this.run(plain);
    }
    throw this.unexpected(`a closing ${quote}`);
  }

  /** The text must be over. */
  end(expected: string): void {
    this.here();
    if (this.#index < this.text.length) throw this.unexpected(expected);
  }

  /** `read` reads a literal from right here. Gives its place among all. */
  literal(read: () => string): Literal {
    const start = this.#index;
    const text = read();
    const place = this.#words.push({ text, start, end: this.#index }) - 1;
    return { text, place };
  }

  /** The literals that were read, in order. */
  get words(): readonly Word[] {
    return this.#words;
  }

  /** The complaint that something else was expected right here, or where `actual` begins. */
  unexpected(expected: string, start = this.#index, actual = this.#next()): ApiError {
    return this.refuse(start, expected, actual);
  }

  #next(): string {
    const next = this.text.codePointAt(this.#index);
    return this.run(bareWord) || (next === undefined ? '' : String.fromCodePoint(next));
  }

  check(limit: Limit, used: number): void {
    if (used > limits[limit]) throw tooMuch(this.parameter, excess[limit], limits[limit]);
  }

  /** One more of what is counted over the whole text. */
  spend(limit: Limit): void {
    const used = (this.#used.get(limit) ?? 0) + 1;
    this.check(limit, used);
    this.#used.set(limit, used);
  }

  /** Reads something one level deeper; refused before the stack can grow beyond the limit. */
  within<Read>(limit: Limit, read: () => Read): Read {
    this.spend(limit);
    const result = read();
    this.#used.set(limit, this.#used.get(limit)! - 1);
    return result;
  }

  /** At a quote or a backslash inside a quoted text: what it stands for, or undefined when it closes the text. */
  #escaped(quote: string): string | undefined {
    const special = this.text[this.#index++]!;
    const next = this.text[this.#index] ?? '';
    if (special === quote) return this.takeAdjacent(quote) ? quote : undefined;
    if (!escapable.has(next)) return special;
    this.#index++;
    return next;
  }
}

/**
 * A value of a condition: `'In Progress'`, `-3.5`, `2026-01-05T10:00:00Z` or `@Today`; what it means is decided later.
 */
export function scanValue(scanner: Scanner): Literal {
  scanner.here();
  return scanner.literal(() => {
    const quoted = scanner.quoted();
    if (quoted !== undefined) return quoted;
    const bare = scanner.bareValue();
    if (bare === '') throw scanner.unexpected('a value');
    return bare;
  });
}

/** `Project.Name`, `'CustomFields.Release Notes'` or `CustomFields.'Release Notes'`. */
export function scanPath(scanner: Scanner): Path {
  const start = scanner.here();
  const whole = scanner.quoted();
  const parts = whole === undefined ? [partHere(scanner)] : whole.split('.');
  while (scanner.takeAdjacent('.')) parts.push(scanner.quoted() ?? partHere(scanner));
  const names = joinCustomName(parts);
  scanner.check('depth', names.length);
  if (names.some((name) => name.trim() === '')) throw scanner.unexpected('a field name', start, whole || "''");
  return names;
}

/** One name of a list, or a path, which is refused by what it names. Names of custom fields may hold white space. */
export function scanName(scanner: Scanner, isCustom = false): string {
  scanner.here();
  const name = scanner.quoted() ?? (isCustom ? scanner.run(listName) : bareNameOrPath(scanner)).trimEnd();
  if (name === '') throw scanner.unexpected('a field name');
  return name;
}

function bareNameOrPath(scanner: Scanner): string {
  const path = scanner.run(dottedName);
  return path.split('.').slice(0, -1).some(isCustomFields) ? path + scanner.run(listName) : path;
}

/** The whole text as a list of one or more, `a, b`, or in brackets, where it may be empty. `hint`: of the last item. */
export function scanList<Item>(scanner: Scanner, one: () => Item, hint = () => ''): Item[] {
  const isBracketed = scanner.take('[');
  const items = isBracketed ? scanBracketed(scanner, one) : scanSeparated(scanner, one);
  scanner.end(isBracketed ? 'the end' : `',' or the end${hint()}`);
  return items;
}

/** What follows an opening bracket, up to the closing one. */
export function scanBracketed<Item>(scanner: Scanner, one: () => Item): Item[] {
  if (scanner.take(']')) return [];
  const items = scanSeparated(scanner, one);
  if (!scanner.take(']')) throw scanner.unexpected("',' or ']'");
  return items;
}

export function scanSeparated<Item>(scanner: Scanner, one: () => Item): Item[] {
  const items = [one()];
  while (scanner.take(',')) items.push(one());
  return items;
}

export const isCustomFields = (name: string): boolean => name.toLowerCase() === 'customfields';

function partHere(scanner: Scanner): string {
  const name = scanner.run(bareName);
  if (name === '') throw scanner.unexpected('a field name');
  return name;
}

/** A custom field's name may hold dots, so all that follows `CustomFields` is one name. */
export function joinCustomName(parts: string[]): string[] {
  const first = parts.findIndex(isCustomFields) + 1;
  if (first === 0 || first === parts.length) return parts;
  return [...parts.slice(0, first), parts.slice(first).join('.')];
}
