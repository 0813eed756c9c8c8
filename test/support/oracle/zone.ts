/** The zone of the service under test: dates are told in it, and what is written without a zone is meant in it. */
export const zone = 'Europe/Berlin';

const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
const quarter = 900_000;
/** So many days repeat the calendar; the formatter writes years of four digits only. */
const cycle = 146_097 * 86_400_000;
const lastYear = Date.UTC(9999, 0);
const offsets = new Map<number, number>();

/** Milliseconds that clocks there are ahead; they change on a quarter of an hour at most. */
export function offsetAt(moment: number): number {
  if (moment > lastYear) return offsetAt(moment - cycle);
  const start = Math.floor(moment / quarter) * quarter;
  const offset = offsets.get(start) ?? Date.parse(`${format.format(start).replace(' ', 'T')}Z`) - start;
  offsets.set(start, offset);
  return offset;
}

/** `2026-01-31T12:00:00.000`, as clocks there show it. */
export const localText = (moment: number): string => new Date(moment + offsetAt(moment)).toISOString().replace('Z', '');

const lastByUtc = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Of the calendar, by UTC and by clocks there. */
export const lastSecond = Math.min(lastByUtc, lastByUtc - offsetAt(lastByUtc));

const day = 86_400_000;

/** When a day begins there, some days after the one that the moment is in. */
export function midnight(moment: number, days: number): number {
  const local = (Math.floor((moment + offsetAt(moment)) / day) + days) * day;
  return local - offsetAt(local - offsetAt(local));
}

/** `/Date(1714644672000+0200)/` */
export function dateText(moment: number): string {
  const minutes = offsetAt(moment) / 60_000;
  const digits = (number: number): string => String(Math.abs(number)).padStart(2, '0');
  return `/Date(${moment}${minutes < 0 ? '-' : '+'}${digits(Math.trunc(minutes / 60))}${digits(minutes % 60)})/`;
}
