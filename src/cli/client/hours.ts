/** Durations as people write them: `2h`, `30m`, `1h30m`, `1.5`, in hours. Undefined for anything else. */
export function parseHours(text: string): number | undefined {
  const [, hours, minutes] = /^(?:(\d{1,4}(?:[.,]\d{1,4})?)h?)?(?:(?<!^)(?<=h)(\d{1,4})m)?$/.exec(text) ?? [];
  const [, onlyMinutes] = /^(\d{1,5})m$/.exec(text) ?? [];
  if (onlyMinutes) return positive(Number(onlyMinutes) / 60);
  if (hours === undefined) return undefined;
  return positive(Number(hours.replace(',', '.')) + Number(minutes ?? 0) / 60);
}

/** The service keeps four digits. */
const positive = (hours: number): number | undefined => (hours > 0 ? Math.round(hours * 10_000) / 10_000 : undefined);
