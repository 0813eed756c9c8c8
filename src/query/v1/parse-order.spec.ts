import { expect, it } from 'vitest';
import { limits } from '../limits.js';
import { type OrderTexts, parseOrder } from './parse.js';

const spelled = (texts: OrderTexts) =>
  parseOrder(texts).map(({ path, descending }) => `${path.join('/')} ${descending ? 'desc' : 'asc'}`);

it.each<[OrderTexts, string[]]>([
  [{}, []],
  [{ orderBy: 'CreateDate' }, ['CreateDate asc']],
  [{ orderByDesc: 'id' }, ['id desc']],
  [{ orderBy: 'Project.Name desc , Id' }, ['Project/Name desc', 'Id asc']],
  [{ orderBy: 'a ASC,b Descending,c ascending,d DESC' }, ['a asc', 'b desc', 'c asc', 'd desc']],
  [{ orderByDesc: 'a,b asc,c desc' }, ['a desc', 'b asc', 'c desc']],
  [{ orderByDesc: 'b', orderBy: 'a' }, ['a asc', 'b desc']],
  [{ orderBy: ' [ Name , Id ] ' }, ['Name asc', 'Id asc']],
  [{ orderBy: "'CustomFields.Release Notes' desc" }, ['CustomFields/Release Notes desc']],
  [{ orderBy: "CustomFields.'Release Notes',Id" }, ['CustomFields/Release Notes asc', 'Id asc']],
  [{ orderBy: 'desc desc' }, ['desc desc']],
  [{ orderBy: 'Tasks-Count' }, ['Tasks-Count asc']],
])('reads %j', (texts, expected) => expect(spelled(texts)).toEqual(expected));

it.each<[OrderTexts, string]>([
  [{ orderBy: 'Name down' }, 'orderBy: expected \',\' or the end at 5, found "down".'],
  [
    { orderBy: 'Id,CustomFields.Release Notes' },
    "',' or the end (a name with blanks stands in quotes, such as 'CustomFields.Release Notes') at 24, found \"Notes\".",
  ],
  [{ orderBy: 'Name,' }, 'orderBy: expected a field name at 5, found the end.'],
  [{ orderBy: 'Name desc asc' }, 'orderBy: expected \',\' or the end at 10, found "asc".'],
  [{ orderByDesc: 'a..b' }, 'orderByDesc: expected a field name at 2, found ".b".'],
  [{ orderByDesc: '[a' }, "orderByDesc: expected ',' or ']' at 2, found the end."],
  [{ orderBy: 'Name;drop' }, 'orderBy: expected \',\' or the end at 4, found ";".'],
  [{ orderBy: 'a\0' }, 'orderBy: the character NUL is not allowed.'],
  [{ orderBy: Array(11).fill('a').join() }, 'orderBy: too many fields; at most 10 are allowed.'],
  [{ orderByDesc: Array(10_000).fill('a').join() }, 'orderByDesc: too many fields; at most 10 are allowed.'],
  [{ orderBy: 'a,b,c,d,e,f', orderByDesc: 'g,h,i,j,k' }, 'orderBy: too many fields; at most 10 are allowed.'],
])('refuses %j', (texts, complaint) => expect(() => parseOrder(texts)).toThrow(complaint));

it('goes up to its limit', () =>
  expect(parseOrder({ orderBy: Array(limits.orders).fill('a').join() })).toHaveLength(limits.orders));
