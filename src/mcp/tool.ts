/** What a tool is: a name, what it takes, and what it does by the API on behalf of its caller. */
import type { z } from 'zod';
import type { Api } from '../client/api.js';
import type { Model } from '../model/model.js';

export interface ToolContext {
  /** Asks with the credentials of the caller. */
  readonly api: Api;
  readonly model: Model;
  /** The address that links start with. */
  readonly base: string;
}

export interface Caller extends ToolContext {
  readonly isReadOnly: boolean;
  /** Writes to the log what went wrong in a tool. */
  onFault(error: unknown): void;
}

export interface Tool<Shape extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  readonly isWriting: boolean;
  /** It puts something in the place of what was there. */
  readonly isReplacing?: boolean;
  run(input: z.output<Shape>, context: ToolContext): Promise<unknown>;
}

/** Keeps the type of the input between a schema and the function that takes what it lets through. */
export const tool = <Shape extends z.ZodObject>(definition: Tool<Shape>): Tool => definition as unknown as Tool;

/** A mistake of the caller, with what to do instead. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolError';
  }
}

/** The page of an item, for people. */
export const linkTo = ({ base }: ToolContext, id: number): string => `${base}/entity/${id}`;
