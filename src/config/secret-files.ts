/**
 * Secrets may stand in files, as container platforms and systemd hand them over: `ADMIN_PASSWORD_FILE` names that of
 * ADMIN_PASSWORD.
 */
import { ConfigError, malformed, readable } from './config-values.js';

export const secretVariables = [
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'READ_DATABASE_URL',
  'ADMIN_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
] as const;

export const fileVariables: readonly string[] = secretVariables.map((name) => `${name}_FILE`);

/** Without it the administrator has a well-known password, which nobody means who sets it. */
const neverEmpty: readonly string[] = ['ADMIN_PASSWORD'];

/** The text of a variable, or of the file that stands for it, without line ends behind it. Errors: ConfigError. */
export function textOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = given(env, name);
  const file = isSecret(name) ? given(env, `${name}_FILE`) : undefined;
  if (file === undefined && text === undefined && env[name] !== undefined && neverEmpty.includes(name))
    throw new ConfigError(`${name} is empty: set it to the password, or unset ${name}.`);
  if (file === undefined) return text;
  if (text !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set: unset one of them.`);
  return contentOf(file.trim(), name);
}

/** A setting that is no secret has no file, and one that is named for it must not be passed over. */
export function refuseOtherFiles(env: NodeJS.ProcessEnv, variables: readonly string[]): void {
  const other = variables.find((name) => !isSecret(name) && unlessEmpty(env[`${name}_FILE`]) !== undefined);
  if (other === undefined) return;
  const allowed = secretVariables.join(', ');
  throw new ConfigError(
    `'${other}_FILE' is not a variable of Worktrack: set ${other} itself. ${allowed} may stand in files.`,
  );
}

/** Node reads bytes that are not UTF-8 as U+FFFD: a path, a name or a secret would become another one. */
function given(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = unlessEmpty(env[name]);
  if (text?.includes('\ufffd')) throw malformed(name, 'is not UTF-8', 'a text in UTF-8');
  return text;
}

const isSecret = (name: string): boolean => secretVariables.some((secret) => secret === name);

/** Compose files and CI spell "not set" as an empty value. */
const unlessEmpty = (text: string | undefined): string | undefined => (text?.trim() === '' ? undefined : text);

function contentOf(path: string, name: string): string {
  const text = decoded(readable(path, `The file of ${name}_FILE`), name).replace(/[\r\n]+$/, '');
  if (unlessEmpty(text) !== undefined) return text;
  throw new ConfigError(`The file of ${name}_FILE is empty: write the secret into it, or unset ${name}_FILE.`);
}

/** Without the mark that editors put at the beginning. */
function decoded(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError(`The file of ${name}_FILE is not UTF-8: save it in UTF-8.`);
  }
}
