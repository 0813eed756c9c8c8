/**
 * Waits for everything that is on its way, also when something fails: a transaction must not be rolled back while
 * statements of it are still to be issued. The failure that is reported is the one that made the others fail.
 */
export async function together(parts: readonly Promise<void>[]): Promise<void> {
  const failures = (await Promise.allSettled(parts)).flatMap((part) =>
    part.status === 'rejected' ? [part.reason] : [],
  );
  if (failures.length > 0) throw failures.find((failure) => !isConsequence(failure)) ?? failures[0];
}

/** Statements behind one that failed are refused for that reason alone. */
const isConsequence = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '25P02';
