import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Account, type AccountRow } from './account.js';
import { parseServiceToken } from './service-tokens.js';

const row: AccountRow = {
  id: 7,
  kind: 'User',
  password_hash: '$argon2id$hash',
  token_version: 0,
  is_administrator: false,
  is_observer: null,
  project_ids: [1, 2],
  team_ids: [10],
  is_locked: false,
  may_use_access_tokens: true,
  position: '1-0/1',
  token_secret: 'ab'.repeat(32),
};
const proofOf = (account: Account): string => parseServiceToken(account.serviceToken)!.proof;

it('makes an actor that nobody can change', () => {
  const { actor } = new Account(row);
  expect(actor).toEqual({
    userId: 7,
    isAdministrator: false,
    isObserver: false,
    isReadOnly: false,
    rightsSince: { timeline: 1, lsn: 1 },
    projectIds: [1, 2],
    teamIds: [10],
  });
  expect(Object.isFrozen(actor) && Object.isFrozen(actor.projectIds) && Object.isFrozen(actor.teamIds)).toBe(true);
});

it('takes the token it gives, and no other', () => {
  const account = new Account(row);
  expect(account.takesProof(proofOf(account))).toBe(true);
  expect(account.takesProof(proofOf(new Account({ ...row, token_version: 1 })))).toBe(false);
});

it('takes the token of a user who has no password', () => {
  const account = new Account({ ...row, password_hash: null });
  expect(account.takesProof(proofOf(account))).toBe(true);
});

it('makes the System user an administrator whose token works once it has a password', () => {
  const system: AccountRow = { ...row, kind: 'SystemUser' };
  const without = new Account({ ...system, password_hash: null });
  expect(without.actor.isAdministrator).toBe(true);
  expect(without.takesProof(proofOf(without))).toBe(false);
  expect(new Account(system).takesProof(proofOf(new Account(system)))).toBe(true);
});

it('shows neither hash nor token to a log', () => {
  const account = new Account(row);
  for (const text of [JSON.stringify(account), inspect(account, { depth: 5, showHidden: true })]) {
    expect(text).not.toContain('argon2');
    expect(text).not.toContain(proofOf(account));
  }
});
