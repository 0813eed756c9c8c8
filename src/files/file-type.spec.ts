import { describe, expect, it } from 'vitest';
import { contentType, headBytes, isShownInPlace, typeOfContent } from './file-type.js';

const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/ /g, ''), 'hex');

describe('the type of a file', () => {
  it.each([
    ['', 'text/plain'],
    ['plain text, größer', 'text/plain'],
    ['\u001b[31mred', 'text/plain'],
    ['<!DOCTYPE html><script>alert(1)</script>', 'text/plain'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain'],
    ['<?xml version="1.0"?><svg/>', 'text/plain'],
    ['WEBVTT\n\n00:00.000 --> 00:01.000\nhello', 'text/plain'],
    ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR', 'text/plain'],
    ['{"a": 1}', 'text/plain'],
    ['BM is no picture', 'text/plain'],
    ['{\\rtf1 text}', 'application/rtf'],
    ['%PDF-1.7', 'application/pdf'],
    ['a\u0000b', 'application/octet-stream'],
  ])('%j is %s', async (text, type) => expect(await typeOfContent(Buffer.from(text))).toBe(type));

  it.each([
    ['89504e470d0a1a0a 0000000d 49484452 00000001 00000001 0806000000', 'image/png'],
    ['ffd8ffe0 00104a46494600', 'image/jpeg'],
    ['474946383961 01000100', 'image/gif'],
    ['80 81 82', 'application/octet-stream'],
    ['fffe 6800 6900 0a00', 'text/plain; charset=UTF-16'],
    ['feff 0068 0069 000a', 'text/plain; charset=UTF-16'],
    ['fffe0000 68000000 69000000 6a000000', 'application/octet-stream'],
    ['0000feff 00000068 00000069 0000006a', 'application/octet-stream'],
    ['6772 f6 df 6572 20 616e6465726500', 'application/octet-stream'],
    ['6772 f6 df 6572 20 616e64657265', 'text/plain; charset=windows-1252'],
    ['49443303 0000 0000 0000 fffb9064 0000', 'audio/mpeg'],
    ['c3', 'text/plain'],
  ])('%s is %s', async (hex, type) => expect(await typeOfContent(bytes(hex))).toBe(type));

  it.each([
    ['text', 'a', Buffer.alloc(9), 'text/plain'],
    ['bytes of no text', '\0', Buffer.from('a'), 'application/octet-stream'],
    [
      'few letters of one byte',
      'abcd\xe4',
      Buffer.alloc(2 * headBytes, '\xe4', 'latin1'),
      'text/plain; charset=windows-1252',
    ],
  ])('%s is told by the first bytes alone', async (_, first, rest, type) => {
    const head = Buffer.alloc(headBytes, first, 'latin1');
    expect(await typeOfContent(Buffer.concat([head, rest]))).toBe(type);
  });

  it('a picture with a long chunk ahead of its pixels is one', async () => {
    const start = bytes('89504e470d0a1a0a 0000000d 49484452 00000001 00000001 0806000000 1f15c489');
    const text = Buffer.concat([bytes('00010000 74455874'), Buffer.alloc(0x10004, 'a')]);
    const pixels = bytes('00000004 49444154 00000000 00000000');
    expect(await typeOfContent(Buffer.concat([start, text, pixels]))).toBe('image/png');
  });
});

it('only pictures that carry nothing out are shown in place', () => {
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'application/xml', 'text/html'];
  expect(types.filter(isShownInPlace)).toEqual(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
  expect(isShownInPlace(null)).toBe(false);
});

it.each([
  ['image/png', 'image/png'],
  ['text/plain', 'text/plain; charset=UTF-8'],
  ['text/plain; charset=UTF-16', 'text/plain; charset=UTF-16'],
  ['text/plain; charset=UTF-16; x', 'application/octet-stream'],
  [null, 'application/octet-stream'],
  ['a b', 'application/octet-stream'],
  ['text/html\r\nX: y', 'application/octet-stream'],
])('%s is sent as %s', (stored, sent) => expect(contentType(stored)).toBe(sent));
