/**
 * What a Query means: names are fields of the model, values are typed. Only `resolve` makes one, and `compile` takes
 * nothing else.
 */
import type { Bound } from '../bound.js';
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import type { RowExpression, SqlType } from '../sql.js';
import type { Aggregation } from './aggregates.js';
import type { FunctionRow } from './functions/function-row.js';
import type { Comparison } from './operators.js';
import type { Kind, OfKind, Type } from './types.js';

export interface Plan {
  resource: ResourceType;
  /** Values and references in canonical order, the Id not among them: it is always there. */
  members: Member[];
  aggregates: ShownAggregate[];
  /** The custom fields to show, by process and kind; undefined when they are not asked for. */
  customFields?: readonly CustomFieldGroup[];
  collections: CollectionMember[];
  /** All must hold. */
  where: readonly Condition[];
  /** Without the last criterion, the Id, which `compile` adds. */
  order: readonly Order[];
  page: Page;
  /** Deleted rows are asked for: the filter names the delete date of the root, or version 2 says so. */
  asksForDeleted: boolean;
  /** Private fields are shown of everyone, or of oneself only. Set by the scope pass. */
  privacy: 'everyone' | 'self';
}

export interface Page {
  take: number;
  skip: number;
}

export type Member =
  | { kind: 'scalar'; field: ScalarField; seen?: readonly Condition[] }
  | { kind: 'reference'; field: ReferenceField; plan: Plan };

export interface CollectionMember {
  field: CollectionField;
  plan: Plan;
  /** The inner include as the client would write it, for the link to the rest of a cut collection. */
  includeText?: string;
}

/** What version 1 shows of a collection, such as `Tasks-Count`. */
export interface ShownAggregate {
  name: string;
  /** Of a base type whose kinds alone have the collection, a choice by kind. */
  value: Value;
}

/** The custom fields of one kind of item in one process (`null`: where there is no process). */
export interface CustomFieldGroup {
  processId: number | null;
  entityTypeId: number;
  fields: CustomFieldDefinition[];
}

export interface CustomFieldDefinition {
  name: string;
  type: CustomFieldType;
  options: readonly string[];
  /** Kept by the service itself: clients read it only. */
  isSystem?: boolean;
  target?: PointerTarget;
}

/** What the value of a custom field points at, and the rows of it that exist for the actor (set by the scope pass). */
export interface PointerTarget {
  resource: ResourceType;
  /** It may be one of these as well, who have a table of their own and are seen by everyone. */
  people: ResourceType;
  where: readonly Condition[];
}

export type CustomFieldType =
  | 'Text'
  | 'DropDown'
  | 'CheckBox'
  | 'URL'
  | 'Date'
  | 'RichText'
  | 'Number'
  | 'Entity'
  | 'MultipleSelectionList'
  | 'TemplatedURL'
  | 'MultipleEntities'
  | 'Money';

/** Something on the current row that can be compared. */
export type Operand =
  /** `seen`: which of the entities exist for the actor that a change tells of (set by the scope pass). */
  | { kind: 'field'; field: ScalarField; seen?: readonly Condition[] }
  | {
      kind: 'custom';
      name: string;
      /** The same name as other processes spell it; an item has its value by the spelling of its own. */
      spellings?: readonly string[];
      type: CustomFieldType;
      /** Processes have several types by this name: values are compared as texts. */
      isMixed?: boolean;
      column: string;
      options?: readonly string[];
      /** The values are not those of the row, but these. */
      values?: RowExpression;
      target?: PointerTarget;
      /** Of several types: where the name is a field that points at several, whose texts are pointers. */
      several?: readonly { kind: ResourceType; processId: number | null }[];
      /** The values were stored when the field may have been another one. */
      isPast?: boolean;
    };

/** A value that is true, false or unknown, which is as good as false. */
export type Condition = Value;

