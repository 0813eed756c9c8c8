import { expect, it } from 'vitest';
import { weakPasswords } from './weak-passwords.js';

const rule = 'Weaker than a password that people may choose (8 characters, none of the most common, not the login):';
const none = { hasDefaultPassword: false, hasDemoData: false };
const all = { hasDefaultPassword: true, hasDemoData: true };

it.each([
  [undefined, none, undefined],
  ['correct horse', none, undefined],
  ['hush', none, `${rule} that of ADMIN_PASSWORD.`],
  ['password1', none, `${rule} that of ADMIN_PASSWORD.`],
  [undefined, all, `${rule} 'admin' of the administrator, 'demo' of the demonstration users.`],
  ['correct horse', { ...none, hasDemoData: true }, `${rule} 'demo' of the demonstration users.`],
])('ADMIN_PASSWORD=%s with %j', (adminPassword, state, line) => {
  expect(weakPasswords({ adminPassword }, state)).toBe(line);
});
