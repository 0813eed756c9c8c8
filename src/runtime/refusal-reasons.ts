/** What stands against a request for now (429, 503); metrics count by it, and the log names it. */
export const refusalReasons = [
  'rate_limit',
  'login_locked',
  'user_queue',
  'queue',
  'bodies',
  'answers',
  'transfers',
  'password_checks',
  'sign_on_provider',
  'statement_timeout',
  'conflict',
  'database',
  'files',
  'other',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];
