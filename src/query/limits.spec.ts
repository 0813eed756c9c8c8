import { describe, expect, it } from 'vitest';
import { affordable, costLimits, keptRows } from './limits.js';

const padding = ' '.repeat(8 * 1024);
const withTables = (count: number) => ({ text: `${' from "general"'.repeat(count)}${padding}`, parameters: [] });
const withBytes = (count: number) => ({ text: 'x'.repeat(count), parameters: [] });

describe('a statement', () => {
  it.each([
    ['as many tables as are allowed', withTables(costLimits.tables)],
    ['as many bytes as are allowed', withBytes(costLimits.bytes)],
  ])('with %s is taken, and so is the next page, which takes a little more', (_, statement) => {
    expect(affordable(statement)).toBe(statement);
    const next = { ...statement, text: `${statement.text} from "general" from "general"` };
    expect(affordable(next, () => statement)).toBe(next);
    expect(() => affordable(next)).toThrow(/asks for too much at once/);
  });

  it.each([
    ['inside three others', 50, 4, undefined],
    ['inside three others', 51, 4, /51 look-ups behind four references, and at most 50 are allowed/],
    ['inside two others', 80, 3, undefined],
    ['inside nine others', 8, 10, /56 look-ups behind four/],
  ])('with questions %s, %i times', (_, times, depth, refusal) => {
    const one = `${"exists (select 1 from x where y = ' ('')' and ".repeat(depth)}true${')'.repeat(depth)}`;
    const asked = { text: Array(times).fill(one).join(' or ') + padding, parameters: [] };
    if (refusal) expect(() => affordable(asked)).toThrow(refusal);
    else expect(affordable(asked)).toBe(asked);
  });

  it.each([
    ['project_allocation', 41, undefined],
    ['project_allocation', 42, /252 tables, and at most 250 are allowed/],
    ['assigned_effort', 84, /252 tables/],
  ])('with a view is taken as far as its tables go: %s, %i times', (view, times, refusal) => {
    const asked = { text: ` from "${view}"`.repeat(times) + padding, parameters: [] };
    if (refusal) expect(() => affordable(asked)).toThrow(refusal);
    else expect(affordable(asked)).toBe(asked);
  });

  it.each([
    ['order by lower("t1"."name"), "t1"."id" limit 1000', /21 sorts, and at most 20 are allowed/],
    ['order by "t1"."name" limit 99 offset $1::bigint', /21 sorts/],
    ['order by "t1"."name" limit 99 offset $1::bigint /* 150 rows */', /21 sorts/],
    ['order by "t1"."id" desc limit 1000 offset $1::bigint', /21 sorts/],
    ['order by "t1"."id" desc limit 4000', /21 sorts/],
    ['order by "t1"."id" offset $1::bigint', /21 sorts/],
    ['count(distinct "t1"."name")', /21 sorts/],
    ['row_number() over (order by "t1"."id") limit 5', /21 sorts/],
    ['order by "t1"."name") (select "t2"."id" limit 1)', /21 sorts/],
    [`order by "t1"."name" || ' limit 5' limit 100`, /21 sorts/],
    ['order by (select "t2"."name" from "user" "t2" limit 1) limit 100', /21 sorts/],
    ['order by (select "t2"."name" from "user" "t2") limit 99', undefined],
    ['"t1"."name" is distinct from "t1"."id"', undefined],
    ['order by "t1"."name" limit 99', undefined],
    ['order by "t1"."name" limit 50 offset $1::bigint /* 99 rows */', undefined],
    ['order by "t1"."id" desc limit 3809', undefined],
    ['order by "t1"."id" desc limit 1001 offset $1::bigint /* 3800 rows */', undefined],
  ])('is refused where it sorts too often: %s', (sort, refusal) => {
    const [most, more] = [20, 21].map((times) => ({ text: `${sort} `.repeat(times) + padding, parameters: [] }));
    expect(affordable(most!)).toBe(most);
    if (refusal) expect(() => affordable(more!)).toThrow(refusal);
    else expect(affordable(more!)).toBe(more);
  });

  it('may keep 80,000 rows in sorts by Id', () => {
    const sorted = (rows: number, times: number) => ({
      text: `order by "t1"."id" limit ${rows} `.repeat(times) + padding,
      parameters: [],
    });
    for (const most of [sorted(1000, 80), sorted(100, 800)]) expect(affordable(most)).toBe(most);
    for (const more of [sorted(1000, 81), sorted(100, 801)])
      expect(() => affordable(more)).toThrow(/21 sorts, and at most 20 are allowed/);
  });

  it.each([
    [99, ' /* 99 rows */'],
    [100, ' /* 100 rows */'],
    [1026, ' /* 1050 rows */'],
    [3951, ''],
  ])('says of a sort that keeps %i rows:%s', (rows, mark) => expect(keptRows(rows)).toBe(mark));

  it('of a next page is refused where the first page is', () => {
    const [first, next] = [withTables(costLimits.tables + 1), withTables(costLimits.tables + 2)];
    expect(() => affordable(next, () => first)).toThrow(/251 tables, and at most 250 are allowed/);
  });
});
