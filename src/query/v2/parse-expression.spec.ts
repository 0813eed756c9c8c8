import { describe, expect, it } from 'vitest';
import type { Expression, Property } from './expression.js';
import { parseExpression, parseOrderings } from './parse-expression.js';

const conditions = (count: number): string => Array.from({ length: count }, (_, at) => `id==${at}`).join(' and ');

/** A tree as a text in which every operator has its parentheses. */
function spelled(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return expression.literal === 'text' ? JSON.stringify(expression.text) : expression.text;
    case 'name':
      return `${expression.of ? `${spelled(expression.of)}.` : ''}${expression.name}${expression.args ? `(${expression.args.map(spelled)})` : ''}`;
    case 'cast':
      return `${spelled(expression.of)}.as<${expression.type}>`;
    case 'index':
      return `${spelled(expression.of)}[${expression.key}]`;
    case 'negate':
      return `-${spelled(expression.of)}`;
    case 'not':
      return `!${spelled(expression.of)}`;
    case 'operation':
      return `(${spelled(expression.left)} ${expression.operator} ${spelled(expression.right)})`;
    case 'and':
    case 'or':
      return `(${expression.parts.map(spelled).join(` ${expression.kind} `)})`;
    case 'in':
      return `(${spelled(expression.of)} ${expression.negated ? 'not in' : 'in'} [${expression.values.map(spelled)}])`;
    case 'is':
      return `(${spelled(expression.of)} ${expression.negated ? 'is not' : 'is'} ${spelled(expression.what)})`;
    case 'conditional':
      return `(${spelled(expression.test)} ? ${spelled(expression.yes)} : ${spelled(expression.no)})`;
    case 'object':
      return `{${expression.members.map(member)}}`;
  }
}

const member = ({ name, value }: Property): string =>
  name === undefined ? spelled(value) : `${name}: ${spelled(value)}`;

