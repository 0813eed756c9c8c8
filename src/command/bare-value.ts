/**
 * What a program writes of a class in which nothing was set: null, an empty text, zero, false, the first day of the
 * calendar, no items, and parts that hold nothing else.
 */
import { parseInstant } from '../texts/moments.js';
import { wholeNumber } from '../texts/whole-numbers.js';
import type { PayloadValue } from './payload.js';

export function isBare(value: PayloadValue): boolean {
  switch (value.kind) {
    case 'null':
      return true;
    case 'boolean':
      return !value.value;
    case 'number':
    case 'text':
      return isBareText(value.text.trim());
    case 'object':
      return value.object.members.every((member) => isNameOfType(member.name) || isBare(member.value));
    case 'list':
      return value.items.length === 0;
  }
}

const isBareText = (text: string): boolean =>
  text === '' || wholeNumber(text) === '0' || text.toLowerCase() === 'false' || isFirstDay(text);

/** The first instant of a zone west of Greenwich is some hours later in UTC. */
const isFirstDay = (text: string): boolean =>
  isBeforeFirstDay(text) || (parseInstant(text)?.text.startsWith('0001-01-01 ') ?? false);

/** That of a zone east of it is up to 14 hours earlier: in the last year before the calendar. */
function isBeforeFirstDay(text: string): boolean {
  const before = -Number(/^\/Date\(-(\d{14})[+-]\d{4}\)\/$/.exec(text)?.[1]) - firstMs;
  return before < 0 && before >= -14 * 3_600_000;
}

/** 1 January of the year 1 in UTC. */
const firstMs = -62_135_596_800_000;

const isNameOfType = (name: string): boolean => name.toLowerCase() === 'resourcetype';
