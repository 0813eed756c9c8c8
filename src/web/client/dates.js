/** Moments as people read them: how long ago, and the exact time behind it. */
import { element } from './dom.js';

/** `/Date(1784039038000+0200)/` @param {string | null | undefined} text @returns {Date | undefined} */
export function dateIn(text) {
  const milliseconds = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/.exec(text ?? '')?.[1];
  return milliseconds === undefined ? undefined : new Date(Number(milliseconds));
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How far off a moment is, in its greatest unit. @param {Date} date @param {Date} [now] */
export function distance(date, now = new Date()) {
  const seconds = Math.round((date.getTime() - now.getTime()) / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60];
  if (unit === 'minute' && Math.abs(seconds) < 60) return seconds > 0 ? 'in less than a minute' : 'just now';
  return relative.format(Math.trunc(seconds / size), unit);
}

/** How far off it is, the exact time in the title. @param {Date | undefined} date @param {string} never */
export const ago = (date, never) =>
  date === undefined
    ? never
    : element('time', { datetime: date.toISOString(), title: exact.format(date) }, distance(date));

/** @param {Date} date */
export const onDay = (date) =>
  element('time', { datetime: date.toISOString(), title: exact.format(date) }, day.format(date));
