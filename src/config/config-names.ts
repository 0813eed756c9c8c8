/** Names of environment variables that are close to ours and are none: a slip of the pen must not go unnoticed. */
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
  return [ours, singular(ours)].some((form) => distance(upper, form) <= slips);
}

const singular = (name: string): string => name.replace(/IES$/, 'Y');

/** How many letters must be added, dropped, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next[column] = Math.min(
        last![column]! + 1,
        next[column - 1]! + 1,
        last![column - 1]! + same,
        swapped ? before![column - 2]! + 1 : Infinity,
      );
    }
    [before, last] = [last, next];
  }
  return last![b.length]!;
}
