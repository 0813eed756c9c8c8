import { expect, it } from 'vitest';
import { isProof, parseServiceToken, serviceToken, tokenProof } from './service-tokens.js';

const secret = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const owner = { userId: 7, passwordHash: '$argon2id$x', tokenVersion: 0 };
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const proof = '0123456789ABCDEF0123456789ABCDEF';

it('derives 32 upper-case hex digits, as any other HMAC does', () => {
  expect(tokenProof(secret, owner)).toBe('D089AE7F020D678DC874F6538325E7F4');
  expect(tokenProof(secret.toUpperCase(), owner)).toBe(tokenProof(secret, owner));
});

it.each([
  ['the password changes', { ...owner, passwordHash: '$argon2id$y' }],
  ['the password is taken away', { ...owner, passwordHash: null }],
  ['the version is raised', { ...owner, tokenVersion: 1 }],
  ['it is of another user', { ...owner, userId: 8 }],
])('derives another when %s', (_, changed) => expect(tokenProof(secret, changed)).not.toBe(tokenProof(secret, owner)));

it('derives another in another installation', () =>
  expect(tokenProof(secret.replaceAll('0', '1'), owner)).not.toBe(tokenProof(secret, owner)));

it.each(['', 'ab', 'x'.repeat(64)])('takes no secret but 64 hex digits, not "%s"', (bad) =>
  expect(() => tokenProof(bad, owner)).toThrow('the setting token-secret must hold 64 hex digits'));

it('reads what it wrote', () => expect(parseServiceToken(serviceToken(7, proof))).toEqual({ owner: 7, proof }));

it.each([
  ['7', 7],
  ['2147483648', 2147483648],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['007', '007'],
  ['-7', '-7'],
  ['bob', 'bob'],
  ['a:b', 'a:b'],
  ['Ünal\n', 'Ünal\n'],
])('reads the owner %s', (token, expected) =>
  expect(parseServiceToken(encoded(`${token}:${proof}`))).toEqual({ owner: expected, proof }));

it('does without padding', () =>
  expect(parseServiceToken(encoded(`77:${proof}`).replace(/=+$/, ''))).toEqual({ owner: 77, proof }));

it.each([
  ['an empty text', ''],
  ['plain text', `7:${proof}`],
  ['no owner', encoded(`:${proof}`)],
  ['no proof', encoded('7:')],
  ['no colon', encoded(proof)],
  ['lower-case digits', encoded(`7:${proof.toLowerCase()}`)],
  ['a digit too few', encoded(`7:${proof.slice(1)}`)],
  ['a digit too many', encoded(`7:${proof}0`)],
  ['something after the proof', encoded(`7:${proof}\n`)],
  ['broken base64', `${encoded(`7:${proof}`)}%00`],
  ['more than 512 characters', encoded(`${'x'.repeat(400)}:${proof}`)],
  ['10,000 characters', 'A'.repeat(10_000)],
])('refuses %s', (_, token) => expect(parseServiceToken(token)).toBeUndefined());

it('compares proofs', () => {
  expect(isProof(proof, proof)).toBe(true);
  expect(isProof(proof.replace('A', 'B'), proof)).toBe(false);
  expect(isProof('', proof)).toBe(false);
});
