/** Walks the decorated classes once, at start, and makes the Model. A declaration that does not fit ends the start. */
import { getMetadataArgsStorage } from 'typeorm';
import { bases } from './bases.js';
import { camelCase } from './camel-case.js';
import { columnName, type FieldDeclaration, fieldsOf, type ResourceDeclaration, resourceOf } from './declarations.js';
import { kindFieldsOf } from './kind-fields.js';
import {
  type ChangedReference,
  type CollectionPath,
  type Discriminator,
  type Field,
  Model,
  ResourceType,
} from './model.js';
import { readByKinds, readByType } from './read-as.js';
import type { ResourceSettings } from './resource-settings.js';

export type EntityClass = new () => object;

/** `entities` in any order; bases may be abstract classes that carry `@Resource` themselves. */
export function buildModel(entities: readonly EntityClass[]): Model {
  const types = new Map<object, ResourceType>();
  for (const entity of entities) typeOf(entity, types);
  const model = new Model([...types.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  for (const type of types.values()) {
    type.derived = [...types.values()].filter((other) => other.base === type);
    type.like = type.settings.like && types.get(type.settings.like);
    type.views = [...types.values()].filter(({ settings: { like } }) => like === type.entity);
    const shown = type.like ? chain(type.like.entity).flatMap((level) => fieldsAt(level, 1, type, model)) : [];
    const fields = chain(type.entity).flatMap((level, depth) => fieldsAt(level, depth, type, model));
    const own = fields.map((field) => required(field, type)).filter(isOther(shown));
    type.setFields([...shown.map(shownOnly), ...own].map((field) => readByType(field, type)));
  }
  for (const type of types.values()) {
    const fields = [...type.fields, ...type.hiddenReferences];
    type.setFields(fields.map((field) => readByKinds(field, type)));
  }
  for (const type of types.values()) type.setKindFields(kindFieldsOf(type));
  return model;
}

function typeOf(entity: EntityClass, types: Map<object, ResourceType>): ResourceType {
  const existing = types.get(entity);
  if (existing) return existing;
  const declared = resourceOf(entity);
  if (!declared) throw new Error(`${entity.name} has no @Resource`);
  const parent = chain(entity)
    .reverse()
    .slice(1)
    .find((level) => resourceOf(level));
  const base = parent && typeOf(parent, types);
  const type = new ResourceType(
    declared.name,
    declared.collection,
    tableOf(entity),
    entity,
    base,
    inheritance(entity) !== undefined && !isKind(discriminatorValue(entity)),
    discriminator(likeOf(declared) ?? entity),
    settings(declared, base, entity),
  );
  types.set(entity, type);
  return type;
}

const likeOf = ({ settings }: ResourceDeclaration): EntityClass | undefined => settings.like as EntityClass | undefined;

/** A field of another resource, which is written there. */
const shownOnly = (field: Field): Field =>
  field.kind === 'collection'
    ? { ...field, canAdd: false, canRemove: false }
    : { ...field, isRequired: false, isSettable: false };

const isOther =
  (shown: readonly Field[]) =>
  ({ name }: Field): boolean =>
    shown.every((field) => field.name !== name);

function required(field: Field, { settings }: ResourceType): Field {
  return field.kind !== 'collection' && settings.requires.includes(field.property)
    ? { ...field, isRequired: true }
    : field;
}

/** The class and its bases, the root first: fields come level by level. */
function chain(entity: EntityClass): EntityClass[] {
  const parent = Object.getPrototypeOf(entity) as EntityClass | null;
  return parent?.prototype ? [...chain(parent), entity] : [entity];
}

function settings(
  declared: ResourceDeclaration,
  base: ResourceType | undefined,
  entity: EntityClass,
): ResourceSettings {
  const inherited = (base?.settings ?? declared.settings) as unknown as Record<string, unknown>;
  const own = declared.settings as unknown as Record<string, unknown>;
  const merged: Record<string, unknown> = {};
  for (const key of Object.keys(own)) merged[key] = declared.stated.has(key) || !base ? own[key] : inherited[key];
  merged.operations = declared.settings.operations;
  merged.describedOperations = declared.settings.describedOperations;
  merged.description = declared.settings.description;
  merged.entityTypeId = declared.settings.entityTypeId ?? numericDiscriminator(entity);
  merged.softDelete = chain(likeOf(declared) ?? entity)
    .flatMap(fieldsOf)
    .find((field) => field.kind === 'scalar' && field.isSoftDelete && field.column);
  const mark = merged.softDelete as { column: string } | undefined;
  merged.softDelete = mark?.column;
  return merged as unknown as ResourceSettings;
}

const storage = getMetadataArgsStorage();

function tableOf(entity: EntityClass): string {
  for (const level of chain(entity)) {
    const table = storage.tables.find((args) => args.target === level && args.type !== 'entity-child');
    if (table) return table.name ?? columnName(camelCase(level.name));
  }
  throw new Error(`${entity.name} has no table`);
}

const inheritance = (entity: EntityClass) =>
  chain(entity)
    .map((level) => storage.inheritances.find((args) => args.target === level))
    .find((args) => args !== undefined);

const discriminatorValue = (entity: EntityClass): string | number | undefined =>
  storage.discriminatorValues.find((args) => args.target === entity)?.value;

function numericDiscriminator(entity: EntityClass): number | undefined {
  const value = discriminatorValue(entity);
  return typeof value === 'number' && isKind(value) ? value : undefined;
}

/** Classes between the root and the kinds must be mapped too, so they carry a value that no row has. */
const isKind = (value: string | number | undefined): boolean =>
  value !== undefined && value !== bases.assignable && value !== bases.timebox;

function discriminator(entity: EntityClass): Discriminator | undefined {
  const root = inheritance(entity);
  if (!root?.column?.name) return undefined;
  const column = root.column.name;
  const type = root.column.type === 'text' ? 'text' : 'int';
  if (root.target === entity) return { column, type };
  const values = storage.discriminatorValues
    .filter((args) => typeof args.target === 'function' && chain(args.target as EntityClass).includes(entity))
    .map((args) => args.value as string | number)
    .filter(isKind)
    .sort((a, b) => (a < b ? -1 : 1));
  return { column, type, values };
}

/** Values first, then references, then collections, each in the order of the source. */
function fieldsAt(level: EntityClass, depth: number, type: ResourceType, model: Model): Field[] {
  const declared = fieldsOf(level);
  const own = [
    ...declared.filter((field) => field.kind === 'scalar'),
    ...declared.filter((field) => field.kind === 'reference'),
    ...declared.filter((field) => field.kind === 'collection'),
  ];
  // The table is shared: columns of a child are nullable whatever its declaration says.
  const shared = depth > 0;
  return own.map((field) => fieldOf(field, shared, type, model));
}

function fieldOf(declared: FieldDeclaration, shared: boolean, type: ResourceType, model: Model): Field {
  if (declared.kind === 'scalar') {
    const changeOf = declared.changeOf === undefined ? undefined : changedReference(declared.changeOf, type, model);
    return { ...declared, isNullable: declared.isNullable || shared, changeOf };
  }
  const target = model.resource(declared.target);
  if (declared.kind === 'reference') {
    const { target: _, ...rest } = declared;
    return { ...rest, target, isNullable: declared.isNullable || shared };
  }
  const { path, target: _, ...rest } = declared;
  return { ...rest, target, via: collectionPath(path, declared.target, type, model) };
}

function changedReference(property: string, type: ResourceType, model: Model): ChangedReference {
  const declared = referenceDeclared(type, property);
  const reference = declared && fieldOf(declared, true, type, model);
  if (reference?.kind !== 'reference') throw new Error(`${type.name} has no reference ${property}`);
  return { reference, table: type.table };
}

const referenceDeclared = ({ entity }: ResourceType, property: string): FieldDeclaration | undefined =>
  chain(entity)
    .flatMap(fieldsOf)
    .find((field) => field.kind === 'reference' && field.property === property);

type Way = Extract<FieldDeclaration, { kind: 'collection' }>['path'];

function collectionPath(way: Way, target: string, owner: ResourceType, model: Model): CollectionPath {
  if ('table' in way) return { kind: 'link', ...way };
  if ('by' in way) return { kind: 'key', column: referenceColumn(model.resource(target), way.by, owner) };
  const link = model.resource(way.through);
  return {
    kind: 'link',
    table: link.table,
    from: referenceColumn(link, way.from, owner),
    to: referenceColumn(link, way.to, owner),
  };
}

function referenceColumn(resource: ResourceType, property: string, owner: ResourceType): string {
  const declared = referenceDeclared(resource, property);
  if (declared?.kind !== 'reference') {
    throw new Error(`a collection of ${owner.name} needs ${resource.name}.${property}, which is not declared`);
  }
  return declared.column;
}
