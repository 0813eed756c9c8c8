/** Every way to ask for rows of a resource, derived from the model, for specs that look for what nobody may be told. */
import type { CollectionField, Field, ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { model } from './builder.js';

export interface Question {
  /** What it asks, for messages; the same text means the same question. */
  path: string;
  /** Nothing a caller sees fits: the answer must be an empty list. */
  isEmpty?: boolean;
}

const referencesOf = ({ fields }: ResourceType) =>
  fields.filter((field): field is ReferenceField => field.kind === 'reference');
const collectionsOf = ({ fields }: ResourceType) =>
  fields.filter((field): field is CollectionField => field.kind === 'collection');
const scalarsOf = ({ fields }: ResourceType) =>
  fields.filter((field): field is ScalarField => field.kind === 'scalar' && !field.isWriteOnly);
const names = (fields: readonly Field[]): string[] => fields.map(({ name }) => name);

const ask = (resource: ResourceType, parameters: Record<string, string>): string =>
  `/api/v1/${resource.collection}?${new URLSearchParams({ take: '1000', innerTake: '1000', format: 'json', ...parameters })}`;

/** Whole rows with all that hangs on them, in a few large questions. */
export function wholeRows(resource: ResourceType): Question[] {
  const references = referencesOf(resource);
  const collections = collectionsOf(resource);
  const whole = ({ name, target }: ReferenceField | CollectionField): string[] => [
    ...chunks([...names(scalarsOf(target)), ...names(referencesOf(target))], 40).map((some) => `${name}[${some}]`),
  ];
  const custom = resource.settings.customFields ? ['CustomFields'] : [];
  const all = [...names(scalarsOf(resource)), ...names(references), ...custom];
  const included = [
    ...chunks([...references, ...collections].flatMap(whole), 3),
    ...chunks(all, 60),
    ...chunks(names(collections), 30),
  ];
  return [
    {} as Record<string, string>,
    { format: 'xml' },
    ...included.map((some) => ({ include: `[Id,${some}]` })),
    ...chunks(collections.flatMap(aggregates), 15).map((some) => ({ append: `[${some}]` })),
  ].map((parameters) => ({ path: ask(resource, parameters) }));
}

const chunks = <T>(items: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, at) => items.slice(at * most, (at + 1) * most));

const aggregates = ({ name, target }: CollectionField): string[] => [
  `${name}-Count`,
  ...names(scalarsOf(target)).flatMap((field) => {
    if (/^(LastLoginDate|CreateDate|Date)$/.test(field)) return [`${name}-${field}-Max`];
    return /^(Effort|Spent|NumericPriority)$/.test(field) ? [`${name}-${field}-Sum`] : [];
  }),
];

/** Filters that only a hidden row answers: by its texts and ids, through references, collections and both. */
export function filters(resource: ResourceType, mark: string, ids: readonly number[]): Question[] {
  const steps = [...referencesOf(resource), ...collectionsOf(resource)];
  const conditions = steps.flatMap(({ name, target }) => [
    ...(target.field('Name') ? [`${name}.Name contains '${mark}'`] : []),
    ...(target.field('Project') ? [`${name}.Project.Name contains '${mark}'`] : []),
    ...(target.field('Description') ? [`${name}.Description contains '${mark}'`] : []),
    `${name}.Id in (${ids})`,
  ]);
  const own = ['Name', 'Description']
    .filter((name) => resource.field(name))
    .map((name) => `${name} contains '${mark}'`);
  return groups([...own, ...conditions, `Id in (${ids})`]).map((some) => ({
    path: ask(resource, { where: some.map((one) => `(${one})`).join(' or ') }),
    isEmpty: true,
  }));
}

// A filter has at most 100 conditions and 16 KiB of text.
function groups(conditions: readonly string[]): string[][] {
  const groups: string[][] = [[]];
  for (const condition of conditions) {
    if (groups.at(-1)!.join().length + condition.length > 6000 || groups.at(-1)!.length === 40) groups.push([]);
    groups.at(-1)!.push(condition);
  }
  return groups.filter((group) => group.length > 0);
}

/** Orders and negated filters, one field each: what they say of a hidden row shows in which rows come when. */
export function oraclesOf(): Question[] {
  const seen = new Set<string>();
  return model.resources.flatMap((resource) =>
    [...referencesOf(resource), ...collectionsOf(resource)].flatMap((field) => {
      const key = `${resource.table}.${field.kind === 'reference' ? field.column : JSON.stringify(field.via)}.${field.target.name}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return (field.kind === 'reference' ? byReference : byCollection)(field.name, field.target).map((parameters) => ({
        path: ask(resource, { include: '[Id]', ...parameters }),
      }));
    }),
  );
}

const byReference = (name: string, target: ResourceType): Record<string, string>[] => [
  ...sortable(target).map((field) => ({ orderBy: `${name}.${field}` })),
  { orderByDesc: name },
  {
    where: groups(sortable(target).map((field) => `${name}.${field} is not null`))[0]!
      .map((one) => `(${one})`)
      .join(' or '),
  },
  { where: `${name}.${target.nameField ? 'Name' : 'Id'} ne 'zz'`.replace("Id ne 'zz'", 'Id ne 1') },
  ...referencesOf(target)
    .flatMap((next) => (next.target.nameField ? [{ orderBy: `${name}.${next.name}.Name` }] : []))
    .slice(0, 3),
];

const byCollection = (name: string, target: ResourceType): Record<string, string>[] => [
  { where: `${name} is not null` },
  { where: `${name}.Id gt 0` },
  ...(target.nameField ? [{ where: `${name}.Name gt 'm'` }] : []),
];

/** A few values of each kind stand for all: each is spelled in the same way. */
const sortable = (target: ResourceType): string[] =>
  names(scalarsOf(target)).filter((name) => /^(Id|Name|Login|Email|LastLoginDate|Effort|CreateDate|Date)$/.test(name));

/** Inner routes of one row. */
export const innerOf = (resource: ResourceType, id: number): Question[] =>
  collectionsOf(resource).map(({ name }) => ({
    path: `/api/v1/${resource.collection}/${id}/${name}?format=json&take=1000`,
  }));

/** Runs a few at a time and keeps the order. */
export async function inParallel<T, R>(items: readonly T[], act: (item: T) => Promise<R>, width = 6): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await act(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
