/**
 * The model: what resources exist and what fields they have. Every name a client says is looked up here and nowhere
 * else.
 */
import type { RowExpression } from '../sql.js';
import type { ResourceSettings } from './resource-settings.js';
import type { ScalarKind } from './scalars.js';

export interface ScalarField {
  readonly kind: 'scalar';
  readonly name: string;
  readonly property: string;
  readonly scalar: ScalarKind;
  /** The column, or how the value is computed from its row. */
  readonly column?: string;
  readonly expression?: RowExpression;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  readonly isSettable: boolean;
  /** Not in the default answer, only when included; still filterable. */
  readonly isSynthetic: boolean;
  /** Can be written but never read: it has no path in any query. */
  readonly isWriteOnly: boolean;
  /** Shown to administrators and the person it belongs to, null to others. */
  readonly isPrivate: boolean;
  /** Grows with each change of the row, or is the moment of the last one. */
  readonly isVersion: boolean;
  readonly isDeprecated: boolean;
  /** It tells that a reference became another one, which only readers are told who may see one of the two. */
  readonly changeOf?: ChangedReference;
  readonly choices?: readonly string[];
  readonly choiceName?: string;
  readonly maxLength?: number;
  readonly initial?: string | number | boolean;
  /** What a date that is sent stands for. */
  readonly standsFor?: StandsFor;
  /** Whether its changes are recorded. */
  readonly isRecorded: boolean;
  readonly description: string;
}

export type StandsFor = (date: Date, timeZone: string) => Date;

export interface ChangedReference {
  readonly reference: ReferenceField;
  /** Its records, which follow one another by date. */
  readonly table: string;
}

export interface ReferenceField {
  readonly kind: 'reference';
  readonly name: string;
  readonly property: string;
  readonly column: string;
  readonly target: ResourceType;
  /** The property that a write goes to; differs from `property` for a second name of one column. */
  readonly writesTo: string;
  /** The column may hold other kinds of the target's hierarchy; the field is null for them. */
  readonly isNarrowed: boolean;
  /** The column of another reference: an index holds the rows of a kind by that one, by this one and then by id. */
  readonly listedWithin?: string;
  /** The column of the target that holds the kind of what refers to it. */
  readonly ofKind?: string;
  readonly isHidden: boolean;
  /** What refers by it is a part of its target, and is deleted with that. */
  readonly isPart: boolean;
  /** Whether its changes are recorded. */
  readonly isRecorded: boolean;
  /** Its name with that of a kind behind it is the same as one of that kind. */
  readonly namesKinds: boolean;
  /** References by which a part lies where its target lies, beside the project. */
  readonly follows: readonly string[];
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  readonly isSettable: boolean;
  readonly isSynthetic: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
}

export interface CollectionField {
  readonly kind: 'collection';
  readonly name: string;
  readonly property: string;
  readonly target: ResourceType;
  readonly via: CollectionPath;
  readonly canAdd: boolean;
  readonly canRemove: boolean;
  /** A view of what this other collection joins: an item that is sent is joined by it. */
  readonly joinedBy?: JoinedBy;
  /** The links that join the items to their owner belong to the items. */
  readonly isInverse: boolean;
  /** The scalar that spells its items, by property: writing that is writing this. */
  readonly spelledBy?: string;
  readonly isDeprecated: boolean;
  readonly description: string;
}

/** Properties: a collection of links, and their reference to the items. */
export interface JoinedBy {
  readonly links: string;
  readonly item: string;
}

/** How the items of a collection are found: by a column of theirs, or through a table of links. */
export type CollectionPath =
  | { kind: 'key'; column: string }
  | { kind: 'link'; table: string; from: string; to: string };

export type Field = ScalarField | ReferenceField | CollectionField;

/** What some kinds of a base type mean by a name. */
export interface KindField {
  readonly field: Field;
  readonly kinds: readonly ResourceType[];
}

export interface Discriminator {
  readonly column: string;
  readonly type: 'int' | 'text';
  /** The stored values of this type and of all types derived from it; undefined means every row of the table. */
  readonly values?: readonly (string | number)[];
}

export class ResourceType {
  /** Filled by `buildModel` once all types exist, since types refer to one another. */
  fields: readonly Field[] = [];
  derived: readonly ResourceType[] = [];
  /** The resource whose fields it has, and whose kinds its rows are of. */
  like?: ResourceType;
  /** The resources that are like it. */
  views: readonly ResourceType[] = [];
  /** References of the rows that no client can name. */
  hiddenReferences: readonly ReferenceField[] = [];
  private byName = new Map<string, Field>();
  private byProperty = new Map<string, Field>();
  private kindsByName = new Map<string, readonly KindField[]>();

  constructor(
    readonly name: string,
    readonly collection: string,
    readonly table: string,
    readonly entity: new () => object,
    readonly base: ResourceType | undefined,
    readonly isAbstract: boolean,
    readonly discriminator: Discriminator | undefined,
    readonly settings: ResourceSettings,
  ) {}

  setFields(fields: readonly Field[]): void {
    this.hiddenReferences = fields.filter((field) => field.kind === 'reference').filter(({ isHidden }) => isHidden);
    this.fields = fields.filter((field) => !this.hiddenReferences.some((hidden) => hidden === field));
    this.byName = new Map(this.fields.map((field) => [field.name.toLowerCase(), field]));
    // Where two share a property, the first one counts.
    this.byProperty = new Map(this.fields.toReversed().map((field) => [field.property, field]));
  }

  /** A readable or writable field by name in any letter case; inherited members of objects are never found. */
  field(name: string): Field | undefined {
    return this.byName.get(name.toLowerCase());
  }

  /** A field by the name that entities have it under. */
  ofProperty(property: string): Field | undefined {
    return this.byProperty.get(property);
  }

