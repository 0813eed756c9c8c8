/** What settings may be set to. The System user's password is kept with the System user. */

import { type Change, refuse, type Work } from '../../command/change.js';
import { makeHash } from '../../passwords/password-hash.js';
import { passwordComplaint } from '../../passwords/password-policy.js';

const ranges = [
  ['accessTokenLimit', 'AccessTokenLimit', 0, 10_000],
  ['sessionIdleMinutes', 'SessionIdleMinutes', 5, 43_200],
  ['sessionHours', 'SessionHours', 1, 8_760],
] as const;

/** `otherWays` tells whether people can log in without the form. */
export async function settingsRules(changes: readonly Change[], otherWays: boolean, work: Work): Promise<void> {
  for (const change of changes) {
    for (const [property, name, least, most] of ranges) {
      const value = change.values[property];
      if (typeof value === 'number' && (value < least || value > most))
        throw refuse(change, name, `a whole number from ${least} to ${most} is needed.`);
    }
    if (change.values.isLoginFormEnabled === false && !otherWays)
      throw refuse(change, 'IsLoginFormEnabled', 'nobody could log in any more: set up single sign-on first.');
    await systemPassword(change, work);
  }
}

/** An empty text takes the password away, and with it the use of the System user's token. */
async function systemPassword(change: Change, { rows }: Work): Promise<void> {
  const { systemPassword: password } = change.values;
  delete change.values.systemPassword;
  if (typeof password !== 'string') return;
  const complaint = password === '' ? undefined : passwordComplaint(password, 'System');
  if (complaint) throw refuse(change, 'SystemPassword', complaint);
  const passwordHash = password === '' ? null : await makeHash(password);
  await rows(`update general_user set password_hash = $1::text where kind = 'SystemUser'`, [passwordHash]);
}
