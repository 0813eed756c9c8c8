/**
 * The line at the start about passwords that the password policy would refuse: those that the service is started with.
 */
import type { Config } from '../config/config.js';
import { passwordComplaint } from '../passwords/password-policy.js';

interface Installed {
  hasDefaultPassword: boolean;
  hasDemoData: boolean;
}

/** Undefined: there is none. The line never holds a password that is not well known. */
export function weakPasswords({ adminPassword }: Pick<Config, 'adminPassword'>, state: Installed): string | undefined {
  const administrators = state.hasDefaultPassword ? "'admin' of the administrator" : 'that of ADMIN_PASSWORD';
  const weak = [
    ...(state.hasDefaultPassword || isWeak(adminPassword) ? [administrators] : []),
    ...(state.hasDemoData ? ["'demo' of the demonstration users"] : []),
  ];
  if (weak.length === 0) return undefined;
  return `Weaker than a password that people may choose (8 characters, none of the most common, not the login): ${weak.join(', ')}.`;
}

const isWeak = (password: string | undefined): boolean =>
  password !== undefined && passwordComplaint(password, 'admin') !== undefined;
