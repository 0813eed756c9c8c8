/**
 * The field decorators. Each feeds three readers: TypeORM (the column), class-validator (the rule) and the model (the
 * API field). Names are derived - property `userStory` is `UserStory` on the wire and `user_story_id` in the table -
 * and given only where they differ.
 */

import {
  Column,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import type { RowExpression } from '../sql.js';
import { columnName, declareField, declareRecorded, type ScalarDeclaration, wireName } from './declarations.js';
import type { JoinedBy, StandsFor } from './model.js';
import { type ScalarKind, scalars } from './scalars.js';
import { type Rule, stateRule } from './stated-rules.js';

/** A reference as entities hold it: the id of what is referred to, or nothing. */
export type Ref = { id: number } | null;

export interface ScalarOptions {
  name?: string;
  /** A client must send it on create; the column is NOT NULL where the table allows that. */
  required?: boolean;
  readOnly?: boolean;
  synthetic?: boolean;
  writeOnly?: boolean;
  private?: boolean;
  deprecated?: boolean;
  /** Value on create when the client sends none; makes the column NOT NULL where the table allows that. */
  initial?: string | number | boolean;
  /** The database raises it with each change of the row, or it is the moment of the last one. */
  version?: boolean;
  /** Marks the row as deleted when set. */
  softDelete?: boolean;
  /** The reference whose change it tells; only to readers who may see what that was or is. */
  changeOf?: string;
  /** What a date that is sent stands for, by the clocks of the service. */
  standsFor?: StandsFor;
  /** False: its changes are not recorded, as of sums and dates that follow other changes. */
  recorded?: boolean;
  description?: string;
}

const richTextBytes = 1024 * 1024;

/** The number an entity is known by; generated unless the ids are the same in every installation, few and short. */
export function Id({ generated = true } = {}): PropertyDecorator {
  return (prototype, property) => {
    const column = generated
      ? PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
      : PrimaryColumn({ type: 'integer' });
    column(prototype, property);
    declareScalar(prototype, String(property), 'id', { readOnly: true, initial: 0 });
  };
}

export const Text = (options: ScalarOptions & { max?: number } = {}): PropertyDecorator =>
  scalar('text', options, [(rules) => rules.MaxLength(options.max ?? 255)], { maxLength: options.max ?? 255 });

export const RichText = (options: ScalarOptions = {}): PropertyDecorator =>
  scalar('richText', options, [(rules) => rules.MaxLength(richTextBytes)], { maxLength: richTextBytes });

export const Integer = (options: ScalarOptions = {}): PropertyDecorator =>
  scalar('integer', options, [(rules) => rules.Min(-2147483648), (rules) => rules.Max(2147483647)]);

/** The id of another entity, where no reference says which. */
export const IdOf = (options: ScalarOptions = {}): PropertyDecorator => scalar('id', options, []);

export const Long = (options: ScalarOptions = {}): PropertyDecorator => scalar('long', options, []);

/** Four decimal places, at most 14 digits before the point. */
export const Decimal = (options: ScalarOptions = {}): PropertyDecorator => scalar('decimal', options, []);

export const Double = (options: ScalarOptions = {}): PropertyDecorator => scalar('double', options, []);

export const Flag = (options: ScalarOptions = {}): PropertyDecorator => scalar('flag', options, []);

/** An instant, kept with its zone and to the millisecond. */
export const Moment = (options: ScalarOptions = {}): PropertyDecorator => scalar('moment', options, []);

/** One of a closed list of names; `choiceName` is the type's name in the metadata. */
export const Choice = (
  choiceName: string,
  choices: readonly string[],
  options: ScalarOptions = {},
): PropertyDecorator => scalar('choice', options, [(rules) => rules.IsIn(choices)], { choices, choiceName });

/** A value worked out from its row whenever it is read. */
export function Computed(
  scalarKind: ScalarKind,
  expression: RowExpression,
  options: Pick<ScalarOptions, 'name' | 'synthetic' | 'description' | 'private' | 'deprecated'> & {
    /** A rule of the family turns what is written into what it is worked out from. */
    settable?: boolean;
  } = {},
): PropertyDecorator {
  const { settable = false, ...rest } = options;
  return (prototype, property) =>
    declareScalar(prototype, String(property), scalarKind, { ...rest, readOnly: !settable }, { expression });
}

function scalar(
  kind: ScalarKind,
  options: ScalarOptions,
  rules: Rule[],
  more: Partial<ScalarDeclaration> = {},
): PropertyDecorator {
  return (prototype, property) => {
    const nullable = isNullable(options);
    const column = { ...scalars[kind].column, name: columnName(String(property)), nullable, default: options.initial };
    // What can be written but not read (a password) is turned into something else before it is stored.
    if (!options.writeOnly) (options.softDelete ? DeleteDateColumn : Column)(column as never)(prototype, property);
    const presence: Rule = (rules) => (options.required ? rules.IsNotEmpty() : rules.IsOptional());
    for (const rule of [...rules, presence]) stateRule(rule, prototype, property);
    declareScalar(prototype, String(property), kind, options, more);
  };
}

const isNullable = (options: ScalarOptions): boolean => !options.required && options.initial === undefined;

function declareScalar(
  prototype: object,
  property: string,
  kind: ScalarKind,
  options: ScalarOptions,
  more: Partial<ScalarDeclaration> = {},
): void {
  declareField(prototype.constructor, {
    kind: 'scalar',
    property,
    name: options.name ?? wireName(property),
    scalar: kind,
    column: more.expression || options.writeOnly ? undefined : columnName(property),
    isNullable: isNullable(options),
    isRequired: options.required ?? false,
    isSettable: !(options.readOnly ?? false) && !options.softDelete,
    isSynthetic: options.synthetic ?? false,
    isWriteOnly: options.writeOnly ?? false,
    isPrivate: options.private ?? false,
    isVersion: options.version ?? false,
    isSoftDelete: options.softDelete ?? false,
    isDeprecated: options.deprecated ?? false,
    changeOf: options.changeOf,
    standsFor: options.standsFor,
    isRecorded: options.recorded ?? true,
    initial: options.initial,
    description: options.description ?? '',
    ...more,
  });
}

export interface ReferenceOptions {
  name?: string;
  required?: boolean;
  /** Not required of the client, yet never null. */
  always?: boolean;
  readOnly?: boolean;
  synthetic?: boolean;
  deprecated?: boolean;
  /** A second name for the column of this other reference property. */
  sameAs?: string;
  /** The same column, but null unless the referenced row is of this very kind. */
  narrows?: string;
  /** No foreign key: what was referred to once may be gone for good. */
  loose?: boolean;
  /** The column holds this reference already (a discriminator); TypeORM gets no relation for it. */
  column?: string;
  /** The property of another reference: an index holds the rows of a kind by that one, by this one and then by id. */
  listedWithin?: string;
  /** The reference of the target to the kind of what refers to it: a foreign key of the migrations holds both. */
  ofKind?: string;
  /** For rules alone: no client can name it. */
  hidden?: boolean;
  /** A part of what it refers to is deleted with that. */
  part?: boolean;
  /** False: its changes are not recorded. */
  recorded?: boolean;
  /** Its name with that of a kind behind it is the same as one of that kind: `MasterFeature`. */
  namesKinds?: boolean;
  /** What a part lies in where its owner lies, beside the project: it follows where the owner gets another one. */
  follows?: readonly string[];
  description?: string;
}

export function Reference(target: string, options: ReferenceOptions = {}): PropertyDecorator {
  return (prototype, key) => {
    const property = String(key);
    const of = options.sameAs ?? options.narrows;
    const column = options.column ?? `${columnName(of ?? property)}_id`;
    const nullable = !(options.required || options.always);
    if (!of && !options.column) {
      ManyToOne(target, {
        nullable: nullable || sharesTable(prototype),
        createForeignKeyConstraints: !options.loose && !options.ofKind,
      })(prototype, key);
      JoinColumn({ name: column })(prototype, key);
    }
    declareField(prototype.constructor, {
      kind: 'reference',
      property,
      name: options.name ?? wireName(property),
      target,
      column,
      writesTo: of ?? property,
      isNarrowed: options.narrows !== undefined,
      listedWithin: options.listedWithin && `${columnName(options.listedWithin)}_id`,
      ofKind: options.ofKind && `${columnName(options.ofKind)}_id`,
      isHidden: options.hidden ?? false,
      isPart: options.part ?? false,
      isRecorded: options.recorded ?? true,
      namesKinds: options.namesKinds ?? false,
      follows: options.follows ?? [],
      isNullable: nullable,
      isRequired: options.required ?? false,
      isSettable: !(options.readOnly ?? false) && !options.narrows && !options.column,
      isSynthetic: options.synthetic ?? false,
      isDeprecated: options.deprecated ?? false,
      description: options.description ?? '',
    });
  };
}

/** Changes of a column that only the service knows are recorded as well. */
export const Recorded = (): PropertyDecorator => (prototype, property) =>
  declareRecorded(prototype.constructor, columnName(String(property)));

/** A class below a root of a hierarchy: rows of other kinds have no value in its columns. */
const sharesTable = (prototype: object): boolean => Object.getPrototypeOf(prototype.constructor) !== Function.prototype;

export interface CollectionOptions {
  name?: string;
  /** Whether a write may add to it, or remove from it. */
  canAdd?: boolean;
  canRemove?: boolean;
  /** A view of what this other collection joins: an item that is sent is joined by it. */
  joinedBy?: JoinedBy;
  /** The links belong to the items: they say what these are joined with. */
  inverse?: boolean;
  /** The scalar that spells its items: adding to it or taking out of it changes the owner as writing that does. */
  spelledBy?: string;
  deprecated?: boolean;
  description?: string;
}

/**
 * Items found by their reference to the owner, through a link resource (two of its properties), or a plain link table.
 */
export type CollectionWay =
  | { by: string }
  | { through: string; from: string; to: string }
  | { table: string; from: string; to: string };

export function Collection(target: string, way: CollectionWay, options: CollectionOptions = {}): PropertyDecorator {
  return (prototype, key) => {
    const property = String(key);
    if ('table' in way) linkTable(way.table, { [way.from]: prototype.constructor.name, [way.to]: target });
    declareField(prototype.constructor, {
      kind: 'collection',
      property,
      name: options.name ?? wireName(property),
      target,
      path: way,
      canAdd: options.canAdd ?? false,
      canRemove: options.canRemove ?? false,
      joinedBy: options.joinedBy,
      isInverse: options.inverse ?? false,
      spelledBy: options.spelledBy,
      isDeprecated: options.deprecated ?? false,
      description: options.description ?? '',
    });
  };
}

const linkTables = new Set<string>();

/** A table that only links two rows and is no resource, for TypeORM: by whichever side declares it first. */
function linkTable(table: string, sides: Readonly<Record<string, string>>): void {
  if (linkTables.has(table)) return;
  linkTables.add(table);
  const type = { [table]: class {} }[table]!;
  Entity(table)(type);
  for (const [column, target] of Object.entries(sides)) {
    PrimaryColumn({ type: 'bigint', name: column })(type.prototype, column);
    ManyToOne(target, { onDelete: 'CASCADE' })(type.prototype, `${column}_side`);
    JoinColumn({ name: column })(type.prototype, `${column}_side`);
  }
}

/** Collections that a client may add to and remove from. */
export const editable = { canAdd: true, canRemove: true } as const;
