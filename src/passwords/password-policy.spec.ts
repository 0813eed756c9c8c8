import { describe, expect, it } from 'vitest';
import { commonPasswords } from './common-passwords.js';
import { passwordComplaint } from './password-policy.js';

describe('a password', () => {
  const short = 'at least 8 characters are needed.';
  const common = 'is one of the most common passwords; choose another one.';
  const own = 'must not be the login.';

  it.each([
    ['', 'must not be empty.'],
    ['x', short],
    ['1234567', short],
    ['       ', short],
    ['äöüßéèê', short],
    // Characters, not units of an encoding.
    ['😀😀😀😀😀😀😀', short],
    ['a\u0308o\u0308u\u0308a\u0308', short],
    ['password', common],
    ['PassWord', common],
    [' Password1 ', common],
    ['ｐａｓｓｗｏｒｄ', common],
    ['12345678', common],
    ['P@ssw0rd', common],
    ['margaret.h', own],
    ['Margaret.H', own],
    [' margaret.H', own],
    ['é'.repeat(513), 'is longer than 1024 bytes.'],
  ])('%j is refused: %s', (password, complaint) => {
    expect(passwordComplaint(password, 'Margaret.h')).toBe(complaint);
  });

  it.each([
    '8 chars!',
    'é'.repeat(512),
    'margaret.h2',
    'a:b:c:d:',
    '😀'.repeat(8),
    'correct horse',
    'xpassword',
  ])('%j may be chosen', (password) => expect(passwordComplaint(password, 'margaret.h')).toBeUndefined());

  it('may be chosen where there is no login', () => {
    for (const login of [undefined, null, '']) expect(passwordComplaint('margaret.h', login)).toBeUndefined();
  });
});

it('common passwords are some hundreds, as they are compared, and long enough to be taken else', () => {
  expect(commonPasswords.size).toBeGreaterThan(500);
  for (const one of commonPasswords) {
    expect(one).toBe(one.normalize('NFKC').toLowerCase());
    expect([...one].length).toBeGreaterThanOrEqual(8);
  }
});
