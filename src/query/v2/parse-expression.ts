/** Turns the text of an expression into a tree, or says where it stops making sense. */
import { type ApiError, tooMuch } from '../../errors.js';
import { limits } from '../limits.js';
import { comparisonNames, comparisonSigns, comparisons, partOperators } from '../operators.js';
import { Source } from '../parameters.js';
import type { Expression, Operator, Ordering, Property } from './expression.js';
import { scanExpression, type Token } from './scan-expression.js';

export function parseExpression(parameter: string, text: string): Expression {
  const parser = new Parser(new Source(parameter, text));
  return parser.whole(() => parser.expression());
}

/** `name, effort desc` */
export function parseOrderings(parameter: string, text: string, descending = false): Ordering[] {
  const parser = new Parser(new Source(parameter, text));
  const orderings = parser.whole(() => parser.list(() => parser.ordering(descending)));
  if (orderings.length > limits.orders) throw tooMuch(parameter, 'too many fields', limits.orders);
  return orderings;
}

/** `state: entityState.name, owner.id` */
export function parseProperties(parameter: string, text: string): Property[] {
  const parser = new Parser(new Source(parameter, text));
  return parser.whole(() => parser.list(() => parser.property()));
}

/** How tightly each operator of two sides binds, up to 4; sides of the same operator group to the left. */
const binding: Readonly<Record<string, { level: number; operator: Operator } | undefined>> = {
  ...Object.fromEntries(
    [...comparisonSigns].map(([sign, name]) => [sign, { level: 1, operator: comparisons[name].signs[0] }] as const),
  ),
  '&': { level: 2, operator: '&' },
  '+': { level: 3, operator: '+' },
  '-': { level: 3, operator: '-' },
  '*': { level: 4, operator: '*' },
  '/': { level: 4, operator: '/' },
};

/** What clients of version 1 and of databases write between two sides. */
const otherWords: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  ...Object.fromEntries(comparisonNames.map((name) => [name, `'${comparisons[name].signs[0]}'`])),
  ...Object.fromEntries(partOperators.flatMap(({ word, method }) => (word ? [[word, `'.${method}(…)'`]] : []))),
  like: "'.Contains(…)'",
});

const reserved = new Set(['and', 'or', 'not', 'in', 'is', 'as', 'asc', 'ascending', 'desc', 'descending']);

/** Conditions that are counted by themselves, also where they are denied together. */
const isSeries = (part: Expression): boolean =>
  part.kind === 'not' ? isSeries(part.of) : part.kind === 'and' || part.kind === 'or';

class Parser {
  private depth = 0;
  private readonly tokens: Token[];
  private index = 0;
  private parts = 0;
  /** What is joined by `and` and `or`. */
  private conditions = 0;
  /** The values of lists have a limit of their own. */
  private isListing = false;

  constructor(private readonly source: Source) {
    this.tokens = scanExpression(source);
  }

  private made(expression: Expression): Expression {
    if (this.isListing && expression.kind === 'literal') return expression;
    this.parts++;
    this.check(this.parts, 'parts', 'too many parts');
    return expression;
  }

  private check(used: number, limit: keyof typeof limits, excess: string): void {
    if (used > limits[limit]) throw tooMuch(this.source.parameter, excess, limits[limit]);
  }

  private get token(): Token {
    return this.tokens[this.index]!;
  }

  private take(symbol: string): boolean {
    const matches = this.token.kind === 'symbol' && this.token.text === symbol;
    if (matches) this.index++;
    return matches;
  }

  private isWord(word: string): boolean {
    return this.token.kind === 'name' && this.token.text.toLowerCase() === word;
  }

