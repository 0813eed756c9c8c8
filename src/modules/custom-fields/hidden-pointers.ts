/**
 * What the actor may not see reads as nothing, also where a custom field points at it; so what he sends back without it
 * must not take it away.
 */
import type { Work } from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';
import type { CustomFieldDefinition } from '../../query/meaning.js';

interface Values {
  /** As they would be stored, and as they are. */
  sent: unknown;
  before: unknown;
}

/** The value to store: what was sent, with the pointers of the old value that the actor knows nothing of. */
export async function withHidden(
  { sent, before }: Values,
  { type, target }: CustomFieldDefinition,
  work: Work,
): Promise<unknown> {
  const old = pointersOf(before);
  if (!target) return sent;
  const people = target.people.itemNames.map((name) => name.toLowerCase());
  const others = old.filter(({ kind }) => !people.includes(kind));
  if (others.length === 0) return sent;
  await work.look(new Map<ResourceType, number[]>([[target.resource, others.map(({ id }) => id)]]));
  const hidden = others.filter(({ id }) => !work.facts.of(target.resource, id));
  if (hidden.length === 0) return sent;
  if (type === 'Entity') return sent ?? before;
  const sentPointers = typeof sent === 'string' ? sent.split(',') : [];
  const shown = old.filter((one) => !hidden.includes(one)).map(({ text }) => text);
  return sentPointers.join() === shown.join() ? before : [...sentPointers, ...hidden.map(({ text }) => text)].join(',');
}

interface Stored {
  id: number;
  /** In lower case. */
  kind: string;
  text: string;
}

/** One is an object, several are a text. */
function pointersOf(value: unknown): Stored[] {
  if (typeof value === 'string') {
    return value.split(',').flatMap((text) => {
      const match = /^(\d{1,16}) (\w+)$/.exec(text);
      return match ? [{ id: Number(match[1]), kind: match[2]!, text }] : [];
    });
  }
  const one = value as { Id?: unknown; Kind?: unknown } | null | undefined;
  if (typeof one?.Id !== 'number' || typeof one.Kind !== 'string') return [];
  const kind = one.Kind.toLowerCase();
  return [{ id: one.Id, kind, text: `${one.Id} ${kind}` }];
}
