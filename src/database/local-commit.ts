/**
 * For statements whose loss with a server harms nobody: when something was last used, what is remembered for a while,
 * the lease of background work. As a condition of the rows that they write it is true, and their commit waits for the
 * disk of the server alone, not for a replica that may be away. It counts for the whole transaction, so only for
 * statements that are one of their own. What is committed without waiting stays so.
 */
export const commitsLocally = `case current_setting('synchronous_commit') when 'off' then true
  else set_config('synchronous_commit', 'local', true) is not null end`;
