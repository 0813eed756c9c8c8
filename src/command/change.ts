/**
 * A write under way, as the rules of a family see it: what will be stored, what was, and the means to look things up.
 */
import type { DataSource } from 'typeorm';
import type { Actor } from '../actor.js';
import { type ApiError, badMember } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { type Command, emptyCommand, type SentCollection } from './command.js';
import type { Facts } from './facts.js';
import type { NewIds } from './new-ids.js';

/** One entity that is created or updated. */
export interface Change {
  /** The kind of the entity itself, also where the address names a base type. */
  readonly resource: ResourceType;
  /** The entity that is updated; for a new one, set once it is stored. */
  id?: number;
  /** False also for a row that is found by its natural key: naming what is there already changes it. */
  isNew: boolean;
  /** Values to store by property name, references as `{ id }` or null. Rules add to it what follows. */
  readonly values: Record<string, unknown>;
  /** The row as it was, by column name, locked until the transaction ends; undefined for a new entity. */
  before?: Row;
  /** What was sent; rules may add items to its collections. */
  readonly command: Command;
  /** Another change of the same request that means the same row, by its natural key. */
  sameAs?: Change;
  readonly actor: Actor;
  readonly now: Date;
  readonly timeZone: string;
}

export type Row = Readonly<Record<string, unknown>>;

/** How changes of a table are recorded by the statement that makes them. */
export interface TableRecord {
  /** Those whose values are recorded. */
  columns: readonly string[];
  /** Those that the record is about besides: they tell the entity, its kind and its project. */
  mentioned: readonly string[];
  /** The columns of the record. */
  into: string;
  /** The resource of a row of this alias. */
  resource(row: string): string;
  /**
   * Values of all columns of the record but the last one, of a row of this alias, which was `before`. `request`: an
   * expression that tells whose change it is, else the transaction does.
   */
  insert(row: string, request?: string): string[];
  update(row: string, before: string, request?: string): string[];
  /** An expression that keeps the database from recording the same. It is not null. */
  mark: string;
}

/** The transaction that changes belong to. */
export interface Work {
  /** What TypeORM knows of the columns of entities. */
  readonly columns: Pick<DataSource, 'getMetadata'>;
  readonly actor: Actor;
  /** When the transaction began, by the clock of the database. Known once something was looked up. */
  now(): Date;
  /** Of the set-up of processes when the transaction began. Known as early. */
  setUpVersion(): string;
  readonly timeZone: string;
  /** What is known of the entities that the request refers to; only those the actor may see are in it. */
  readonly facts: Facts;
  /** Runs a statement of ours, prepared once a connection. Rows are objects by column name. */
  rows<R = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Runs a statement for what it does: it travels with those behind it. Where it fails, the transaction does. */
  send(text: string, values?: readonly unknown[]): void;
  /** Undefined: nobody's changes of the table are recorded. */
  recordOf(table: string): TableRecord | undefined;
  /** For rows that are to be made. */
  readonly ids: NewIds;
  /** Looks further entities up, so that `facts` knows them. */
  look(wanted: ReadonlyMap<ResourceType, Iterable<number>>): Promise<void>;
  /** Applies commands that rules add, by the rules of their own families. */
  apply(commands: readonly Command[]): Promise<Change[]>;
  /** Does something once the transaction has ended well. */
  afterCommit(act: () => void | Promise<void>): void;
}

/** The rules of a family, run within the transaction for all changes of one kind together. */
export interface Rules {
  /** Before anything is stored: defaults, checks, what follows from what was sent. */
  beforeSave(changes: readonly Change[], work: Work): Promise<void>;
  /** After the entities are stored, before the items of their collections are. */
  afterSave(changes: readonly Change[], work: Work): Promise<void>;
  /** Before entities are deleted: refusals, and what goes along. */
  beforeDelete(removals: readonly Removal[], work: Work): Promise<void>;
  /** After entities were deleted. */
  afterDelete(removals: readonly Removal[], work: Work): Promise<void>;
  /** Before entities are restored: refusals. */
  beforeRestore(restorals: readonly Restoral[], work: Work): Promise<void>;
  /** After entities were restored, and what had gone along with them. */
  afterRestore(restorals: readonly Restoral[], work: Work): Promise<void>;
}

