/** Walks over the tokens of an expression, and counts the parts that are made of them. */
import { type ApiError, tooMuch } from '../../errors.js';
import { limits } from '../limits.js';
import type { Source } from '../parameters.js';
import type { Expression } from './expression.js';
import { scanExpression, type Token } from './scan-expression.js';

export class Cursor {
  protected readonly tokens: Token[];
  protected index = 0;
  private parts = 0;
  /** The values of lists have a limit of their own. */
  protected isListing = false;

  constructor(protected readonly source: Source) {
    this.tokens = scanExpression(source);
  }

  protected made(expression: Expression): Expression {
    if (this.isListing && expression.kind === 'literal') return expression;
    this.parts++;
    if (this.parts > limits.parts) {
      throw tooMuch(this.source.parameter, 'too many parts', limits.parts);
    }
    return expression;
  }

  protected get token(): Token {
    return this.tokens[this.index]!;
  }

  protected take(symbol: string): boolean {
    const matches = this.token.kind === 'symbol' && this.token.text === symbol;
    if (matches) this.index++;
    return matches;
  }

  protected isWord(word: string): boolean {
    return this.token.kind === 'name' && this.token.text.toLowerCase() === word;
  }

  protected takeWord(word: string): boolean {
    const matches = this.isWord(word);
    if (matches) this.index++;
    return matches;
  }

  protected name(expected: string): string {
    if (this.token.kind !== 'name') throw this.refuse(expected);
    return this.tokens[this.index++]!.text;
  }

  protected expect(symbol: string): void {
    if (!this.take(symbol)) throw this.refuse(`'${symbol}'`);
  }

  /** `>==` behind a type closes it and compares. */
  protected splitGreater(): void {
    const { kind, text, start } = this.token;
    if (kind !== 'symbol' || text !== '>=') return;
    const next = this.tokens[this.index + 1];
    const isDoubled = next?.kind === 'symbol' && next.text === '=' && next.start === start + 2;
    const equal: Token = { kind: 'symbol', text: isDoubled ? '==' : '=', start: start + 1 };
    this.tokens.splice(this.index, isDoubled ? 2 : 1, { kind: 'symbol', text: '>', start }, equal);
  }

  protected refuse(expected: string): ApiError {
    const { text, start } = this.token;
    return this.source.refuse(start, expected, text);
  }
}
