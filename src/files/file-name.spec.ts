import { describe, expect, it } from 'vitest';
import { contentDisposition, keptName } from './file-name.js';

describe('keptName', () => {
  it.each([
    ['notes.txt', 'notes.txt'],
    ['größe 日本語 🎉.txt', 'größe 日本語 🎉.txt'],
    ['/etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['a/../../b.txt', 'b.txt'],
    ['..', 'file'],
    ['.', 'file'],
    ['', 'file'],
    ['   ', 'file'],
    ['a\r\nSet-Cookie: b.txt', 'aSet-Cookie: b.txt'],
    ['a\u0000b\u001b[31m.txt', 'ab[31m.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['quotes"\'.txt', 'quotes"\'.txt'],
    ['.gitignore', '.gitignore'],
    [`${'é'.repeat(300)}.txt`, `${'é'.repeat(251)}.txt`],
    [`${'a'.repeat(250)}${'🎉'.repeat(300)}.txt`, `${'a'.repeat(250)}.txt`],
    [`${'🎉'.repeat(300)}`, '🎉'.repeat(127)],
    ['\ud800.txt', '\ufffd.txt'],
    ['\u200b', 'file'],
    ['\u3164', 'file'],
    ['\u2800', 'file'],
    ['\u200c\u200d', 'file'],
    ['a\u00ad\u200b\u{e0041}\ufff9b.txt', 'ab.txt'],
    ['می\u200cخواهم 👩\u200d💻 ❤\ufe0f.txt', 'می\u200cخواهم 👩\u200d💻 ❤\ufe0f.txt'],
    ['CON', 'CON'],
  ])('%j becomes %j', (sent, kept) => expect(keptName(sent)).toBe(kept));

  // A name that is read once for each of its characters takes minutes.
  it.each(['n', '🎉', '.', ' ', '/', '\u202e', 'e\u0301'])('a megabyte of %j is read once', (letter) => {
    expect(keptName(letter.repeat(2 ** 20)).length).toBeLessThanOrEqual(255);
  });
});

describe('contentDisposition', () => {
  it.each([
    ['notes.txt', false, `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`],
    ['a.png', true, `inline; filename="a.png"; filename*=UTF-8''a.png`],
    ['a "b"\\c.txt', false, `attachment; filename="a _b__c.txt"; filename*=UTF-8''a%20%22b%22%5Cc.txt`],
    ['100%.txt', false, `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ["ä'(*).txt", false, `attachment; filename="_'(*).txt"; filename*=UTF-8''%C3%A4%27%28%2A%29.txt`],
    ['a\r\nX: b', false, `attachment; filename="a__X: b"; filename*=UTF-8''a%0D%0AX%3A%20b`],
  ])('%j', (name, isShown, header) => expect(contentDisposition(name, isShown)).toBe(header));
});
