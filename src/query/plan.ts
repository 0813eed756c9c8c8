/** What a Query means: names are fields of the model, values are typed. Only `resolve` makes one, and `compile` takes nothing else. */
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../model/model.js';
import type { RowExpression as ColumnExpression, Sql, SqlType } from '../sql.js';
import type { Row } from './compile-operand.js';
import type { AggregateFunction, Comparison, Page } from './query.js';

export interface Plan {
  resource: ResourceType;
  /** Values and references in canonical order, the Id not among them: it is always there. */
  members: Member[];
  aggregates: Aggregate[];
  /** The custom fields to show, by process and kind; undefined when they are not asked for. */
  customFields?: CustomFieldGroup[];
  collections: CollectionMember[];
  /** All must hold. */
  where: Condition[];
  /** Without the last criterion, the Id, which `compile` adds. */
  order: Order[];
  page: Page;
  /** The filter names the delete date of the root, which is how deleted rows are asked for. */
  namesDeleteDate: boolean;
  /** Private fields are shown of everyone, or of oneself only. Set by the scope pass. */
  privacy: 'everyone' | 'self';
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

export interface Aggregate {
  name: string;
  function: AggregateFunction;
  /** One, or those of the kinds of a base type. */
  collections: AggregatedCollection[];
}

export interface AggregatedCollection {
  collection: CollectionField;
  /** Undefined for Count. */
  field?: ScalarField;
  /** The only kinds that have the collection; for others the number is null. */
  kinds?: readonly ResourceType[];
  where: Condition[];
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
  where: Condition[];
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
      type: CustomFieldType;
      column: string;
      /** The values are not those of the row, but these. */
      values?: ColumnExpression;
      target?: PointerTarget;
    };

export type Scalar =
  /** `isOption`: the text is an option of a drop-down list exactly as it is stored. */
  | { kind: 'value'; value: string | boolean; type: SqlType; isOption?: boolean }
  /** Midnight of today in the zone of the service, some days on. */
  | { kind: 'today'; days: number }
  /** The id of the entity that is asked for, filled in at each run. */
  | { kind: 'late'; late: 'id' };

/** Conditions are about the current row; `related` and `some` lead to other rows and hold conditions about those. */
export type Condition =
  | { kind: 'compare'; operand: Operand; operator: Comparison; value: Scalar }
  | { kind: 'in'; operand: Operand; values: Scalar[] }
  | { kind: 'contains'; operand: Operand; text: string; wholeStart?: boolean; wholeEnd?: boolean }
  | { kind: 'null'; operand: Operand }
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'related'; field: ReferenceField; where: Condition[] }
  | { kind: 'some'; field: CollectionField; where: Condition[] }
  /** The row is an item of this collection of the entity that is asked for. */
  | { kind: 'inside'; field: CollectionField; owner: ResourceType; where: Condition[] }
  | { kind: 'deleted' }
  /** Not within the last day. */
  | { kind: 'deletedBefore' }
  | { kind: 'mine'; column: string; set: ActorSet }
  | { kind: 'linkedToMine'; table: string; from: string; column: string; set: ActorSet }
  | { kind: 'ofKind'; values: readonly (string | number)[] }
  /** Of version 2: scoped before, it spells itself. */
  | ({ kind: 'expression'; valuesMatter: boolean } & RowExpression);

/** An expression of version 2 about the current row. */
export interface RowExpression {
  spell: (row: Row) => Sql;
}

export type ActorSet = 'projects' | 'teams' | 'user' | ContextSet;

/** Those of the context that is asked for. */
export type ContextSet = 'context projects' | 'context teams';

export type Order = PathOrder | ExpressionOrder;

export interface ExpressionOrder extends RowExpression {
  kind: 'expression';
  descending: boolean;
}

export interface PathOrder {
  kind?: undefined;
  /** References that lead to the row that holds the operand. */
  path: { field: ReferenceField; where: Condition[] }[];
  operand: Operand;
  descending: boolean;
}

/** What resolve needs to know of the service: the definitions of custom fields, and the zone of local times. */
export interface CustomFieldCatalogue {
  readonly timeZone: string;
  groups(entityTypeIds: readonly number[]): readonly CustomFieldGroup[];
}
