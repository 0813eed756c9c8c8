/**
 * Ids are numbers in JSON, so they end where these are no longer exact. The sequences of the database end there, too.
 */
export const greatestId = Number.MAX_SAFE_INTEGER;

const mostDigits = String(greatestId).length;

const digits = new RegExp(`^\\d{1,${mostDigits}}$`);

/** An id in digits; undefined where no entity can have it. */
export function parseId(text: string): number | undefined {
  const id = digits.test(text) ? Number(text) : Number.NaN;
  return id <= greatestId ? id : undefined;
}