describe('parseExpression', () => {
  it.each([
    ['a', 'a'],
    ['a.b.c', 'a.b.c'],
    ['a.b(1, c).d', 'a.b(1,c).d'],
    ['a()', 'a()'],
    ['1+2*3-4/5', '((1 + (2 * 3)) - (4 / 5))'],
    ['(1+2)*3', '((1 + 2) * 3)'],
    ['-a*b', '(-a * b)'],
    ['not a = b', '(!a == b)'],
    ['not(a = b)', '!(a == b)'],
    ['!a&&b||c', '((!a and b) or c)'],
    ['a or b and c', '(a or (b and c))'],
    ['(a)and(b)', '(a and b)'],
    ['A AND b Or c', '((A and b) or c)'],
    ['a==3and(b==4.5OR c==1e2or d)', '((a == 3) and ((b == 4.5) or (c == 1e2) or d))'],
    ['a<>b', '(a != b)'],
    ['a <= b + c', '(a <= (b + c))'],
    ['a & b + c == d', '((a & (b + c)) == d)'],
    ['a in [1, 2]', '(a in [1,2])'],
    ['a not in []', '(a not in [])'],
    ['a is null and b is not null', '((a is null) and (b is not null))'],
    ['a ? b : c ? d : e', '(a ? b : (c ? d : e))'],
    ['a > 1 ? 2 : 3', '((a > 1) ? 2 : 3)'],
    ["'it''s' + 'it\\'s'", '("it\'s" + "it\'s")'],
    ['"a\\"b\\n\\u0041"', '"a\\"b\\nA"'],
    ['1.5e-3', '1.5e-3'],
    ['2f', '2'],
    ['TRUE', 'true'],
    ['Null', 'null'],
    ['it.as<UserStory>.name', 'it.as<UserStory>.name'],
    ["CustomValues['a b']", 'CustomValues[a b]'],
    ["'a'in b.c", 'b.c.Contains("a")'],
    ["'a' not in b & c and d", '(!(b & c).Contains("a") and d)'],
    ['{}', '{}'],
    ['{id, n: name, project.id as p, x: {y}}', '{id,n: name,p: project.id,x: {y}}'],
    ['{a ? b : c as d}', '{d: (a ? b : c)}'],
    ['new(id, name as title)', '{id,title: name}'],
    ['имя.é', 'имя.é'],
    [' a\t.\nb ', 'a.b'],
  ])('%s', (text, expected) => expect(spelled(parseExpression('where', text))).toBe(expected));

  it.each([
    ['', 'expected an expression at 0, found the end'],
    ['a b', 'expected an operator or the end at 2, found "b"'],
    ['a.', 'expected a member at 2, found the end'],
    ['a.1', 'expected a member at 2, found "1"'],
    ['f(1', "expected ',' or ')' at 3, found the end"],
    ['a in 1', `expected '[' at 5, found "1"`],
    ['a in (1,2)', `expected '[' at 5, found "("`],
    ['a ? b', "expected ':' at 5, found the end"],
    ['{a b}', `expected ',' or '}' at 3, found "b"`],
    ['a[1]', 'expected a text at 2, found "1"'],
    ['1abc', 'expected a number at 0, found "1abc"'],
    ['1andb', 'expected a number at 0, found "1andb"'],
    ['1eand b', 'expected a number at 0, found "1eand"'],
    ['1and', 'expected an expression at 4, found the end'],
    ["'abc", "expected a closing ' at 4, found the end"],
    ['a # b', 'expected an expression at 2, found "#"'],
    ['and', 'expected an expression at 0, found "and"'],
    ['😀', 'expected an expression at 0, found "😀"'],
    ["'😀' ~", 'expected an expression at 4, found "~"'],
    ['--', 'expected an expression at 2, found the end'],
    [`${'!'.repeat(52)}a`, 'too many levels of parentheses and signs; at most 50'],
    [`${'- '.repeat(26)}${'('.repeat(26)}a${')'.repeat(26)}`, 'too many levels of parentheses; at most 50'],
    [`${'('.repeat(51)}1${')'.repeat(51)}`, 'too many levels of parentheses; at most 50'],
    ['a.'.repeat(1001), 'too many parts; at most 1000'],
    [`a in [${'1,'.repeat(1000)}1]`, 'too many values in a list; at most 1000'],
    [conditions(101), 'too many conditions; at most 100'],
    [`(${conditions(60)}) or not (${conditions(41)})`, 'too many conditions; at most 100'],
    [`tasks.where(${conditions(60)}).any(${conditions(41)})`, 'too many conditions; at most 100'],
  ])('refuses %s', (text, message) => expect(() => parseExpression('where', text)).toThrow(message));

  it.each([
    conditions(100),
    `(${conditions(60)}) or not (${conditions(40)})`,
    `tasks.where(${conditions(60)}).any(${conditions(40)})`,
  ])('takes a hundred conditions: %s', (text) => expect(() => parseExpression('where', text)).not.toThrow());

  it('takes as many levels of parentheses as the message says', () => {
    expect(() => parseExpression('where', `${'('.repeat(50)}-1${')'.repeat(50)}`)).not.toThrow();
    expect(() => parseExpression('where', `${'!'.repeat(51)}a`)).not.toThrow();
  });

  it('takes a list of a thousand values as one part', () => {
    expect(() => parseExpression('where', `a in [${'1,'.repeat(999)}1] and b`)).not.toThrow();
  });
});

describe('parseOrderings', () => {
  it('reads a list with directions', () => {
    const orderings = parseOrderings('orderBy', 'a, b.c desc, d.count() ascending');
    expect(orderings.map(({ by, descending }) => [spelled(by), descending])).toEqual([
      ['a', false],
      ['b.c', true],
      ['d.count()', false],
    ]);
  });

  it('turns the direction that is not said', () => {
    expect(parseOrderings('orderByDesc', 'a, b asc', true).map(({ descending }) => descending)).toEqual([true, false]);
  });
});
