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
