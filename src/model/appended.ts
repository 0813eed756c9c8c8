/** The names of what is reckoned of a collection, as `append` asks for it: `Tasks-Count`, `Bugs-Effort-Sum`. */
import type { Field, ResourceType } from './model.js';

/** What is reckoned, last in the name; of a value of the items, or of the items themselves. */
export const aggregateWords = ['Count', 'Sum', 'Avg', 'Min', 'Max'] as const;

export type AggregateWord = (typeof aggregateWords)[number];

/** Whether the resource, or a kind of it, can have a number of that name. */
export function isAppended(name: string, resource: ResourceType): boolean {
  const [collection = '', ...rest] = name.split('-');
  const word = rest.pop()?.toLowerCase();
  if (!aggregateWords.some((one) => one.toLowerCase() === word)) return false;
  const isOfItems = word === 'count';
  return fieldsNamed(collection, resource).some(
    (field) =>
      field.kind === 'collection' &&
      (isOfItems ? rest.length === 0 : rest.length === 1 && isValue(rest[0]!, field.target)),
  );
}

const isValue = (name: string, resource: ResourceType): boolean => resource.field(name)?.kind === 'scalar';

function fieldsNamed(name: string, resource: ResourceType): Field[] {
  const own = resource.field(name);
  return own ? [own] : resource.kindFields(name).map(({ field }) => field);
}
