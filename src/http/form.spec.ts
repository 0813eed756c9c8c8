import { expect, it } from 'vitest';
import { PooledBytes } from '../bytes/pooled-bytes.js';
import { formFields, isForm, rawForm } from './form.js';
import type { ApiRequest } from './request.js';

const bytes = Buffer.from('Name=Gr%C3%B6%C3%9Fe&Login=é');
const pooled = new PooledBytes();
pooled.append(bytes);

const request = (body: unknown, type = 'application/x-www-form-urlencoded') =>
  ({ headers: { 'content-type': type }, body }) as ApiRequest;

it.each([
  ['a buffer', bytes],
  ['blocks', pooled],
])('a form in %s is read', (_, body) => {
  expect([...formFields(request(body))]).toEqual([
    ['Name', 'Größe'],
    ['Login', 'é'],
  ]);
});

it.each<[form: string, fields: Record<string, string>]>([
  ['', {}],
  ['&a=1&&b', { a: '1', b: '' }],
  ['a+b=c+%2B=d', { 'a b': 'c +=d' }],
  ['a=\u{1f600}%F0%9F%98%80%00\n', { a: '\u{1f600}\u{1f600}\0\n' }],
])('%j holds %j', (form, fields) => {
  expect(Object.fromEntries(formFields(request(Buffer.from(form))))).toEqual(fields);
});

it.each([
  ['not UTF-8', 'a=%E4'],
  ['not UTF-8 in its name', '%E4=a'],
  ['not UTF-8 without escapes', 'a=\xe4'],
  ['half of a character', 'a=%C3'],
  ['longer than it has to be', 'a=%C0%AF'],
  ['half of a surrogate pair', 'a=%ED%A0%80'],
  ['an escape of no bytes', 'a=%zz'],
  ['half an escape', 'a=%e'],
  ['a percent sign', '100%'],
  ['two values', 'a=1&b=2&a=1'],
])('%s is refused', (_, form) => {
  expect(() => formFields(request(Buffer.from(form, 'latin1')))).toThrow(expect.objectContaining({ httpStatus: 400 }));
});

it.each<[type: string | undefined, isForm: boolean]>([
  ['application/x-www-form-urlencoded', true],
  [' Application/X-WWW-Form-URLEncoded ; charset=utf-8', true],
  ['application/json', false],
  ['', false],
  [undefined, false],
])('%s: is the type of a form: %s', (type, expected) => {
  expect(isForm({ headers: { 'content-type': type } })).toBe(expected);
});

it.each<[what: string, body: unknown, type?: string]>([
  ['a body of another type', bytes, 'application/json'],
  ['no body', undefined],
  ['a body that was not read', Symbol('unreadable')],
])('%s is refused', (_, body, type) => {
  expect(() => rawForm(request(body, type))).toThrow(expect.objectContaining({ httpStatus: 415 }));
});
