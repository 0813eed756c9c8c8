/** Files that bodies hold: they are stored ahead of the transaction that stores their rows. */
import type { Work } from '../command/change.js';
import type { Command } from '../command/command.js';
import type { Ask } from './reads.js';

/** Injection token of the SentFiles. */
export const SENT_FILES = Symbol('SENT_FILES');

/** Gives the commands for the transaction, anew for each attempt. */
export type NextCommands = (work: Work) => Promise<Command[]>;

export interface SentFiles {
  areIn(commands: readonly Command[]): boolean;
  /** `again` makes the commands once more: what is applied is used up. Errors: 400, 403, 409, 503. */
  during<T>(
    commands: Command[],
    again: () => Promise<Command[]>,
    ask: Ask,
    write: (next: NextCommands) => Promise<T>,
  ): Promise<T>;
}
