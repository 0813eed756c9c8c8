import { describe, expect, it } from 'vitest';
import { all, column, columnsOf, constant, glue, late, literal, name, raw, sql, statement, value } from './sql.js';

describe('statement', () => {
  it('numbers values in their order and casts them', () => {
    const { text, parameters } = statement(sql`select ${value('a', 'text')}, ${value(1, 'int')}`);
    expect(text).toBe('select $1::text, $2::int');
    expect(parameters).toEqual([
      { kind: 'value', value: 'a' },
      { kind: 'value', value: 1 },
    ]);
  });

  it('gives a late value one placeholder however often it stands', () => {
    const user = late('actor.user');
    expect(statement(sql`${user} = ${value(2, 'int')} or ${user} = 3`).text).toBe(
      '$1::bigint = $2::int or $1::bigint = 3',
    );
  });

  it('tells lists of ids apart by their places', () => {
    const { text, parameters } = statement(sql`${late('ids', 0)}, ${late('ids', 1)}, ${late('ids', 0)}`);
    expect(text).toBe('$1::bigint[], $2::bigint[], $1::bigint[]');
    expect(parameters).toEqual([
      { kind: 'late', late: 'ids', place: 0 },
      { kind: 'late', late: 'ids', place: 1 },
    ]);
  });
});

describe('name', () => {
  it('quotes what the model may be called', () => expect(statement(name('user_story')).text).toBe('"user_story"'));

  it.each(['User', 'a"b', 'a b', '', 'a;drop', "a'b"])('refuses %j', (text) => {
    expect(() => name(text)).toThrow('not an identifier');
  });
});

describe('literal', () => {
  it.each([1.5, Number.NaN, 2 ** 60, Number.POSITIVE_INFINITY])('refuses %s', (number) => {
    expect(() => literal(number)).toThrow('not a whole number');
  });
});

it('doubles quotes in constants', () => expect(statement(constant("it's")).text).toBe("'it''s'"));

it('spells no condition as true', () => {
  expect(statement(all([])).text).toBe('true');
  expect(statement(all([raw('a'), raw('b')])).text).toBe('a and b');
});

describe('glue', () => {
  const id = column(name('t'), 'id');

  it.each([
    [[], "''"],
    [['a', 'b'], "'ab'"],
    [['a', id, 'b', 'c', id], `(('a' || "t"."id") || ('bc' || "t"."id"))`],
    [['a', id, id, 'b'], `(('a' || "t"."id" || "t"."id") || ('b'))`],
    [['a', id, 'b', id, 'c', id], `((('a' || "t"."id") || ('b' || "t"."id")) || ('c' || "t"."id"))`],
    // Each is copied for every one that follows, so only a few are joined in a row.
    [[id, id, id, id, id], `(('' || "t"."id" || "t"."id" || "t"."id" || "t"."id") || ('' || "t"."id"))`],
    // An expression alone must be joined to text, or a number would stay one.
    [[id, 'a'], `(('' || "t"."id") || ('a'))`],
  ])('%#', (pieces, expected) => expect(statement(glue(pieces)).text).toBe(expected));
});

describe('columnsOf', () => {
  it('tells each column of one row once, however deep it stands', () => {
    const [shown, other] = [name('i'), name('t')];
    const inner = sql`(select 1 from x where ${column(other, 'id')} = ${column(shown, 'project_id')})`;
    const read = columnsOf(sql`${column(shown, 'id')} || ${inner} || ${column(shown, 'id')}`, shown);
    expect(read.map((one) => statement(one).text)).toEqual(['"id"', '"project_id"']);
  });
});
