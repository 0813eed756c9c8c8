/**
 * What a Payload means: the fields of one resource that were sent, typed. Only sent fields are in it, so only sent
 * fields change.
 */
import { type ApiError, badMember } from '../errors.js';
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import type { PayloadValue } from './payload.js';

export interface Command {
  resource: ResourceType;
  /** Present: update that entity; absent: create one. */
  id?: number;
  /** The kind, or a base type of it, that the client named it by. */
  element?: string;
  /** The way to it in the body, for messages: empty, `[3].`, `Tasks[0].` */
  path: string;
  scalars: SentScalar[];
  references: SentReference[];
  /** Items sent with their owner: those without Id are created with it, those with one are linked to it. */
  collections: SentCollection[];
  /** Values of custom fields; their types depend on the process, so they are still as sent. */
  customFields: SentCustomField[];
  /** The names that replace the tags of the entity. */
  tags?: string[];
  /** Id of the request that sent it, where several are carried out in one transaction. */
  requestId?: string;
  /** Made by a rule, not by the client: what it refers to is known to be there. */
  isOwn?: boolean;
  /** Only carries items for a collection of an entity, which itself is not changed. */
  isCarrier?: boolean;
  /** An item of an entity that is created with it: it cannot be there already, unless it follows others of its kind. */
  hasNewOwner?: boolean;
  /** Items of its kind were sent in another collection before it. */
  followsOthers?: boolean;
  /** Sent to join two entities: whatever joins them already will do. */
  joinsOnly?: boolean;
  /** The property of the reference to its owner, which needs no looking up. */
  ownedBy?: string;
}

export interface SentScalar {
  field: ScalarField;
  /** Of a field that not all kinds of the type have: those that do. */
  kinds?: readonly ResourceType[];
  value: ScalarValue;
  /**
   * Of a local time that occurs more than once: what it can mean as well. It is no change of a date that shows the
   * same.
   */
  also?: readonly Date[];
}

export interface SentReference {
  field: ReferenceField;
  kinds?: readonly ResourceType[];
  to: ReferenceTarget;
}

export interface SentCollection {
  field: CollectionField;
  items: Command[];
  /** Filled with the items once they are stored, where the sender of the collection wants to read them. */
  stored?: StoredItem[];
}

export interface StoredItem {
  readonly id: number;
  /** False for a link that was there already. */
  readonly isNew: boolean;
}

export interface SentCustomField {
  name: string;
  /** As an answer calls it, where what was read is sent back. */
  type?: string;
  value: PayloadValue;
  path: string;
}

/** Decimals and longs keep their text, so that no digit is lost. */
export type ScalarValue = string | number | boolean | Date | null;

/** Names stand for an id where they are unique (states, roles, priorities, severities). */
export type ReferenceTarget = { kind: 'id'; id: number } | { kind: 'name'; name: string } | { kind: 'none' };

export const emptyCommand = (resource: ResourceType, path: string, id?: number): Command => ({
  resource,
  id,
  path,
  scalars: [],
  references: [],
  collections: [],
  customFields: [],
});

export const otherMeaning = (path: string, name: string): ApiError =>
  badMember(`${path}${name}`, 'another member means the same field and says something else.');
