/** Turns the text of an expression into a tree, or says where it stops making sense. */
import { tooMuch } from '../../errors.js';
import { limits } from '../limits.js';
import { comparisonNames, comparisonSigns, comparisons, partOperators } from '../operators.js';
import { Source } from '../parameters.js';
import { Cursor } from './cursor.js';
import type { Expression, Operator, Ordering, Property } from './expression.js';

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

/** How tightly each operator of two sides binds; sides of the same operator group to the left. */
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
const tightest = 4;

const otherWords: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  ...Object.fromEntries(comparisonNames.map((name) => [name, `'${comparisons[name].signs[0]}'`])),
  ...Object.fromEntries(partOperators.flatMap(({ word, method }) => (word ? [[word, `'.${method}(…)'`]] : []))),
  like: "'.Contains(…)'",
});

const reserved = new Set(['and', 'or', 'not', 'in', 'is', 'as', 'asc', 'ascending', 'desc', 'descending']);

class Parser extends Cursor {
  private depth = 0;

  whole<Read>(read: () => Read): Read {
    const parsed = read();
    if (this.token.kind !== 'end') throw this.refuse(this.operatorMeant());
    return parsed;
  }

  /** What clients of version 1 and of databases write between two sides. */
  private operatorMeant(): string {
    const meant = this.token.kind === 'name' ? otherWords[this.token.text.toLowerCase()] : undefined;
    return meant ? `an operator such as ${meant}` : 'an operator or the end';
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
    this.depth++;
    if (this.depth > limits.nesting) {
      throw tooMuch(this.source.parameter, 'too many levels of parentheses', limits.nesting);
    }
    const test = this.any();
    const at = this.token.start;
    let result = test;
    if (this.take('?')) {
      const yes = this.expression();
      this.expect(':');
      result = this.made({ kind: 'conditional', at, test, yes, no: this.expression() });
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
    return parts.length === 1 ? first : this.made({ kind, at, parts });
  }

  private operations(level: number): Expression {
    if (level > tightest) return this.unary();
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

  /** `in […]`, `not in […]`, `is null`, `is not null`, `is Me` */
  private tested(of: Expression, at: number): Expression | undefined {
    if (this.takeWord('is')) {
      const negated = this.takeWord('not');
      return this.made({ kind: 'is', at, of, what: this.unary(), negated });
    }
    const negated = this.isWord('not') && this.tokens[this.index + 1]?.text.toLowerCase() === 'in';
    if (negated) this.index++;
    if (!this.takeWord('in')) return undefined;
    this.expect('[');
    this.isListing = true;
    const values = this.take(']') ? [] : this.closed(']');
    this.isListing = false;
    if (values.length > limits.listValues) {
      throw tooMuch(this.source.parameter, 'too many values in a list', limits.listValues);
    }
    return this.made({ kind: 'in', at, of, values, negated });
  }

  private unary(): Expression {
    const at = this.token.start;
    if (this.take('-')) return this.made({ kind: 'negate', at, of: this.postfix() });
    if (this.take('!') || this.takeWord('not')) return this.made({ kind: 'not', at, of: this.postfix() });
    return this.postfix();
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
        if (this.take('(')) return this.inner(')');
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

  private inner(bracket: string): Expression {
    const inner = this.expression();
    this.expect(bracket);
    return inner;
  }

  private object(bracket: string, at: number): Expression {
    const members = this.take(bracket) ? [] : this.list(() => this.property());
    if (members.length > limits.includeItems) {
      throw tooMuch(this.source.parameter, 'too many members', limits.includeItems);
    }
    if (members.length > 0 && !this.take(bracket)) throw this.refuse(`',' or '${bracket}'`);
    return this.made({ kind: 'object', at, members });
  }
}