/** What scope says of the row at hand, or of the rows that it leads to. */
type Rule =
  /** What the row refers to is there, and all of these hold of it. */
  | { kind: 'related'; field: ReferenceField; where: readonly Condition[] }
  /** The row is an item of this collection of the entity that is asked for. */
  | { kind: 'inside'; field: CollectionField; owner: ResourceType; where: readonly Condition[] }
  | { kind: 'deleted' }
  /** Not within the last day. */
  | { kind: 'deletedBefore' }
  | { kind: 'mine'; column: string; set: ActorSet }
  | { kind: 'linkedToMine'; table: string; from: string; column: string; set: ActorSet }
  /** A column that tells kinds apart holds one of these. */
  | { kind: 'ofKind'; column: string; values: readonly (string | number)[] };

export type ActorSet = 'projects' | 'teams' | 'user' | ContextSet;

/** Those of the context that is asked for. */
type ContextSet = 'context projects' | 'context teams';

export interface Order {
  by: Value;
  descending: boolean;
}

/** What resolve needs to know of the service: the definitions of custom fields, and the zone of local times. */
export interface CustomFieldCatalogue {
  readonly timeZone: string;
  groups(entityTypeIds: readonly number[]): readonly CustomFieldGroup[];
}

// --- values ----------------------------------------------------------------------------------------------------------

// A value is about the row at hand: that of an item or, inside of a collection, that of an item of it.

export interface Common<T extends Type = Type> {
  type: T;
  /** Null must be expected. */
  nullable: boolean;
}

type CommonOf<K extends Kind> = Common<OfKind<K>>;

/**
 * Which rows of a reference or a collection exist for the actor. Set by the scope pass; nothing is compiled without it.
 */
export interface Seen {
  seen?: readonly Condition[];
}

export interface Literal extends Common {
  kind: 'literal';
  /**
   * Null for null; a number is a text. What version 1 reads of a word is bound, and can be changed but not looked at.
   */
  value: Bound<string | boolean> | string | boolean | null;
  /** A whole number that was written with quotes, and the like, keeps its type until it meets another. */
  sqlType: SqlType;
  /** The text is an option of a drop-down list exactly as it is stored. */
  isOption?: boolean;
  /** The text has a letter that is folded in another way at the end of a word. */
  hasSigma?: boolean;
}

export interface Chain extends CommonOf<'collection'>, Seen {
  kind: 'chain';
  /**
   * Whose collection it is, or the text whose values between commas are the items; `root`: all items that are asked
   * for.
   */
  source:
    | { kind: 'field'; owner: Value; field: CollectionField }
    | { kind: 'values'; owner: Value; list: symbol }
    | 'root';
  /** Everything below is about a row of the collection. */
  filters: readonly Value[];
  /** Filters are asked of items of the owner alone, however the database reads them (set by the scope pass). */
  asksOwn?: boolean;
  order: readonly Order[];
  /** How many of these the last `OrderBy` and what followed it stand for; the rest were asked for before. */
  leading?: number;
  /** What each item is turned into; undefined: the entity itself. */
  projection?: Value;
  isDistinct: boolean;
  /** What was left by `Take`, `Skip` or `Distinct`, which everything here is asked of. */
  within?: Chain;
  /** Shown as it is: the items themselves. */
  isListed?: boolean;
  /** The context that is asked for limits the items, too. */
  isInContext?: boolean;
  take?: number;
  skip?: number;
}

export interface ObjectMember {
  name: string;
  /** The name is one of the model or the language; another one is the client's own. */
  isKnown: boolean;
  value: Value;
  /** Where it stands in the text. */
  at?: number;
}

