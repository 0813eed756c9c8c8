/** The tokens of an expression, each with its place, found in linear time. */
import { nulCharacter } from '../../errors.js';
import { comparisonSigns } from '../operators.js';
import type { Source } from '../parameters.js';

export interface Token {
  kind: 'name' | 'integer' | 'real' | 'text' | 'symbol' | 'end';
  /** As it was written; of a text, what it means. */
  text: string;
  /** In UTF-16 units; messages count characters. */
  start: number;
}

// Each pattern is a run of one class with nothing after it that could make it go back.
const blank = /\s+/y;
const word = /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy;
const digits = /[0-9]+/y;
const fraction = /\.[0-9]+/y;
const exponent = /[eE][+-]?[0-9]+/y;
const plain: Record<string, RegExp> = { "'": /[^'\\]+/y, '"': /[^"\\]+/y };

/** Words that may stand right behind a number: `id == 3and (…)`. */
const joining: ReadonlySet<string> = new Set(['and', 'or']);

const symbols = new Set([...comparisonSigns.keys(), '&&', '||', ...'!+-*/&?:.,()[]{}']);

export function scanExpression(source: Source): Token[] {
  const scan = new Scan(source);
  const tokens = [scan.next()];
  while (tokens.at(-1)!.kind !== 'end') tokens.push(scan.next());
  return tokens;
}

class Scan {
  private at = 0;

  constructor(private readonly source: Source) {}

  next(): Token {
    this.run(blank);
    const { text } = this.source;
    const start = this.at;
    if (start >= text.length) return { kind: 'end', text: '', start };
    const name = this.run(word);
    if (name !== '') return { kind: 'name', text: name, start };
    const first = text[start]!;
    if (first >= '0' && first <= '9') return this.number(start);
    if (plain[first]) return { kind: 'text', text: this.quoted(first, plain[first]), start };
    return this.symbol(start);
  }

  private number(start: number): Token {
    const whole = this.run(digits);
    const real = whole + this.run(fraction) + this.run(exponent);
    const isFloat = /[fF]/.test(this.source.text[this.at] ?? '');
    if (isFloat) this.at++;
    const end = this.at;
    if (joining.has(this.run(word).toLowerCase())) this.at = end;
    if (this.at !== end) throw this.source.refuse(start, 'a number', this.source.text.slice(start, this.at));
    const isReal = isFloat || real !== whole;
    return { kind: isReal ? 'real' : 'integer', text: real, start };
  }

  private symbol(start: number): Token {
    const two = this.source.text.slice(start, start + 2);
    const text = symbols.has(two) ? two : two.slice(0, 1);
    if (!symbols.has(text))
      throw this.source.refuse(start, 'an expression', String.fromCodePoint(this.source.text.codePointAt(start)!));
    this.at += text.length;
    return { kind: 'symbol', text, start };
  }

  /** A backslash or a doubled quote stands for the character itself. */
  private quoted(quote: string, run: RegExp): string {
    const { text } = this.source;
    const start = this.at++;
    let meant = this.run(run);
    while (this.at < text.length) {
      const special = text[this.at++]!;
      if (special === '\\') meant += this.escaped();
      else if (text[this.at] === quote) meant += text[this.at++]!;
      else return this.checked(meant, start);
      meant += this.run(run);
    }
    throw this.source.refuse(text.length, `a closing ${quote}`, '');
  }

  private escaped(): string {
    const { text } = this.source;
    const character = text[this.at++];
    if (character === undefined) return '';
    if (character === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(this.at, this.at + 4))) {
      this.at += 4;
      return String.fromCharCode(Number.parseInt(text.slice(this.at - 4, this.at), 16));
    }
    return escapes[character] ?? character;
  }

  private checked(meant: string, start: number): string {
    if (meant.includes('\0')) throw nulCharacter(this.source.parameter);
    if (!meant.isWellFormed()) throw this.source.refuse(start, 'a text of whole characters', 'half of a character');
    return meant;
  }

  private run(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.source.text)?.[0] ?? '';
    this.at += match.length;
    return match;
  }
}

const escapes: Readonly<Record<string, string | undefined>> = { n: '\n', r: '\r', t: '\t', 0: '\0' };
