import { describe, expect, it } from 'vitest';
import { requestIdOf, traceIdOf, traceparentOf } from './request-id.js';

describe('the id of a request', () => {
  it.each(['a', 'Root=1-67891233', '7f8d0b2e-8a3c-4d5e-9f10-0123456789ab'.slice(0, 36), 'x'.repeat(64)])('%s', (id) =>
    expect(requestIdOf({ 'x-request-id': id }) === id).toBe(!id.includes('=')));
  it.each(['', 'x'.repeat(65), 'a b', '"}', 'ü'])('is made where %j was given', (id) =>
    expect(requestIdOf({ 'x-request-id': id })).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/));
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

it.each([
  [`00-${traceId}-00f067aa0ba902b7-01`, traceId],
  [`01-${traceId}-00f067aa0ba902b7-00-more`, traceId],
  [`ff-${traceId}-00f067aa0ba902b7-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
  [`00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  ['password', undefined],
  [undefined, undefined],
])('the trace of %s', (traceparent, expected) => expect(traceIdOf({ headers: { traceparent } })).toBe(expected));

it('is passed on as it came, or as that of the own span', () => {
  const own = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-00` };
  expect(traceparentOf({ headers })).toBe(headers.traceparent);
  expect(traceparentOf({ headers: { traceparent: 'hush' } })).toBeUndefined();
  expect(traceparentOf({ headers, traceparent: own })).toBe(own);
  expect(traceIdOf({ headers, traceparent: own })).toBe('a'.repeat(32));
});
