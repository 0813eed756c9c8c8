import { describe, expect, it } from 'vitest';
import { checkBounds, makeHash } from '../passwords/password-hash.js';
import { Passwords } from './passwords.js';

const hashOf = await makeHash('pä€😀:x');
/** With nothing remembered from before. */
const matches = (passwordHash: string, password: string): Promise<boolean> =>
  new Passwords().verify({ userId: 3, passwordHash }, 'bob', password);
const owner = { userId: 3, passwordHash: hashOf };

describe('a hash', () => {
  it('is argon2id and matches its password alone', async () => {
    expect(hashOf).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await matches(hashOf, 'pä€😀:x')).toBe(true);
    expect(await matches(hashOf, 'pä€😀:X')).toBe(false);
  });

  it('matches composed and decomposed letters alike', async () => {
    const decomposed = 'pä€😀:x'.normalize('NFD');
    expect(decomposed).not.toBe('pä€😀:x');
    expect(await matches(hashOf, decomposed)).toBe(true);
    expect(await matches(await makeHash(decomposed), 'pä€😀:x')).toBe(true);
  });

  it('is made of up to 1024 bytes', async () => {
    expect(await makeHash('x'.repeat(1024))).toMatch(/^\$argon2id/);
    await expect(makeHash('x'.repeat(1025))).rejects.toThrow('Password: is longer than 1024 bytes.');
    await expect(makeHash('ä'.repeat(513))).rejects.toThrow('Password: is longer than 1024 bytes.');
    await expect(makeHash('')).rejects.toThrow('Password: must not be empty.');
  });

  it.each(['', '!', '$2b$10$abcdefghijklmnopqrstuv'])('that is none, "%s", matches nothing', async (none) =>
    expect(await matches(none, 'x')).toBe(false));
});

describe('a check', () => {
  it('that succeeded is remembered for this user, hash and password only', async () => {
    const passwords = new Passwords();
    expect(passwords.isVerified(owner, 'pä€😀:x')).toBe(false);
    expect(await passwords.verify(owner, 'bob', 'pä€😀:x')).toBe(true);
    expect(passwords.isVerified(owner, 'pä€😀:x')).toBe(true);
    expect(passwords.isVerified(owner, 'pä€😀:x'.normalize('NFD'))).toBe(true);
    expect(passwords.isVerified(owner, 'pä€😀')).toBe(false);
    expect(passwords.isVerified({ ...owner, userId: 4 }, 'pä€😀:x')).toBe(false);
    expect(passwords.isVerified({ ...owner, passwordHash: `${hashOf}x` }, 'pä€😀:x')).toBe(false);
    expect(passwords.isVerified({ ...owner, passwordHash: null }, 'pä€😀:x')).toBe(false);
    expect(new Passwords().isVerified(owner, 'pä€😀:x')).toBe(false);
  });

  it('that failed is not remembered', async () => {
    const passwords = new Passwords();
    expect(await passwords.verify(owner, 'bob', 'wrong')).toBe(false);
    expect(passwords.isVerified(owner, 'wrong')).toBe(false);
  });

  it.each([
    ['an unknown login', undefined],
    ['a user without password', { userId: 3, passwordHash: null }],
    ['a user whose hash is none', { userId: 3, passwordHash: '!' }],
  ])('fails for %s, after hashing', async (_, nobody) => {
    const start = performance.now();
    expect(await new Passwords().verify(nobody, 'bob', 'pä€😀:x')).toBe(false);
    expect(performance.now() - start).toBeGreaterThan(2);
  });

  it.each([
    '',
    'x'.repeat(1025),
    'x'.repeat(1_000_000),
  ])('fails without hashing for an impossible password', async (bad) => {
    const passwords = new Passwords();
    const answers = Array.from({ length: 200 }, () => passwords.verify(owner, 'bob', bad));
    expect(new Set(await Promise.all(answers))).toEqual(new Set([false]));
  });

  it('made many times at once hashes once', async () => {
    const passwords = new Passwords();
    const answers = Array.from({ length: 500 }, () => passwords.verify(owner, 'bob', 'pä€😀:x'));
    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
  });

  it('is refused with 503 when more different ones come at once than are let wait', async () => {
    const passwords = new Passwords();
    const checks = Array.from({ length: checkBounds.running + checkBounds.waiting + 4 }, (_, index) =>
      passwords.verify(owner, 'bob', `wrong ${index}`),
    );
    const answers = await Promise.allSettled(checks);
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(4);
    expect(refused[0]!.reason).toMatchObject({ httpStatus: 503 });
    expect(await passwords.verify(owner, 'bob', 'pä€😀:x')).toBe(true);
  });
});
