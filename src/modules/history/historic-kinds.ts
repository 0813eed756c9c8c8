/** The kinds of items whose changes are recorded. The database knows them, too: `record_changed()`. */
import { getMetadataArgsStorage } from 'typeorm';
import { camelCase } from '../../model/camel-case.js';
import { type FieldDeclaration, fieldsOf } from '../../model/declarations.js';
import { Bug } from '../assignables/bug.entity.js';
import { Epic } from '../assignables/epic.entity.js';
import { Feature } from '../assignables/feature.entity.js';
import { Impediment } from '../assignables/impediment.entity.js';
import { PortfolioEpic } from '../assignables/portfolio-epic.entity.js';
import { Request } from '../assignables/request.entity.js';
import { Task } from '../assignables/task.entity.js';
import { UserStory } from '../assignables/user-story.entity.js';

export interface HistoricKind {
  name: string;
  entityTypeId: number;
  property: string;
  /** Those of its class and of the classes above it. */
  fields: readonly FieldDeclaration[];
}

export const historicKinds = [UserStory, Task, Bug, Feature, Impediment, Request, Epic, PortfolioEpic].map(
  (kind): HistoricKind => ({
    name: kind.name,
    entityTypeId: getMetadataArgsStorage().discriminatorValues.find(({ target }) => target === kind)!.value,
    property: camelCase(kind.name),
    fields: inheritedFields(kind),
  }),
);

function inheritedFields(kind: object | null): FieldDeclaration[] {
  return kind === null ? [] : [...inheritedFields(Object.getPrototypeOf(kind)), ...fieldsOf(kind)];
}

/** `UserStory` in words. */
export const wordsOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