/** Two entities that a table of links joins, or no longer joins. */
export interface Link {
  /** Ids by the columns of the table, whichever side was written. */
  readonly ids: Readonly<Record<string, number>>;
  /** The change whose collection was written, and its name; nothing where a link is cut. */
  readonly change?: Change;
  readonly member?: string;
}

/** What follows when entities are joined or separated, by table of links. */
export interface LinkRules {
  linked(table: string, links: readonly Link[], work: Work): Promise<void>;
  cut(table: string, links: readonly Link[], work: Work): Promise<void>;
}

/** One entity that is deleted. */
export interface Removal {
  readonly resource: ResourceType;
  readonly id: number;
  readonly path: string;
  readonly before: Row;
}

/** One deleted entity that is restored. */
export interface Restoral {
  readonly resource: ResourceType;
  readonly id: number;
  readonly path: string;
  /** The row as it was; of what only comes along with another one, nothing. */
  readonly before?: Row;
}

/** A condition that always holds, of a statement that changes nothing which is recorded of a table. */
export const nothingRecorded = (table: string, { recordOf }: Pick<Work, 'recordOf'>): string =>
  `${recordOf(table)?.mark ?? `''`} is not null`;

/** The ids of those entities that the actor may see. */
export async function visibleIds(
  resource: ResourceType,
  ids: readonly number[],
  { look, facts }: Work,
): Promise<Set<number>> {
  await look(new Map([[resource, ids]]));
  return new Set(ids.filter((id) => facts.of(resource, id)));
}

/** The id a reference is about to get, if it is among the values. */
export function referenced(change: Change, property: string): number | undefined {
  const reference = change.values[property] as { id?: number } | null | undefined;
  return reference?.id;
}

/** The id a reference will have once the change is stored. */
export function current(change: Change, property: string): number | undefined {
  const sent = change.values[property] as { id: number } | null | undefined;
  if (sent !== undefined) return sent?.id;
  return (change.before?.[columnOf(change.resource, property)] as number | null | undefined) ?? undefined;
}

/** A value as it will be once the change is stored; references are not for this. */
export function currentValue<T>(change: Change, property: string): T | null | undefined {
  const sent = change.values[property];
  return (sent !== undefined ? sent : change.before?.[columnOf(change.resource, property)]) as T | null | undefined;
}

export function columnOf(resource: ResourceType, property: string): string {
  const field = resource.ofProperty(property);
  if (!field || field.kind === 'collection' || !field.column)
    throw new Error(`${resource.name}.${property} has no column`);
  return field.column;
}

/** Whether the change writes anything at all to its own row. */
export const isEmpty = (change: Change): boolean => Object.keys(change.values).length === 0;

/** Sets a value that was not sent. */
export function byDefault(change: Change, property: string, value: unknown): void {
  if (change.values[property] === undefined && value !== undefined) change.values[property] = value;
}

export const refersTo = (id: number | null | undefined): { id: number } | undefined =>
  id === null || id === undefined ? undefined : { id };

/** A refusal of one member, which in a bulk body names its item too. */
export const refuse = ({ command }: Pick<Change, 'command'>, member: string, why: string): ApiError =>
  badMember(`${command.path}${member}`, why);

/** The items that were sent for a collection, made if there are none yet. */
export function sentItems(change: Change, name: string): SentCollection {
  const field = change.resource.field(name);
  if (field?.kind !== 'collection') throw new Error(`${change.resource.name} has no collection ${name}`);
  const collection = change.command.collections.find((sent) => sent.field.name === field.name);
  if (collection) return collection;
  const sent: SentCollection = { field, items: [] };
  change.command.collections.push(sent);
  return sent;
}

/** A command of our own making, with values by field name; ids stand for references. */
export function commandFor(
  resource: ResourceType,
  path: string,
  values: Readonly<Record<string, string | number | boolean | Date | null>>,
  id?: number,
): Command {
  const command: Command = { ...emptyCommand(resource, path, id), isOwn: true };
  for (const [name, value] of Object.entries(values)) {
    const field = resource.field(name);
    if (field?.kind === 'scalar') command.scalars.push({ field, value });
    else if (field?.kind === 'reference') {
      command.references.push({ field, to: value === null ? { kind: 'none' } : { kind: 'id', id: Number(value) } });
    } else throw new Error(`${resource.name} has no field ${name}`);
  }
  return command;
}
