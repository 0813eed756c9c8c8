/** The kinds of items that have histories: those with a collection of them. The database knows them, too. */
import { getMetadataArgsStorage } from 'typeorm';
import type { EntityClass } from '../../model/build-model.js';
import { camelCase } from '../../model/camel-case.js';
import { type FieldDeclaration, fieldsOf } from '../../model/declarations.js';

export interface HistoricKind {
  name: string;
  entityTypeId: number;
  property: string;
  /** Those of its class and of the classes above it. */
  fields: readonly FieldDeclaration[];
}

export const historicKindsOf = (entities: readonly EntityClass[]): HistoricKind[] =>
  entities.filter(isHistoric).map((kind) => ({
    name: kind.name,
    entityTypeId: getMetadataArgsStorage().discriminatorValues.find(({ target }) => target === kind)!.value,
    property: camelCase(kind.name),
    fields: inheritedFields(kind),
  }));

const isHistoric = (kind: EntityClass): boolean =>
  fieldsOf(kind).some((field) => field.kind === 'collection' && field.target === `${kind.name}SimpleHistory`);

function inheritedFields(kind: object | null): FieldDeclaration[] {
  return kind === null ? [] : [...inheritedFields(Object.getPrototypeOf(kind)), ...fieldsOf(kind)];
}

/** `UserStory` in words. */
export const wordsOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
