/** Tables and sentences of documents that repeat what the model and the limits declare. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bodyLimits } from '../src/command/payload.js';
import type { ResourceType } from '../src/model/model.js';
import { aggregateMethods } from '../src/query/aggregates.js';
import { functionRows } from '../src/query/functions/functions.js';
import { comparisonSigns, partOperators, stateWords } from '../src/query/operators.js';
import { model } from './support/builder.js';

const documentNamed = (name: string): string => readFileSync(join(import.meta.dirname, '../docs', name), 'utf8');
const contract = documentNamed('contract.md');
const operations = documentNamed('operations.md');

/** The cells of the table with this head. */
function rowsBelow(head: string): string[][] {
  const [, table] = contract.split(`| ${head} |\n`);
  if (table === undefined) throw new Error(`no table is headed ${head}`);
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(1);
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

const histories = (collection: string): string[] =>
  collection === 'histories'
    ? model.resources.filter(({ name }) => name.endsWith('History')).map((one) => one.collection)
    : [collection];

it('lists are ordered as it says', () => {
  const told = new Map<string, string>();
  for (const [order, resources] of rowsBelow('Order | Resources'))
    for (const collection of resources!.split(', ').flatMap(histories)) told.set(collection, order!);
  const orderOf = ({ settings, ...resource }: ResourceType): string => {
    const [first] = settings.order;
    const field = first && model.resource(resource.name).ofProperty(first.property)!;
    const name = field && (field.kind === 'reference' ? `Id of ${field.name}` : field.name);
    return `${name ?? 'Id'}${first?.descending ? ' descending' : ''}`;
  };
  const wrong = model.resources
    .map((resource) => [
      resource.collection,
      told.get(resource.collection) ?? told.get('all others'),
      orderOf(resource),
    ])
    .filter(([, is, declared]) => is !== declared);
  expect(wrong).toEqual([]);
});

it('what decides nothing is described so, and nothing else is', () => {
  const told = rowsBelow('Resources | Fields').flatMap(([resources, fields]) =>
    resources!.split(', ').flatMap((one) => fields!.split(', ').map((field) => `${one}.${field.slice(1, -1)}`)),
  );
  const described = model.resources.flatMap(({ collection, fields, settings, isAbstract }) =>
    fields
      .filter(({ description }) => description.endsWith('decides nothing.'))
      .flatMap(({ name }) => (settings.operations.create && !isAbstract ? `${collection}.${name}` : [])),
  );
  expect(described.sort()).toEqual(told.sort());
});

it('time flags stand in no default answer but those that it names', () => {
  expect(contract).toMatch(/time flags except `IsCurrent` of releases, iterations and team\siterations/);
  const shown = model.resources.flatMap(({ name, fields }) =>
    fields.flatMap((field) =>
      field.kind === 'scalar' && /^Is(?:Current|Now|Next|Previous)$/.test(field.name) && !field.isSynthetic
        ? [`${name}.${field.name}`]
        : [],
    ),
  );
  expect(shown.sort()).toEqual(['Iteration.IsCurrent', 'Release.IsCurrent', 'TeamIteration.IsCurrent']);
});

it.each([
  [contract, /all entities of a body\stogether ([\d,]+)/],
  [operations, /\| Tags of an entity[^;|]*; of all entities of a body together; [^|]+\| [\d,]+; ([\d,]+);/],
])('both documents tell how many tags a body may have', (text, row) => {
  expect(row.exec(text)?.[1]).toBe(bodyLimits.tags.toLocaleString('en'));
});

it('version 2 is described with each operator, function and aggregate that it has', () => {
  const spans = documentNamed('query-v2.md').match(/`[^`\n]+`/g)!;
  // Signs stand alone between blanks, and so do names; before a name there may be what it belongs to.
  const written = new Set(
    spans.flatMap(
      (span) =>
        span
          .slice(1, -1)
          .toLowerCase()
          .match(/[a-z]\w*|[^\s\w]+/g) ?? [],
    ),
  );
  const names = [
    ...comparisonSigns.keys(),
    ...partOperators.map(({ method }) => method),
    ...stateWords.keys(),
    ...functionRows.map(({ name }) => name),
    ...aggregateMethods.map(([method]) => method),
  ];
  expect([...new Set(names)].filter((name) => !written.has(name.toLowerCase()))).toEqual([]);
});
