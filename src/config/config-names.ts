/** Names of environment variables that are close to ours and are none: a slip of the pen must not go unnoticed. */
import { mistakes } from '../texts/near.js';
import { ConfigError, quoted } from './config-values.js';

/** Of OpenTelemetry, as ours are, which may be set for all programs of a machine. */
const others = /^OTEL_BLRP_(SCHEDULE_DELAY|EXPORT_TIMEOUT|MAX_QUEUE_SIZE|MAX_EXPORT_BATCH_SIZE)$/;

export function refuseMisspelt(env: NodeJS.ProcessEnv, variables: readonly string[]): void {
  const variableNames = new Set(variables);
  for (const name of Object.keys(env).sort()) {
    if (variableNames.has(name) || others.test(name)) continue;
    const meant = variables.find((ours) => isMisspelt(name, ours));
    if (meant) throw new ConfigError(`${quoted(name)} is not a variable of Worktrack. Did you mean ${meant}?`);
  }
}

/**
 * Short names are compared by letter case only, and of the longer ones the shorter allow one slip instead of two:
 * DB_POOL is two letters from DB_PORT, which Docker and Kubernetes set for any service called db.
 */
function isMisspelt(name: string, ours: string): boolean {
  const upper = name.toUpperCase();
  if (upper === ours) return true;
  if (ours.length <= 6) return false;
  const slips = ours.length > 8 ? 2 : 1;
  return [ours, singular(ours)].some(
    (form) => Math.abs(upper.length - form.length) <= slips && mistakes(upper, form) <= slips,
  );
}

const singular = (name: string): string => name.replace(/IES$/, 'Y');
