/**
 * What this process has done since it started. Plain numbers, so that counting costs nothing; metrics read them when
 * they are asked for.
 */
import { type RefusalReason, refusalReasons } from './refusal-reasons.js';

export const activity = {
  statements: 0,
  loginLocks: 0,
  refusals: Object.fromEntries(refusalReasons.map((reason) => [reason, 0])) as Record<RefusalReason, number>,
  passwordChecks: { right: 0, wrong: 0 },
  retries: { read: 0, transaction: 0 },
  sessions: 0,
};
