import { expect, it } from 'vitest';
import { isBasic, parseBasic } from './parse-basic.js';

const encoded = (text: string | Buffer): string => Buffer.from(text as string).toString('base64');

it.each([
  ['bob:secret', 'bob', 'secret'],
  ['bob:a:b::c:', 'bob', 'a:b::c:'],
  ['bob:', 'bob', ''],
  [':secret', '', 'secret'],
  ['Ünal:pä€😀', 'Ünal', 'pä€😀'],
  ['bob: secret ', 'bob', ' secret '],
  [`bob:${'x'.repeat(1024)}`, 'bob', 'x'.repeat(1024)],
])('splits %s at the first colon', (text, login, password) =>
  expect(parseBasic(`Basic ${encoded(text)}`)).toEqual({ login, password }));

it.each([
  ['ISO-8859-1', 'bob:p\xe4', 'pä'],
  ['windows-1252', 'bob:\x80', '€'],
  ['overlong UTF-8', 'bob:\xc0\xaf', 'À¯'],
])('reads what is no UTF-8 as one byte for each character: %s', (_, bytes, password) =>
  expect(parseBasic(`Basic ${encoded(Buffer.from(bytes, 'latin1'))}`)).toEqual({ login: 'bob', password }));

it.each(['Basic', 'basic', 'BASIC', 'bAsIc', 'Basic  '])('knows the scheme as "%s"', (scheme) => {
  const header = `${scheme} ${encoded('bob:secret')}`;
  expect(isBasic(header)).toBe(true);
  expect(parseBasic(header)).toEqual({ login: 'bob', password: 'secret' });
});

it.each([
  undefined,
  '',
  'NotBasic Ym9iOng=',
  'Basically Ym9iOng=',
  'Basic-Ym9iOng=',
  'Bearer Ym9iOng=',
  ' Basic Ym9iOng=',
])('leaves "%s" to others', (header) => expect(isBasic(header)).toBe(false));

it.each([
  ['nothing', 'Basic'],
  ['nothing but a space', 'Basic '],
  ['no colon', `Basic ${encoded('bob')}`],
  ['a line break', `Basic ${encoded('bob:secret')}\n`],
  ['a space at the end', `Basic ${encoded('bob:secret')} `],
  ['a space inside', 'Basic Ym9i OnNlY3JldA=='],
  ['a tab', `Basic\t${encoded('bob:secret')}`],
  ['plain text', 'Basic bob:secret'],
  ['escapes', 'Basic Ym9iOng%3D'],
  ['two credentials', `Basic ${encoded('bob:secret')}, Basic ${encoded('bob:secret')}`],
  ['more than 4 KiB', `Basic ${encoded(`bob:${'x'.repeat(3072)}`)}`],
])('refuses %s', (_, header) => {
  expect(isBasic(header)).toBe(true);
  expect(parseBasic(header)).toBeUndefined();
});
