/** What is kept of a selection changes no statement: it is the same as one that is worked out from nothing. */
import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { compilePage } from '../../src/query/compile.js';
import { compileQuery } from '../../src/query/compile-query.js';
import type { Condition, CustomFieldCatalogue } from '../../src/query/meaning.js';
import { parseParameters } from '../../src/query/parameters.js';
import { parseQuery } from '../../src/query/parse-query.js';
import { resolve } from '../../src/query/resolve.js';
import { scope } from '../../src/query/scope.js';
import { StatementCache } from '../../src/query/statement-cache.js';
import { jsonRepresentation } from '../../src/representation/json.js';
import { xmlRepresentation } from '../../src/representation/xml.js';

const model = buildModel(resourceEntities);
const defined = (name: string): CustomFieldCatalogue => ({
  timeZone: 'UTC',
  groups: (kinds) =>
    kinds.includes(4)
      ? [{ processId: 3, entityTypeId: 4, fields: [{ name, type: 'DropDown', options: ['High', 'Low'] }] }]
      : [],
});
const risk = defined('Risk');

const formats = [
  { formatName: 'json:ms', format: jsonRepresentation({ dates: 'ms', utc: true }), tail: 'format=json&' },
  { formatName: 'json:iso', format: jsonRepresentation({ dates: 'iso', utc: true }), tail: 'isodate=true&' },
  { formatName: 'xml:ms', format: xmlRepresentation, tail: '' },
];
const shapes = ['administrator', 'member'] as const;
type Asked = (typeof formats)[number] & { kind: string; shape: (typeof shapes)[number] };

function both(
  statements: StatementCache,
  text: string,
  { kind, shape, ...style }: Asked,
  catalogue = risk,
  extra: Condition[] = [],
) {
  const query = () => parseQuery(parseParameters(text));
  const resource = model.resource(kind);
  const plan = resolve(query(), resource, catalogue);
  plan.where.push(...extra);
  const kept = compileQuery(query(), { ...style, shape, resource, catalogue, statements, extra });
  return { kept, fromNothing: compilePage(scope(plan, shape), style.format, style) };
}

const selections = [
  '',
  'include=[Name,Project[Name],Tasks[Name,Effort],Assignments[Role[Name],GeneralUser[FirstName]]]&append=[Tasks-Count]',
  'include=[Owner,Project,Team,EntityState,Priority,Release]',
  'include=[CustomFields]',
  'include=[Name,Tasks[Name]]&innerTake=3',
  'exclude=[Description]&append=[Bugs-Effort-Sum]',
];
const rows = [
  '',
  "where=(EntityState.Name eq 'Open') and (Id gt 5)",
  "where=(EntityState.Name eq 'Open') and (Id gt 6)",
  "where=CustomFields.Risk eq 'high'&orderBy=Project.Name",
  'orderByDesc=CreateDate&take=3&skip=7',
  'where=DeleteDate is not null&take=200',
  "where=Tasks.Name contains 'a'",
];

describe.each(selections)('with %s', (selection) => {
  it('statements are what they are for a selection that is new', () => {
    const statements = new StatementCache({ version: 1 });
    for (const kind of selection.includes('Tasks') || selection.includes('Bugs') ? ['UserStory'] : ['UserStory', 'Bug'])
      for (const row of rows.filter((text) => kind === 'UserStory' || !/Risk|Tasks/.test(text)))
        for (const shape of shapes)
          for (const format of formats) {
            const { kept, fromNothing } = both(statements, `${selection}&${row}`, { kind, shape, ...format });
            expect(kept).toEqual(fromNothing);
          }
  });
});

const asAdministrator: Asked = { kind: 'UserStory', shape: 'administrator', ...formats[0]! };

it('an inner collection has its owner in the statement, and leaves nothing behind', () => {
  const statements = new StatementCache({ version: 1 });
  const field = model.resource('Project').field('UserStories');
  if (field?.kind !== 'collection') throw new Error('projects have stories');
  const inside: Condition = { kind: 'inside', field, owner: model.resource('Project'), where: [] };
  for (const extra of [[inside], []]) {
    const { kept, fromNothing } = both(statements, 'include=[Name]', asAdministrator, risk, extra);
    expect(kept).toEqual(fromNothing);
    expect(kept.parameters.some((one) => one.kind === 'late' && one.late === 'id')).toBe(extra.length > 0);
  }
});

it('is forgotten when definitions of custom fields have changed', () => {
  const definitions = { version: 1 };
  const statements = new StatementCache(definitions);
  const text = 'include=[CustomFields]';
  expect(both(statements, text, asAdministrator).kept.text).toContain('"Risk"');
  definitions.version = 2;
  expect(both(statements, text, asAdministrator, defined('Hazard')).kept.text).toContain('"Hazard"');
});

it('what is refused is refused each time, in the same words', () => {
  const statements = new StatementCache({ version: 1 });
  const refusal = (text: string): string => {
    try {
      both(statements, text, asAdministrator);
      return 'nothing refused';
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const text of [
    'include=[Nam]',
    `include=[${'Id,'.repeat(200)}Id]`,
    'include=[Id]&exclude=[Name]',
    "where=Nam eq 'x'",
  ]) {
    expect(refusal(text)).not.toBe('nothing refused');
    expect(refusal(text)).toBe(refusal(text));
  }
});
