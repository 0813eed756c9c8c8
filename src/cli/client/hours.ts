/**
 * Durations as people write them: `2h`, `1.5h`, `30m`, `1h30m`, in hours. Undefined for anything else: a number alone
 * may be either.
 */
export function parseHours(text: string): number | undefined {
  const [, hours, minutes] = /^(?:(\d{1,4}(?:[.,]\d{1,4})?)h)?(?:(\d{1,5})m)?$/.exec(text) ?? [];
  if (hours === undefined && minutes === undefined) return undefined;
  // The service keeps four digits.
  return Math.round((Number((hours ?? '0').replace(',', '.')) + Number(minutes ?? 0) / 60) * 10_000) / 10_000;
}