  private takeWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.index++;
    return true;
  }

  private name(expected: string): string {
    if (this.token.kind !== 'name') throw this.refuse(expected);
    return this.tokens[this.index++]!.text;
  }

  private expect(symbol: string): void {
    if (!this.take(symbol)) throw this.refuse(`'${symbol}'`);
  }

  /** `>==` behind a type closes it and compares. */
  private splitGreater(): void {
    const { kind, text, start } = this.token;
    if (kind !== 'symbol' || text !== '>=') return;
    const next = this.tokens[this.index + 1];
    const isDoubled = next?.kind === 'symbol' && next.text === '=' && next.start === start + 2;
    const equal: Token = { kind: 'symbol', text: isDoubled ? '==' : '=', start: start + 1 };
    this.tokens.splice(this.index, isDoubled ? 2 : 1, { kind: 'symbol', text: '>', start }, equal);
  }

  private refuse(expected: string): ApiError {
    const { text, start } = this.token;
    return this.source.refuse(start, expected, text);
  }

  whole<Read>(read: () => Read): Read {
    const parsed = read();
    const { kind, text } = this.token;
    if (kind === 'end') return parsed;
    const meant = kind === 'name' ? otherWords[text.toLowerCase()] : undefined;
    throw this.refuse(meant ? `an operator such as ${meant}` : 'an operator or the end');
  }

  list<Item>(one: () => Item): Item[] {
    const items = [one()];
    while (this.take(',')) items.push(one());
    return items;
  }

  ordering(descending: boolean): Ordering {
    const by = this.expression();
    if (this.takeWord('desc') || this.takeWord('descending')) return { by, descending: true };
    return { by, descending: this.takeWord('asc') || this.takeWord('ascending') ? false : descending };
  }

  property(): Property {
    const { kind, text, start } = this.token;
    const next = this.tokens[this.index + 1];
    if (kind === 'name' && next?.kind === 'symbol' && next.text === ':') {
      this.index += 2;
      return { at: start, name: text, value: this.expression() };
    }
    const value = this.expression();
    return this.takeWord('as') ? { at: start, name: this.name('a name'), value } : { at: start, value };
  }

  expression(): Expression {
    // The outermost expression stands in nothing.
    this.check(this.depth++, 'nesting', 'too many levels of parentheses');
    let result = this.any();
    const at = this.token.start;
    if (this.take('?')) {
      const yes = this.expression();
      this.expect(':');
      result = this.made({ kind: 'conditional', at, test: result, yes, no: this.expression() });
    }
    this.depth--;
    return result;
  }

  private any(): Expression {
    return this.series('or', '||', () => this.every());
  }

  private every(): Expression {
    return this.series('and', '&&', () => this.operations(1));
  }

  private series(kind: 'and' | 'or', sign: string, one: () => Expression): Expression {
    const first = one();
    const at = this.token.start;
    const parts = [first];
    while (this.take(sign) || this.takeWord(kind)) parts.push(one());
    if (parts.length === 1) return first;
    this.conditions += parts.filter((part) => !isSeries(part)).length;
    this.check(this.conditions, 'conditions', 'too many conditions');
    return this.made({ kind, at, parts });
  }

  private operations(level: number): Expression {
    if (level > 4) return this.unary();
    let left = this.operations(level + 1);
    for (;;) {
      const at = this.token.start;
      const row = this.token.kind === 'symbol' ? binding[this.token.text] : undefined;
      if (row?.level === level) {
        this.index++;
        const right = this.operations(level + 1);
        left = this.made({ kind: 'operation', at, operator: row.operator, left, right });
        continue;
      }
      const tested = level === 1 ? this.tested(left, at) : undefined;
      if (!tested) return left;
      left = tested;
    }
  }

  /** `in […]`, `not in […]`, `'text' in name`, `is null`, `is not null`, `is Me` */
  private tested(of: Expression, at: number): Expression | undefined {
    if (this.takeWord('is')) {
      const negated = this.takeWord('not');
      return this.made({ kind: 'is', at, of, what: this.unary(), negated });
    }
    const negated = this.isWord('not') && this.tokens[this.index + 1]?.text.toLowerCase() === 'in';
    if (negated) this.index++;
    if (!this.takeWord('in')) return undefined;
    if (this.token.kind === 'name') return this.within(of, at, negated);
    this.expect('[');
    this.isListing = true;
    const values = this.take(']') ? [] : this.closed(']');
    this.isListing = false;
    this.check(values.length, 'listValues', 'too many values in a list');
    return this.made({ kind: 'in', at, of, values, negated });
  }

  /** What is in a text or in a collection is contained by it. */
  private within(part: Expression, at: number, negated: boolean): Expression {
    const whole = this.operations(2);
    const contains = this.made({ kind: 'name', at, of: whole, name: 'Contains', args: [part] });
    return negated ? this.made({ kind: 'not', at, of: contains }) : contains;
  }

  /** `-effort`, `not(done)`, `not not done`. One sign is no level, further ones in a row are. */
  private unary(isSigned = false): Expression {
    const at = this.token.start;
    const kind = this.sign();
    if (!kind) return this.postfix();
    if (isSigned) this.check(this.depth++, 'nesting', 'too many levels of parentheses and signs');
    const of = this.unary(true);
    if (isSigned) this.depth--;
    return this.made({ kind, at, of });
  }

  private sign(): 'negate' | 'not' | undefined {
    if (this.take('-')) return 'negate';
    return this.take('!') || this.takeWord('not') ? 'not' : undefined;
  }

  private postfix(): Expression {
    let result = this.primary();
    for (;;) {
      if (this.take('.')) result = this.member(result);
      else if (this.take('[')) {
        const { kind, text: key, start: at } = this.token;
        if (kind !== 'text') throw this.refuse('a text');
        this.index++;
        this.expect(']');
        result = this.made({ kind: 'index', at, of: result, key });
      } else return result;
    }
  }

  private member(of: Expression): Expression {
    const at = this.token.start;
    const name = this.name('a member');
    if (name.toLowerCase() === 'as' && this.take('<')) {
      const type = this.name('a type');
      this.splitGreater();
      this.expect('>');
      return this.made({ kind: 'cast', at, of, type });
    }
    return this.made({ kind: 'name', at, of, name, args: this.args() });
  }

  private args(): Expression[] | undefined {
    if (!this.take('(')) return undefined;
    return this.take(')') ? [] : this.closed(')');
  }

  /** The rest of a list, and what closes it. */
  private closed(bracket: string): Expression[] {
    const items = this.list(() => this.expression());
    if (!this.take(bracket)) throw this.refuse(`',' or '${bracket}'`);
    return items;
  }

  private primary(): Expression {
    const { kind, text, start: at } = this.token;
    switch (kind) {
      case 'text':
      case 'integer':
      case 'real':
        this.index++;
        return this.made({ kind: 'literal', at, literal: kind, text });
      case 'name':
        return this.named(text, at);
      case 'symbol':
        if (this.take('(')) {
          const inner = this.expression();
          this.expect(')');
          return inner;
        }
        if (this.take('{')) return this.object('}', at);
    }
    throw this.refuse('an expression');
  }

  private named(name: string, at: number): Expression {
    const key = name.toLowerCase();
    if (reserved.has(key)) throw this.refuse('an expression');
    this.index++;
    if (key === 'true' || key === 'false') return this.made({ kind: 'literal', at, literal: 'boolean', text: key });
    if (key === 'null') return this.made({ kind: 'literal', at, literal: 'null', text: key });
    if (key === 'new' && this.take('(')) return this.object(')', at);
    return this.made({ kind: 'name', at, name, args: this.args() });
  }

  private object(bracket: string, at: number): Expression {
    const members = this.take(bracket) ? [] : this.list(() => this.property());
    this.check(members.length, 'includeItems', 'too many members');
    if (members.length > 0 && !this.take(bracket)) throw this.refuse(`',' or '${bracket}'`);
    return this.made({ kind: 'object', at, members });
  }
}
