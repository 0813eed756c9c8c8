/** `Tags contains 'abc'` asks for a whole tag; a star at either end stands for any letters; inner quotes hold several words. */
import { Bound } from '../../bound.js';
import type { ResourceType } from '../../model/model.js';
import type { Condition, Value } from '../meaning.js';
import { text } from '../types.js';
import { collectionOf, condition, fieldOf, rowOf, valueFrom } from '../values.js';
import type { Literal } from './query.js';

export function tagCondition({ text: words, place }: Literal, of: Value, resource: ResourceType): Condition {
  const objects = resource.field('TagObjects');
  const name = objects?.kind === 'collection' ? objects.target.nameField : undefined;
  if (objects?.kind !== 'collection' || !name) throw new Error(`${resource.name} has no tags`);
  const { sought, wholeStart, wholeEnd } = soughtBy(words);
  const again = (word: string): string | undefined => {
    const other = soughtBy(word);
    return other.wholeStart === wholeStart && other.wholeEnd === wholeEnd ? other.sought : undefined;
  };
  const part = valueFrom({ value: sought, sqlType: 'text' }, text, () => Bound.word(sought, place, again));
  const tag = fieldOf(rowOf(objects.target), { kind: 'field', field: name });
  const contained = condition({ kind: 'contains', of: tag, part, wholeStart, wholeEnd });
  return condition({ kind: 'some', of: collectionOf(of, objects, [contained]) });
}

function soughtBy(text: string): { sought: string; wholeStart: boolean; wholeEnd: boolean } {
  const bare = unquoted(text.trim());
  const wholeStart = !bare.startsWith('*');
  const wholeEnd = !(bare.length > 1 && bare.endsWith('*'));
  return { sought: bare.slice(wholeStart ? 0 : 1, wholeEnd ? undefined : -1), wholeStart, wholeEnd };
}

function unquoted(text: string): string {
  const quote = text[0];
  const isQuoted = text.length >= 2 && (quote === "'" || quote === '"') && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}
