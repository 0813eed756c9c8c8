/** What the decorators noted, class by class, until `buildModel` reads it. */
import type { RowExpression } from '../sql.js';
import type { JoinedBy, StandsFor } from './model.js';
import type { ResourceSettings } from './resource-settings.js';
import type { ScalarKind } from './scalars.js';

interface Declared {
  property: string;
  name: string;
  description: string;
  isDeprecated: boolean;
}

export interface ScalarDeclaration extends Declared {
  kind: 'scalar';
  scalar: ScalarKind;
  column?: string;
  expression?: RowExpression;
  isNullable: boolean;
  isRequired: boolean;
  isSettable: boolean;
  isSynthetic: boolean;
  isWriteOnly: boolean;
  isPrivate: boolean;
  isVersion: boolean;
  isSoftDelete: boolean;
  changeOf?: string;
  standsFor?: StandsFor;
  isRecorded: boolean;
  choices?: readonly string[];
  choiceName?: string;
  maxLength?: number;
  initial?: string | number | boolean;
}

export interface ReferenceDeclaration extends Declared {
  kind: 'reference';
  target: string;
  column: string;
  writesTo: string;
  isNarrowed: boolean;
  listedWithin?: string;
  ofKind?: string;
  isHidden: boolean;
  isPart: boolean;
  isRecorded: boolean;
  namesKinds: boolean;
  follows: readonly string[];
  isNullable: boolean;
  isRequired: boolean;
  isSettable: boolean;
  isSynthetic: boolean;
}

export interface CollectionDeclaration extends Declared {
  kind: 'collection';
  target: string;
  path: { by: string } | { through: string; from: string; to: string } | { table: string; from: string; to: string };
  canAdd: boolean;
  canRemove: boolean;
  joinedBy?: JoinedBy;
  isInverse: boolean;
  spelledBy?: string;
}

export type FieldDeclaration = ScalarDeclaration | ReferenceDeclaration | CollectionDeclaration;

export interface ResourceDeclaration {
  name: string;
  collection: string;
  settings: ResourceSettings;
  /** Settings of this very class; the others are inherited. */
  stated: ReadonlySet<string>;
}

const fields = new Map<object, FieldDeclaration[]>();
const recordedColumns = new Map<object, string[]>();
const resources = new Map<object, ResourceDeclaration>();

export function declareField(owner: object, declaration: FieldDeclaration): void {
  const own = fields.get(owner) ?? [];
  own.push(declaration);
  fields.set(owner, own);
}

export const declareRecorded = (owner: object, column: string): void =>
  void recordedColumns.set(owner, [...recordedColumnsOf(owner), column]);

export const declareResource = (owner: object, declaration: ResourceDeclaration): void =>
  void resources.set(owner, declaration);

/** Fields declared on this very class, in the order of the source. */
export const fieldsOf = (owner: object): readonly FieldDeclaration[] => fields.get(owner) ?? [];

/** Columns of this very class that are recorded, and no field. */
export const recordedColumnsOf = (owner: object): readonly string[] => recordedColumns.get(owner) ?? [];

export const resourceOf = (owner: object): ResourceDeclaration | undefined => resources.get(owner);

/** `userStory` is `UserStory` on the wire. */
export const wireName = (property: string): string => property.charAt(0).toUpperCase() + property.slice(1);

/** `userStory` is `user_story` in the database. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
