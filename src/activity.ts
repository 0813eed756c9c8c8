/** What this process has done since it started. Plain numbers, so that counting costs nothing; metrics read them when they are asked for. */
export const activity = {
  statements: 0,
  loginLocks: 0,
  /** By who cannot go on: the caller asks too much, the service has no room, a statement takes too long, the database is away or full. */
  refusals: { caller: 0, service: 0, statement: 0, database: 0 },
  passwordChecks: { right: 0, wrong: 0 },
  retries: { read: 0, transaction: 0 },
  sessions: 0,
};
