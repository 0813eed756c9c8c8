/** The whole statement of typical requests, kept as files, so that a change of the SQL is seen in the diff. */
import 'reflect-metadata';
import { expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { compilePage, isJoined, spellItems } from '../../src/query/compile/page.js';
import type { CustomFieldCatalogue } from '../../src/query/meaning.js';
import { parseParameters } from '../../src/query/parameters.js';
import { scope } from '../../src/query/scope.js';
import { resolve } from '../../src/query/v1/compile-query.js';
import { parseQuery } from '../../src/query/v1/parse.js';
import { jsonRepresentation } from '../../src/representation/json.js';
import { xmlRepresentation } from '../../src/representation/xml.js';

const model = buildModel(resourceEntities);

/** Two processes that define fields for stories, one of them of the same name. */
const catalogue: CustomFieldCatalogue = {
  timeZone: 'UTC',
  groups: (kinds) =>
    kinds.includes(4)
      ? [
          { processId: 2, entityTypeId: 4, fields: [{ name: 'Risk', type: 'DropDown', options: ['High', 'Low'] }] },
          { processId: 3, entityTypeId: 4, fields: [{ name: 'Risk', type: 'DropDown', options: ['High', 'Low'] }] },
        ]
      : [],
};

/** Definitions of several kinds and types, more pointers among them than are compiled in. */
const several: CustomFieldCatalogue = {
  timeZone: 'UTC',
  groups: () => [
    { processId: null, entityTypeId: 23, fields: [{ name: 'Floor', type: 'Number', options: [] }] },
    { processId: 2, entityTypeId: 1, fields: [{ name: 'Until', type: 'Date', options: [] }] },
    {
      processId: 2,
      entityTypeId: 4,
      fields: [
        ...['Leads to', 'Waits for', 'Made of', 'Seen in', 'Asked in'].map((name) => ({
          name,
          type: 'Entity' as const,
          options: [],
          target: { resource: model.general, people: model.person, where: [] },
        })),
        { name: 'Risk', type: 'DropDown', options: [] },
      ],
    },
  ],
};

const definitions = (name: string): CustomFieldCatalogue =>
  name === 'custom-fields-of-a-member' ? several : catalogue;

const reference =
  'include=[Id,Name,Effort,Project[Id,Name],EntityState[Id,Name],Tasks[Id,Name,Effort],Assignments[Role[Name],GeneralUser[FirstName,LastName]]]' +
  "&append=[Tasks-Count,Bugs-Count]&where=(EntityState.Name eq 'In Progress') and (Project.Id eq 7)&take=25";

const json = jsonRepresentation({ dates: 'ms', utc: true });
const zoned = jsonRepresentation({ dates: 'ms', utc: false });

it.each([
  ['reference-list-json', 'UserStory', reference, json, 'administrator'],
  ['reference-list-xml', 'UserStory', reference, xmlRepresentation, 'administrator'],
  ['reference-list-member', 'UserStory', reference, json, 'member'],
  ['default-story-json', 'UserStory', 'take=1', json, 'administrator'],
  ['default-story-xml', 'UserStory', 'take=1', xmlRepresentation, 'administrator'],
  ['zoned-dates', 'Comment', 'include=[CreateDate]', zoned, 'administrator'],
  ['generals-of-a-member', 'General', 'include=[Name]', json, 'member'],
  [
    'slow-conditions-of-a-member',
    'UserStory',
    "include=[Id]&where=(Description contains 'x') and (Id eq 5) and (Feature.Description contains 'y') and (Tasks.Description contains 'z')",
    json,
    'member',
  ],
  ['private-fields-of-a-member', 'User', "include=[Login]&where=Email eq 'x'&orderBy=Login", json, 'member'],
  ['paths-through-collections', 'Bug', 'include=[Id]&where=TestPlanRuns.TestPlan.Id eq 234', json, 'administrator'],
  [
    'custom-field-filter',
    'UserStory',
    "include=[Id]&where=CustomFields.Risk eq 'high'&orderBy=CustomFields.Risk",
    json,
    'administrator',
  ],
  ['tags', 'UserStory', "include=[Id]&where=Tags contains '*urg*'", json, 'administrator'],
  [
    'nothing-referred-to',
    'UserStory',
    'include=[Id]&where=(Feature is null) and (AssignedUser is null)',
    json,
    'administrator',
  ],
  ['not-equal', 'UserStory', "include=[Id]&where=Release.Name ne 'x'", json, 'administrator'],
  ['order-by-reference', 'UserStory', 'include=[Id]&orderByDesc=Project.Name,Effort asc', json, 'administrator'],
  ['long-page', 'UserStory', 'include=[Name,Project]&take=101&skip=10', json, 'administrator'],
  ['deleted-users', 'User', 'include=[Id]&where=DeleteDate is not null', json, 'administrator'],
  ['custom-fields-of-a-member', 'General', 'include=[CustomFields]', json, 'member'],
] as const)('%s', async (name, resource, text, format, shape) => {
  const plan = resolve(parseQuery(parseParameters(text)), model.resource(resource), definitions(name));
  const seen = scope(plan, shape);
  const statement = compilePage(seen, spellItems(seen, format, { tail: 'format=json&' }, isJoined(seen)));
  const values = statement.parameters.map((one) => (one.kind === 'late' ? `<${one.late}>` : JSON.stringify(one.value)));
  await expect(`-- ${text}\n-- values: ${values.join(', ')}\n${readable(statement.text)}\n`).toMatchFileSnapshot(
    `${name}.sql`,
  );
});

/** One piece a line, for reading only. */
function readable(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replace(/ \|\| /g, '\n  || ')
    .replace(/ (from|join|where|order by|limit) /g, '\n$1 ');
}
