/**
 * Reads the date forms that clients send: ISO dates and date-times with or without a zone, `24-Oct-2015`,
 * `/Date(ms±hhmm)/` and, in filters, `10/24/2015` and Today with an offset in days. Without a zone a moment is meant in
 * the zone of the service; `local-times.ts` tells which instant that is.
 */
export type MomentText = { kind: 'moment'; text: string } | { kind: 'today'; days: number };

export function parseMoment(input: string): MomentText | undefined {
  const text = input.trim();
  return relative(text) ?? parseInstant(text) ?? monthDayYear(text);
}

/** The absolute forms only: what a body may hold. */
export function parseInstant(input: string): { kind: 'moment'; text: string } | undefined {
  const text = input.trim();
  return text.length > 64 ? undefined : (iso(text) ?? dayMonthYear(text) ?? milliseconds(text));
}

const words: Readonly<Record<string, number | undefined>> = { today: 0, tomorrow: 1, yesterday: -1 };

function relative(text: string): MomentText | undefined {
  const match = /^@?(today|tomorrow|yesterday)\s*(?:([+-])\s*(\d{1,5}))?$/i.exec(text);
  if (!match) return undefined;
  const shift = match[3] ? Number(match[3]) * (match[2] === '-' ? -1 : 1) : 0;
  return { kind: 'today', days: words[match[1]!.toLowerCase()]! + shift };
}

const isoForm =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

function iso(text: string) {
  const match = isoForm.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = ''] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = zoneText(zone);
  if (offset === undefined) return undefined;
  const parts = fraction === '' ? '' : `.${fraction.slice(0, 3)}`;
  return moment(`${year}-${month}-${day} ${hour}:${minute}:${second}${parts}${offset}`);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function dayMonthYear(text: string) {
  const match = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text);
  if (!match) return undefined;
  const [, day, name, year] = match;
  const month = months.indexOf(name!.toLowerCase()) + 1;
  if (!isDay(Number(year), month, Number(day))) return undefined;
  return moment(`${year}-${String(month).padStart(2, '0')}-${day!.padStart(2, '0')} 00:00:00`);
}

/** As the culture that contexts tell of writes dates, and the hours of half a day or of a whole one. */
const monthFirst = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP])M)?)?$/i;

function monthDayYear(text: string) {
  const match = text.length > 64 ? null : monthFirst.exec(text);
  if (!match) return undefined;
  const [, month, , day, year, hour = '0', minute = '00', second = '00', half] = match;
  if (!isDay(Number(year), Number(month), Number(day)) || Number(minute) > 59 || Number(second) > 59) return undefined;
  const hours = hoursOf(Number(hour), half?.toUpperCase());
  if (hours === undefined) return undefined;
  const two = (number: string | number | undefined): string => String(number).padStart(2, '0');
  return moment(`${year}-${two(month)}-${two(day)} ${two(hours)}:${minute}:${second}`);
}

function hoursOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour > 23 ? undefined : hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'P' ? 12 : 0);
}

/** The milliseconds count; the offset behind them only tells where the writer was. */
function milliseconds(text: string) {
  const match = /^\\?\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\\?\/$/.exec(text);
  if (!match) return undefined;
  const date = new Date(Number(match[1]));
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) return undefined;
  return moment(date.toISOString().replace('T', ' ').replace('Z', '+00'));
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}

function zoneText(zone: string): string | undefined {
  if (zone === '') return '';
  if (zone.toUpperCase() === 'Z') return '+00';
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  return hours > 14 || minutes > 59 ? undefined : `${zone.slice(0, 3)}:${String(minutes).padStart(2, '0')}`;
}

const moment = (text: string) => ({ kind: 'moment', text }) as const;
