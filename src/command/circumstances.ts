/** What carrying Commands out needs to know of the service around it. */
import type { Model, ResourceType } from '../model/model.js';
import type { Existing } from '../query/compile/lookup.js';
import type { Sql, Statement } from '../sql.js';
import type { LinkRules, Row, Rules, Work } from './change.js';
import type { Command } from './command.js';

export type Right = 'add' | 'edit' | 'delete';

/** What a role does not allow. */
export interface Denial {
  role: number;
  kind: number;
  rights: Right[];
}

/** A row that changes, as it was when it was locked. */
export interface Locked {
  resource: ResourceType;
  row: Row;
}

export interface CommonRules {
  readonly before: readonly Rules[];
  readonly behind: readonly Rules[];
  readonly links: LinkRules;
  /** Locks what has to be locked ahead of all rows. Its statements travel with the beginning of the transaction. */
  ahead(commands: readonly Command[], work: Circumstances): Promise<void>;
  /** What roles do not allow. */
  denials(work: Pick<Work, 'rows' | 'setUpVersion'>): Promise<readonly Denial[]>;
}

/** What a transaction needs to know of the service around it. */
export interface Circumstances extends Work {
  readonly model: Model;
  /** The rules of the family that a kind belongs to. */
  rulesOf(resource: ResourceType): Rules;
  /** Rules that all kinds share, asked before those of the families and behind them. */
  readonly common: CommonRules;
  /** Those of the ids that a deletion of the last day took along, as far as the actor may know of them. */
  takenAlong(resource: ResourceType, ids: readonly number[]): Promise<number[]>;
  /** Brings the totals up to date that otherwise are when the transaction ends. */
  settle(): Promise<void>;
  /** Rows of a statement that locks at most, as arrays of columns. It travels with the beginning of the transaction. */
  ask(statement: Statement, ids: readonly number[]): Promise<unknown[][]>;
  /** Rows by column name of a statement that locks at most. It travels with the beginning of the transaction, too. */
  early<R = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** False: others hold what it would lock, and it has locked nothing. It asks `early` alone. */
  unlessHeld(locking: () => Promise<void>): Promise<boolean>;
  /** When a row of this alias exists for the actor as an entity of the type. */
  existingAs(resource: ResourceType, alias: Sql): Existing;
  /** Asked for each entity that is about to change, once it is locked. */
  checkVersion?(locked: Locked | undefined): void;
}
