/**
 * What a program writes of a class in which nothing was set: null, an empty text, zero, false, the first day of the
 * calendar, no items, and parts that hold nothing else.
 */
import { parseInstant } from '../texts/moments.js';
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

const isBareText = (text: string): boolean => text === '' || zeroOrFalse.test(text) || isFirstDay(text);

const zeroOrFalse = /^(?:0(?:\.0{0,20})?|false)$/i;

/** The first instant of a zone west of Greenwich is some hours later in UTC. */
const isFirstDay = (text: string): boolean => parseInstant(text)?.text.startsWith('0001-01-01 ') ?? false;

const isNameOfType = (name: string): boolean => name.toLowerCase() === 'resourcetype';
