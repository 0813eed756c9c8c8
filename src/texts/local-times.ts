/**
 * Local times: what the clocks of a zone show, and when they show it. A time that occurs twice because clocks go back
 * means its first occurrence; a time that clocks skip is moved on by what they skip, as in RFC 5545. The function
 * `local_instant` of the database keeps the same rule.
 */
import { offsetAt } from './clocks.js';

/** `text` is as `parseInstant` gives it: `2026-01-31 00:00:00[.mmm]`, perhaps with an offset. */
export const zonedInstant = (text: string, timeZone: string): Date => occurrencesOf(text, timeZone)[0];

/** All instants that a text can mean, the one that it means first. */
export function occurrencesOf(text: string, timeZone: string): [Date, ...Date[]] {
  const iso = text.replace(' ', 'T');
  const offset = offsetForm.exec(iso.slice(10));
  if (offset) return [new Date(`${iso.slice(0, -offset[0].length)}${offset[1]}:${offset[2] ?? '00'}`)];
  const local = Date.parse(`${iso}Z`);
  if (timeZone === 'UTC') return [new Date(local)];
  // Clocks change once within these two days at most.
  const candidates = [local - dayMs, local + dayMs].map((near) => local - offsetAt(near, timeZone));
  const [first, ...others] = [...new Set(candidates)].filter((one) => one + offsetAt(one, timeZone) === local);
  return [new Date(first ?? candidates[0]!), ...others.map((one) => new Date(one))];
}

/** The text with the offset of the instant that it means, in the form that the database reads. */
export function withOffset(text: string, timeZone: string): string {
  if (timeZone === 'UTC' || offsetForm.test(text.slice(10))) return text;
  const seconds = (Date.parse(`${text.replace(' ', 'T')}Z`) - zonedInstant(text, timeZone).getTime()) / 1000;
  const digits = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? '-' : '+';
  return `${text}${sign}${[size / 3600, (size / 60) % 60, size % 60].map(digits).join(':')}`;
}

const offsetForm = /([+-]\d{2})(?::?(\d{2}))?$/;

/** What clocks show at an instant: `2026-01-31T12:00:00`. */
export const localTime = (date: Date, timeZone: string): string =>
  new Date(date.getTime() + offsetAt(date.getTime(), timeZone)).toISOString().slice(0, -5);

/** The local day that an instant lies in: `2026-01-31`. */
export const localDay = (date: Date, timeZone: string): string => localTime(date, timeZone).slice(0, -9);

/** The instant at which the local day of an instant begins; not midnight where clocks skip that. */
export const startOfDay = (date: Date, timeZone: string): Date =>
  zonedInstant(`${localDay(date, timeZone)} 00:00:00`, timeZone);

/** The same; but the first day of the calendar begins with that, by UTC. */
export const firstOfDay = (date: Date, timeZone: string): Date =>
  new Date(Math.max(startOfDay(date, timeZone).getTime(), firstInstant));

/** The last second of the local day of an instant. The last day of the calendar ends with that, by UTC. */
export function lastSecondOfDay(date: Date, timeZone: string): Date {
  const next = dayText(Date.parse(localDay(date, timeZone)) + dayMs);
  return new Date(Math.min(zonedInstant(`${next} 00:00:00`, timeZone).getTime(), behindCalendar) - 1000);
}

/** The start of a day as a planned end means the whole of it. */
export const endOfPlannedDay = (end: Date, timeZone: string): Date =>
  end.getTime() === startOfDay(end, timeZone).getTime() ? lastSecondOfDay(end, timeZone) : end;

/** In the years 1 to 9999, by UTC and by the clocks of the zone: only then every format of answers can hold it. */
export function isInCalendar(date: Date, timeZone: string): boolean {
  const at = date.getTime();
  if (!isInYears(at) || timeZone === 'UTC') return isInYears(at);
  if (isInYears(at - dayMs) && isInYears(at + dayMs)) return true;
  // Clocks of a zone do not change so near to either end.
  const near = isInYears(at - dayMs) ? at - dayMs : at + dayMs;
  return isInYears(at + offsetAt(near, timeZone));
}

/** By UTC: the beginning of the year 1, and that of the year 10000. */
const [firstInstant, behindCalendar] = [-62_135_596_800_000, 253_402_300_800_000];

const isInYears = (milliseconds: number): boolean => milliseconds >= firstInstant && milliseconds < behindCalendar;

const dayMs = 86_400_000;

const dayText = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, -14);
