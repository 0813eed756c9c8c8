/**
 * What passwords people may choose. Those of the demonstration and ADMIN_PASSWORD are chosen by whoever starts the
 * service.
 */
import { commonPasswords } from './common-passwords.js';
import { longestPassword } from './longest-password.js';

export const shortestPassword = 8;

/** As pages say it beside a field. */
export const passwordRule = `At least ${shortestPassword} characters; none of the most common passwords, and not the login.`;

/** What is wrong with it, behind the name of the member that holds it. Undefined: it may be chosen. */
export function passwordComplaint(password: string, login?: string | null): string | undefined {
  if (password === '') return 'must not be empty.';
  if (Buffer.byteLength(password) > longestPassword) return `is longer than ${longestPassword} bytes.`;
  if ([...password.normalize('NFC')].length < shortestPassword) {
    return `at least ${shortestPassword} characters are needed.`;
  }
  const candidate = folded(password);
  if (login && candidate === folded(login)) return 'must not be the login.';
  return commonPasswords.has(candidate) ? 'is one of the most common passwords; choose another one.' : undefined;
}

/** Letter case, full-width letters and spaces around do not make a password harder to guess. */
const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