  /** A reference by that name, hidden ones among them. The name is one of ours: that there is none is a fault. */
  referenceOf(property: string): ReferenceField {
    const field = this.ofProperty(property) ?? this.hiddenReferences.find((one) => one.property === property);
    if (field?.kind !== 'reference') throw new Error(`${this.name} has no reference ${property}`);
    return field;
  }

  /** A collection by that name; as with references. */
  collectionOf(property: string): CollectionField {
    const field = this.ofProperty(property);
    if (field?.kind !== 'collection') throw new Error(`${this.name} has no collection ${property}`);
    return field;
  }

  /** The collection whose items a scalar of it spells. */
  spelledIn(property: string): CollectionField | undefined {
    return this.fields.find(
      (field): field is CollectionField => field.kind === 'collection' && field.spelledBy === property,
    );
  }

  /** All types that derive from it, directly or not. */
  get kindsBelow(): readonly ResourceType[] {
    return this.derived.flatMap((kind) => [kind, ...kind.kindsBelow]);
  }

  /** The types that it derives from, its own base first; of a view those of what it is like. */
  get bases(): readonly ResourceType[] {
    const base = this.base ?? this.like;
    return base ? [base, ...base.bases] : [];
  }

  /** What an item of it may be called: by its own type, a base type or a kind. */
  get itemNames(): string[] {
    return [this, ...this.bases, ...this.kindsBelow].map(({ name }) => name);
  }

  /** The same type, its rows being those of these kinds of its table. */
  ofKinds(values: readonly (string | number)[]): ResourceType {
    const { name, collection, table, entity, base, isAbstract, discriminator, settings } = this;
    if (!discriminator) throw new Error(`${name} has a table of its own`);
    const type = new ResourceType(
      name,
      collection,
      table,
      entity,
      base,
      isAbstract,
      { ...discriminator, values },
      settings,
    );
    type.setFields(this.fields);
    type.derived = this.derived;
    type.setKindFields(this.kindsByName);
    return type;
  }

  setKindFields(fields: ReadonlyMap<string, readonly KindField[]>): void {
    this.kindsByName = new Map(fields);
  }

  /**
   * What some derived kinds have by this name, and not this type itself: more than one where the kinds mean different
   * things.
   */
  kindFields(name: string): readonly KindField[] {
    return this.kindsByName.get(name.toLowerCase()) ?? [];
  }

  /** All that only some derived kinds have. */
  get allKindFields(): Field[] {
    return [...this.kindsByName.values()].flatMap((fields) => fields.map(({ field }) => field));
  }

  /** The fields that only some derived kinds have, each of which means the same to all that have it. */
  get commonKindFields(): Field[] {
    return [...this.kindsByName.values()].flatMap((fields) => (fields.length === 1 ? [fields[0]!.field] : []));
  }

  isA(other: ResourceType): boolean {
    return this === other || (this.base?.isA(other) ?? false);
  }

  get root(): ResourceType {
    return this.base?.root ?? this;
  }

  get isGeneral(): boolean {
    return this.settings.isGeneral;
  }

  /** The entity types that rows of this resource can have: its own, and those of all kinds derived from it. */
  get entityTypeIds(): number[] {
    if (this.like) return this.like.entityTypeIds;
    const derived = this.derived.flatMap((kind) => kind.entityTypeIds);
    return this.settings.entityTypeId === undefined ? derived : [this.settings.entityTypeId, ...derived];
  }

  get idField(): ScalarField {
    const field = this.field('Id');
    if (field?.kind !== 'scalar') throw new Error(`${this.name} has no Id`);
    return field;
  }

  /** What an entity is sorted by where none of its fields is named. */
  get labelField(): ScalarField {
    const field = this.nameField ?? this.field('FullName');
    return field?.kind === 'scalar' ? field : this.idField;
  }

  get nameField(): ScalarField | undefined {
    const field = this.field('Name');
    return field?.kind === 'scalar' ? field : undefined;
  }
}

export class Model {
  private readonly byPath = new Map<string, ResourceType>();
  private readonly byName = new Map<string, ResourceType>();

  constructor(readonly resources: readonly ResourceType[]) {
    for (const resource of resources) this.byName.set(resource.name.toLowerCase(), resource);
    // Canonical plural first, then singular and naive plural: none of them may hide another type's canonical name.
    for (const spell of [
      (r: ResourceType) => r.collection,
      (r: ResourceType) => r.name,
      (r: ResourceType) => `${r.name}s`,
    ]) {
      for (const resource of resources) {
        const path = spell(resource).toLowerCase();
        if (!this.byPath.has(path)) this.byPath.set(path, resource);
      }
    }
  }

  /** A type by the collection name in a path: canonical plural, naive plural or singular, in any letter case. */
  collection(name: string): ResourceType | undefined {
    return this.byPath.get(name.toLowerCase());
  }

  /** A type by its exact name; asking for one that is not declared is a programming error. */
  resource(name: string): ResourceType {
    const type = this.byName.get(name.toLowerCase());
    if (!type) throw new Error(`no resource is named ${name}`);
    return type;
  }

  /** The base of all that is planned, built or tracked. */
  get general(): ResourceType {
    return this.resources.find(({ isGeneral, base }) => isGeneral && !base)!;
  }

  /** Who may have written something: the base of all people. */
  get person(): ResourceType {
    return this.general.referenceOf(this.general.settings.author!).target;
  }

  /** What a custom field may point at: items and people. */
  get pointable(): readonly ResourceType[] {
    const bases = [this.general, this.person];
    return this.resources.filter((type) => bases.some((base) => type.isA(base)));
  }

  get collectionNames(): string[] {
    return this.resources.map((resource) => resource.collection);
  }
}
