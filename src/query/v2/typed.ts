/**
 * What an expression means: names are fields of the model, everything has a type. Only `resolve` makes one, the scope pass
 * narrows what it leads to, and `compile` spells it.
 */
import type { CollectionField, ReferenceField, ResourceType } from '../../model/model.js';
import type { SqlType } from '../../sql.js';
import type { Condition, CustomFieldGroup, Operand, Plan } from '../plan.js';
import type { Comparison } from '../query.js';
import type { FunctionRow } from './functions.js';
import type { Type } from './types.js';

/** Stands for the row that an expression is about, whichever row that will be. */
export class Binder {
  /** The type of the items themselves: an entity, or a value of a list. */
  constructor(readonly type: Type) {}
}

export interface Common {
  type: Type;
  /** Null must be expected. */
  nullable: boolean;
  /** How many parts it has, counted as often as they will be spelled. */
  size: number;
  /** How many digits before the point its numbers have at most. */
  digits: number;
}

/** Which rows of a reference or a collection exist for the actor. Set by the scope pass; nothing is compiled without it. */
export interface Seen {
  seen?: readonly Condition[];
}

export interface Literal extends Common {
  kind: 'literal';
  /** Null for null; a number is a text. */
  value: string | boolean | null;
  /** A whole number that was written with quotes, and the like, keeps its type until it meets another. */
  sqlType: SqlType;
}

export interface Chain extends Common, Seen {
  kind: 'chain';
  /** Whose collection it is, or the text whose values between commas are the items; `root`: all items that are asked for. */
  source: { kind: 'field'; owner: Typed; field: CollectionField } | { kind: 'values'; owner: Typed } | 'root';
  /** The row of the collection, which everything below is about. */
  binder: Binder;
  filters: readonly Typed[];
  order: readonly { by: Typed; descending: boolean }[];
  /** How many of these the last `OrderBy` and what followed it stand for; the rest were asked for before. */
  leading?: number;
  /** What each item is turned into; undefined: the entity itself. */
  projection?: Typed;
  isDistinct: boolean;
  /** What was left by `Take`, `Skip` or `Distinct`, which everything here is asked of. About the same binder. */
  within?: Chain;
  /** Shown as it is: the items themselves. */
  isListed?: boolean;
  take?: number;
  skip?: number;
}

export interface ObjectMember {
  name: string;
  /** The name is one of the model or the language; another one is the client's own. */
  isKnown: boolean;
  value: Typed;
  /** Where it stands in the text. */
  at?: number;
}

export type Aggregation = 'count' | 'sum' | 'average' | 'min' | 'max';

export type Typed =
  | Literal
  | (Common & { kind: 'row'; binder: Binder })
  | (Common & { kind: 'field'; of: Typed; operand: Operand })
  | (Common & Seen & { kind: 'reference'; of: Typed; field: ReferenceField })
  /** What an entity in a custom field is. */
  | (Common &
      Seen & { kind: 'pointed'; of: Typed; operand: Extract<Operand, { kind: 'custom' }>; resource: ResourceType })
  | (Common & { kind: 'cast'; of: Typed; resource: ResourceType })
  | (Common & Seen & { kind: 'me' })
  | Chain
  | (Common & { kind: 'aggregate'; of: Chain; function: Aggregation; value?: Typed })
  | (Common & { kind: 'some'; of: Chain })
  | (Common & { kind: 'first'; of: Chain })
  /** An entity turned into something. */
  | (Common & { kind: 'mapped'; of: Typed; binder: Binder; body: Typed })
  /** One of two entities: by a condition or, without one, the first that is there. */
  | (Common & { kind: 'chosen'; test?: Typed; options: readonly [Typed, Typed]; resource: ResourceType })
  /** An item of a list of values. */
  | (Common & { kind: 'element'; binder: Binder })
  /** The short form of an entity, or with the default fields. */
  | (Common & { kind: 'item'; of: Typed; plan: Plan; shown?: Plan })
  | (Common & { kind: 'customFields'; of: Typed; groups: readonly CustomFieldGroup[] })
  | (Common & { kind: 'object'; members: readonly ObjectMember[] })
  | (Common & { kind: 'compare'; operator: Comparison; left: Typed; right: Typed })
  | (Common & { kind: 'null'; of: Typed })
  | (Common & { kind: 'in'; of: Typed; values: readonly Literal[] })
  | (Common & { kind: 'contains'; of: Typed; part: Typed; wholeStart: boolean; wholeEnd: boolean })
  /** One of the nearest time boxes of its owner that are over, or yet to come. */
  | (Common &
      Seen & { kind: 'near'; of: Typed; resource: ResourceType; owner: ReferenceField; isPast: boolean; count: number })
  | (Common & { kind: 'and' | 'or'; parts: readonly Typed[] })
  | (Common & { kind: 'not'; of: Typed })
  | (Common & { kind: 'conditional'; test: Typed; yes: Typed; no: Typed })
  /** What the rows of a group have in common: the value of the key in this place. */
  | (Common & { kind: 'key'; index: number })
  | (Common & { kind: 'call'; function: FunctionRow; args: readonly Typed[] });

/** The expressions right inside of one. */
export function partsOf(node: Typed): readonly Typed[] {
  switch (node.kind) {
    case 'literal':
    case 'row':
    case 'me':
    case 'element':
    case 'key':
      return [];
    case 'chain':
      return [
        ...(node.source === 'root' ? [] : [node.source.owner]),
        ...(node.within ? [node.within] : []),
        ...node.filters,
        ...node.order.map(({ by }) => by),
        ...(node.projection ? [node.projection] : []),
      ];
    case 'aggregate':
      return node.value ? [node.of, node.value] : [node.of];
    case 'mapped':
      return [node.of, node.body];
    case 'object':
      return node.members.map(({ value }) => value);
    case 'compare':
      return [node.left, node.right];
    case 'in':
      return [node.of, ...node.values];
    case 'contains':
      return [node.of, node.part];
    case 'and':
    case 'or':
      return node.parts;
    case 'conditional':
      return [node.test, node.yes, node.no];
    case 'chosen':
      return [...(node.test ? [node.test] : []), ...node.options];
    case 'call':
      return node.args;
    default:
      return [node.of];
  }
}

/** Whether a number over all items that are asked for is part of it. */
export const isOverAll = (node: Typed): boolean =>
  ((node.kind === 'aggregate' || node.kind === 'some') && node.of.source === 'root') || partsOf(node).some(isOverAll);
