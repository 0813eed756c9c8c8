/** A write under way, as the rules of a family see it: what will be stored, and the transaction to look things up in. */
import type { EntityManager } from 'typeorm';
import type { Actor } from '../actor.js';
import type { ResourceType } from '../model/model.js';

export interface Change {
  readonly resource: ResourceType;
  /** The entity that is updated; for a new one, set once it is stored. */
  id?: number;
  readonly isNew: boolean;
  /** Values to store by property name, references as `{ id }` or null. Rules add to it what follows. */
  readonly values: Record<string, unknown>;
  readonly actor: Actor;
  readonly manager: EntityManager;
  readonly now: Date;
  readonly timeZone: string;
}

/** The id a reference is about to get, if it is among the values. */
export function referenced(change: Change, property: string): number | undefined {
  const reference = change.values[property] as { id: number } | null | undefined;
  return reference?.id;
}

/** Sets a value that was not sent. */
export function byDefault(change: Change, property: string, value: unknown): void {
  if (change.values[property] === undefined && value !== undefined) change.values[property] = value;
}
