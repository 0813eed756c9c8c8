/**
 * What a program writes of a class in which nothing was set: null, an empty text, zero, false, the first instant of the
 * calendar, no items, and parts that hold nothing else.
 */
import type { PayloadValue } from './payload.js';

export function isBare(value: PayloadValue): boolean {
  switch (value.kind) {
    case 'null':
      return true;
    case 'boolean':
      return !value.value;
    case 'number':
    case 'text':
      return bareText.test(value.text);
    case 'object':
      return value.object.members.every((member) => isNameOfType(member.name) || isBare(member.value));
    case 'list':
      return value.items.length === 0;
  }
}

const bareText = /^\s*(?:0(?:\.0{0,20})?|false|0001-01-01T00:00:00(?:\.0{0,9})?Z?)?\s*$/i;

const isNameOfType = (name: string): boolean => name.toLowerCase() === 'resourcetype';
