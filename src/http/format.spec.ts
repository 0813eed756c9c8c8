import { describe, expect, it } from 'vitest';
import { formatForError, negotiable, negotiateFormat } from './format.js';

const json = 'application/json; charset=utf-8';
const xml = 'application/xml; charset=utf-8';
const textXml = 'text/xml; charset=utf-8';

describe('negotiateFormat', () => {
  it.each([
    [{}, xml],
    [{ format: 'json' }, json],
    [{ format: 'JSON' }, json],
    [{ format: 'xml', accept: 'application/json' }, xml],
    [{ format: 'xml', accept: 'text/xml' }, textXml],
    [{ format: 'json', accept: 'application/xml' }, json],
    [{ accept: 'application/json' }, json],
    [{ accept: 'text/json' }, json],
    [{ accept: 'application/problem+json' }, json],
    [{ accept: 'application/xml' }, xml],
    [{ accept: 'text/xml' }, textXml],
    [{ accept: 'text/xml, application/xml' }, xml],
    [{ accept: 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8' }, xml],
    [{ accept: 'application/xml;q=0.5, application/json;q=0.9' }, json],
    [{ accept: 'application/json;q=0, application/xml' }, xml],
    [{ accept: '*/*' }, xml],
    [{ accept: 'image/png' }, xml],
    [{ sent: 'application/json' }, json],
    [{ sent: 'text/xml; charset=utf-8' }, textXml],
    [{ accept: 'application/xml', sent: 'application/json' }, xml],
    [{ accept: '*/*', sent: 'application/json; charset=utf-8' }, json],
    [{ accept: '', sent: 'application/json' }, json],
    [{ accept: ' ', sent: 'application/json' }, json],
    [{ accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', sent: 'application/json' }, json],
    [{ accept: 'application/x-array, */*; q=0.01', sent: 'text/xml' }, textXml],
    [{ accept: 'application/*', sent: 'application/json' }, json],
    [{ accept: 'text/plain', sent: 'application/json' }, xml],
    [{ accept: 'text/html', sent: 'text/json' }, xml],
    [{ accept: 'text/plain', sent: 'text/xml' }, xml],
    [{ accept: 'application/json;q=0', sent: 'application/json' }, xml],
  ])('%j', (headers, contentType) => expect(negotiateFormat(headers).contentType).toBe(contentType));

  it.each(['yaml', 'jsonp', 'json,xml', '../json'])('refuses %s', (format) => {
    expect(() => negotiateFormat({ format })).toThrow(
      `Unknown format '${format}'. Known formats: xml, json; of lists also csv, ndjson.`,
    );
  });
});

it.each([
  ['GET', xml],
  ['HEAD', xml],
  ['POST', json],
  ['DELETE', json],
])('the type of the body counts on writes, whatever is accepted: %s', (method, contentType) => {
  const headers = { accept: '*/*', 'content-type': 'application/json' };
  expect(negotiateFormat(negotiable(undefined, { method, headers })).contentType).toBe(contentType);
});

it.each([
  ['application/json', {}, json],
  ['Text/JSON; charset=utf-8', {}, json],
  ['application/json', { accept: '*/*' }, xml],
  ['application/json', { accept: '' }, xml],
  ['application/json', { accept: 'text/plain' }, xml],
  ['application/json', { accept: 'application/xml' }, xml],
  ['text/xml', {}, xml],
  ['application/x-www-form-urlencoded', {}, xml],
])('a GET of the type %s with %j', (type, more, contentType) => {
  for (const method of ['GET', 'HEAD']) {
    const headers = { 'content-type': type, ...more };
    expect(negotiateFormat(negotiable(undefined, { method, headers })).contentType).toBe(contentType);
    const parameters = { get: (name: string) => (name === 'format' ? 'xml' : undefined) };
    expect(negotiateFormat(negotiable(parameters, { method, headers })).name).toBe('xml');
  }
});

it('answers an error about the format in what else was said', () => {
  expect(formatForError({ format: 'yaml', accept: 'application/json' }).name).toBe('json');
  expect(formatForError({ format: 'yaml' }).name).toBe('xml');
});
