/** Secrets may stand in files, as container platforms and systemd hand them over: `ADMIN_PASSWORD_FILE` names that of ADMIN_PASSWORD. */
import { readFileSync } from 'node:fs';
import { ConfigError } from './config-values.js';

export const secretVariables = ['DATABASE_URL', 'READ_DATABASE_URL', 'ADMIN_PASSWORD', 'OIDC_CLIENT_SECRET'] as const;

export const fileVariables: readonly string[] = secretVariables.map((name) => `${name}_FILE`);

/** The text of a variable, or of the file that stands for it, without line ends behind it. Errors: ConfigError. */
export function textOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = set(env[name]);
  const file = secretVariables.some((secret) => secret === name) ? set(env[`${name}_FILE`]) : undefined;
  if (file === undefined) return text;
  if (text !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set: unset one of them.`);
  return contentOf(file.trim(), name);
}

/** Compose files and CI spell "not set" as an empty value. */
const set = (text: string | undefined): string | undefined => (text?.trim() === '' ? undefined : text);

function contentOf(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ConfigError(`The file of ${name}_FILE cannot be read (${code}): name one that the service may read.`);
  }
}
