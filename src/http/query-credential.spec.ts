import { expect, it } from 'vitest';
import { ApiError } from '../errors.js';
import { queryCredential, withoutCredentials } from './query-credential.js';

it.each([
  ['token=abc', 'abc'],
  ['TOKEN=abc', 'abc'],
  ['%74oken=abc', 'abc'],
  ['take=5&Token=abc==&format=json', 'abc=='],
  ['token=a%2Bb%3D', 'a+b='],
  ['token=a+b', 'a+b'],
  ['token=%', '%'],
  ['token=%00', '\0'],
  ['token=%ff', '%ff'],
])('finds the one in %s', (query, token) => expect(queryCredential(query, 'token')).toBe(token));

it.each([
  '',
  'token',
  'token=',
  '&&',
  'access_token=abc',
  'tokens=abc',
  'xtoken=abc',
  'where=token=abc',
  'a=%&%=b',
])('finds none in "%s"', (query) => expect(queryCredential(query, 'token')).toBeUndefined());

it.each([
  ['token=a&token=a', "Parameter 'token' is given more than once"],
  ['token=&TOKEN=a', "Parameter 'token' is given more than once"],
  ['token=a&%74oken=b', "Parameter 'token' is given more than once"],
  ['token[]=a', "Parameter 'token[]' is written as an array"],
  ['Token%5B0%5D=a', "Parameter 'token[]' is written as an array"],
])('refuses %s without repeating its value', (query, message) => {
  expect(() => queryCredential(query, 'token')).toThrow(ApiError);
  expect(() => queryCredential(query, 'token')).toThrow(message);
});

it.each([
  ['', ''],
  ['take=5', 'take=5'],
  ['token=a', ''],
  ['take=5&Token=a&skip=1', 'take=5&skip=1'],
  ['take=5&access_token=a?b&%74oken=c&%61ccess%5ftoken=d', 'take=5'],
  ['token[]=a&token%5B0%5D=b&token', ''],
  ['tokens=a&xtoken=b&where=token=c&%=d', 'tokens=a&xtoken=b&where=token=c&%=d'],
])('leaves of "%s" what is no credential', (query, rest) => expect(withoutCredentials(query)).toBe(rest));
