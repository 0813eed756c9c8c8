/** Kinds of entities by the names that callers use, and what is shown of one in a list. */
import type { Model, ResourceType } from '../model/model.js';
import { nearest } from '../texts/near.js';
import { cut } from '../texts/quoted-text.js';
import { ToolError } from './tool.js';

/** Singular or plural, in any letter case. Errors: ToolError. */
export function kindNamed(model: Model, input: string): ResourceType {
  const resource = model.collection(input);
  if (resource) return resource;
  const near = nearest(
    input,
    model.resources.map(({ name }) => name),
  );
  const next = near ? `Did you mean ${near}?` : 'Call describe without a kind for a list.';
  throw new ToolError(`There is no kind ${cut(input)}. ${next}`);
}

/** Fields that say most about an entity, in this order; a kind has some of them. */
const telling = [
  'Name',
  'FullName',
  'Login',
  'EntityState',
  'Project',
  'Assignable',
  'General',
  'User',
  'Owner',
  'Spent',
  'Date',
  'Effort',
  'IsFinal',
];

/** A selection of version 2. */
export function summaryOf(resource: ResourceType): string[] {
  const fields = telling.flatMap((name) => resource.field(name) ?? []);
  const shown = fields.map((field) => {
    const path = field.name.charAt(0).toLowerCase() + field.name.slice(1);
    return field.kind === 'reference' ? `${path}.${labelOf(field.target)}` : path;
  });
  const isNamed = resource.nameField !== undefined || resource.field('FullName') !== undefined;
  return ['id', ...shown, ...(!isNamed && resource.field('Description') ? ['description'] : [])];
}

export function labelOf({ labelField }: ResourceType): string {
  return labelField.name.charAt(0).toLowerCase() + labelField.name.slice(1);
}

/** Paths end in `name` mostly, so each is shown under its whole path: `feature.epic.name` as `featureEpic`. */
export function named(expression: string): string {
  if (!/^\w+(?:\.\w+)+$/.test(expression)) return expression;
  const words = expression.replace(/\.(?:name|fullName)$/i, '').split('.');
  const alias = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
  return `${alias}:${expression}`;
}

/** Of version 2. */
export const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