export type Value =
  | Literal
  /** The id of the entity that is asked for, filled in at each run. */
  | (Common & { kind: 'late'; late: 'id' })
  /** The entity that the row at hand is. */
  | (CommonOf<'entity'> & { kind: 'row' })
  | (Common & { kind: 'field'; of: Value; operand: Operand })
  | (CommonOf<'entity'> & Seen & { kind: 'reference'; of: Value; field: ReferenceField })
  /** What an entity in a custom field is. */
  | (CommonOf<'entity'> &
      Seen & { kind: 'pointed'; of: Value; operand: Extract<Operand, { kind: 'custom' }>; resource: ResourceType })
  | (CommonOf<'entity'> & { kind: 'cast'; of: Value; resource: ResourceType })
  | (CommonOf<'entity'> & { kind: 'me' })
  | Chain
  | (Common & { kind: 'aggregate'; of: Chain; function: Aggregation; value?: Value })
  | (Common & { kind: 'some'; of: Chain })
  | (Common & { kind: 'first'; of: Chain })
  /** An entity turned into something, which is about its row. */
  | (Common & { kind: 'mapped'; of: Value; body: Value })
  /** One of two entities: by a condition or, without one, the first that is there. */
  | (CommonOf<'entity'> & { kind: 'chosen'; test?: Value; options: readonly [Value, Value]; resource: ResourceType })
  /** An item of a list of values. The row at hand is the one that has the list. */
  | (Common & { kind: 'element'; list: symbol })
  /** The short form of an entity, or with the default fields. */
  | (Common & { kind: 'item'; of: Value; plan: Plan; shown?: Plan })
  | (CommonOf<'customValues'> & { kind: 'customFields'; of: Value; groups: readonly CustomFieldGroup[] })
  /** `label`: the member that it is sorted by, where it shows an entity. */
  | (Common & { kind: 'object'; members: readonly ObjectMember[]; label?: string })
  | (Common & { kind: 'compare'; operator: Comparison; left: Value; right: Value })
  | (Common & { kind: 'null'; of: Value })
  /** Of the values each is the same for every row. */
  | (Common & { kind: 'in'; of: Value; values: readonly Value[] })
  | (Common & { kind: 'contains'; of: Value; part: Value; wholeStart: boolean; wholeEnd: boolean })
  /** One of the nearest time boxes of its owner that are over, or yet to come. */
  | (Common &
      Seen & { kind: 'near'; of: Value; resource: ResourceType; owner: ReferenceField; isPast: boolean; count: number })
  | (Common & { kind: 'and'; parts: readonly Value[] })
  | (Common & { kind: 'or'; parts: readonly Value[] })
  | (Common & { kind: 'not'; of: Value })
  | (Common & { kind: 'conditional'; test: Value; yes: Value; no: Value })
  /**
   * What the rows of a group have in common: the value of the key in this place, a number of at most so many digits.
   */
  | (Common & { kind: 'key'; index: number; digits: number })
  | (Common & { kind: 'call'; function: FunctionRow; args: readonly Value[] })
  | (Common & Rule);

/** Values of one kind. */
export type Of<Kind extends Value['kind']> = Extract<Value, { kind: Kind }>;

/** The members by which a value leads to rows: none of the kinds that have one is left out of the scope pass. */
export type LeadingMember<Kind extends Value['kind']> = {
  [Name in keyof Of<Kind>]-?: NonNullable<Of<Kind>[Name]> extends Way ? Name : Name extends 'seen' ? Name : never;
}[keyof Of<Kind>];

type Way = ReferenceField | CollectionField | Operand | Plan | readonly CustomFieldGroup[];

// --- requests of version 2 -------------------------------------------------------------------------------------------

export interface Meaning {
  /** Which rows are meant; what is shown of them is apart. */
  plan: Plan;
  shown: Shown;
}

/** `whole`: items with the default fields. `name`: what an item that is no object may be called. */
export type Shown =
  | { kind: 'whole' }
  | { kind: 'items'; item: Value; name: string }
  | { kind: 'result'; result: Value }
  | Groups;

export interface Groups {
  kind: 'groups';
  /** What an item is grouped by. */
  keys: readonly Value[];
  /** What is shown of a group: its keys, and what is reckoned over its items. */
  members: readonly ObjectMember[];
  order: readonly Order[];
}
