/** What a Payload means: the fields of one resource that were sent, typed. Only sent fields are in it, so only sent fields change. */
import type { ReferenceField, ResourceType, ScalarField } from '../model/model.js';

export interface Command {
  resource: ResourceType;
  /** Present: update that entity; absent: create one. */
  id?: number;
  scalars: { field: ScalarField; value: ScalarValue }[];
  references: { field: ReferenceField; to: ReferenceTarget }[];
}

/** Decimals and longs keep their text, so that no digit is lost. */
export type ScalarValue = string | number | boolean | Date | null;

/** Names stand for an id where they are unique (states, roles, priorities, severities). */
export type ReferenceTarget = { kind: 'id'; id: number } | { kind: 'name'; name: string } | { kind: 'none' };
