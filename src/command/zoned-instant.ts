/** Places a date text without a zone in the zone of the service. */

/** `text` is as `parseInstant` gives it: `2026-01-31 00:00:00[.mmm]`, perhaps with an offset. */
export function zonedInstant(text: string, timeZone: string): Date {
  const iso = text.replace(' ', 'T');
  const offset = /([+-]\d{2})(?::?(\d{2}))?$/.exec(iso.slice(10));
  if (offset) return new Date(`${iso.slice(0, iso.length - offset[0].length)}${offset[1]}:${offset[2] ?? '00'}`);
  const asUtc = new Date(`${iso}Z`);
  if (timeZone === 'UTC') return asUtc;
  // The offset at the wanted instant is not known before the instant is: guess once, correct once (days the clock changes).
  const guess = new Date(asUtc.getTime() - offsetAt(asUtc, timeZone));
  return new Date(asUtc.getTime() - offsetAt(guess, timeZone));
}

/** Milliseconds that clocks in the zone are ahead of UTC at an instant. */
function offsetAt(instant: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: string): number => Number(parts.find((found) => found.type === type)?.value);
  const local = new Date(0);
  // Date.UTC takes years below 100 for those of the twentieth century.
  local.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - Math.floor(instant.getTime() / 1000) * 1000;
}
