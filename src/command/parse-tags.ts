/** Reads the `Tags` text: names between commas, trimmed, each once without regard to case. */
import { badMember, nulCharacter, unwritableText } from '../errors.js';
import { isXmlText } from '../texts/characters.js';
import type { Command } from './command.js';
import type { PayloadValue } from './payload.js';

const limits = { tags: 200, characters: 255, text: 100_000 };

export function parseTags(value: PayloadValue, path: string): string[] {
  if (value.kind === 'null') return [];
  if (value.kind !== 'text' && value.kind !== 'number') {
    throw badMember(path, 'tags are one text with commas between them, such as "a,b".');
  }
  if (value.text.length > limits.text) throw badMember(path, `at most ${limits.text} characters are allowed.`);
  const names = new Map<string, string>();
  for (const part of value.text.split(',')) {
    const name = tagName(part, path);
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()];
}

/** Stored tags may be more: sent again, they are not refused. */
export function refuseManyTags({ tags = [], path }: Command, stored: readonly string[]): void {
  if (tags.length <= limits.tags) return;
  const there = new Set(stored.map((name) => name.toLowerCase()));
  if (tags.some((name) => !there.has(name.toLowerCase())))
    throw badMember(`${path}Tags`, `more than ${limits.tags} tags are sent.`);
}

/** Tags that change and objects that are added: which of them is to hold? */
export const tagsTwice = (path: string) =>
  badMember(`${path}TagObjects`, 'Tags and TagObjects cannot be used in one request. Use either of them.');

/** The name of one tag, trimmed. */
export function tagName(text: string, path: string): string {
  const name = text.trim();
  if (name.includes('\0')) throw nulCharacter(path);
  if (!isXmlText(name)) throw unwritableText(path);
  // Characters count, not the halves that wide ones are made of.
  if (name.length > limits.characters && [...name].length > limits.characters)
    throw badMember(path, `a tag has at most ${limits.characters} characters.`);
  return name;
}
