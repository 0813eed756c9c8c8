/**
 * The whole statement of typical requests of version 2, kept as files, so that a change of the SQL is seen in the diff.
 */
import 'reflect-metadata';
import { expect, it } from 'vitest';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { StatementCache } from '../../src/query/compile/statement-cache.js';
import type { CustomFieldCatalogue } from '../../src/query/meaning.js';
import { compileQueryV2 } from '../../src/query/v2/compile-query.js';
import { parseQueryV2 } from '../../src/query/v2/query-v2.js';
import { jsonV2Representation } from '../../src/representation/json-v2.js';

const model = buildModel(resourceEntities);
const json = jsonV2Representation({ dates: 'ms', utc: true });

const catalogue: CustomFieldCatalogue = {
  timeZone: 'UTC',
  groups: (kinds) =>
    kinds.includes(4)
      ? [{ processId: 3, entityTypeId: 4, fields: [{ name: 'Risk', type: 'DropDown', options: ['High', 'Low'] }] }]
      : [],
};

const nested =
  'select={id,name,features:features.select({id,name,stories:userstories.where(entityState.isFinal==false).select({id,name,tasks:tasks.count()})})}&take=25';

it.each([
  ['v2-nested', 'Epic', nested, 'administrator'],
  ['v2-nested-member', 'Epic', nested, 'member'],
  ['v2-releases-of-project', 'Release', "where=(Projects.Count(ID=='7')>0)&select={id}", 'administrator'],
  [
    'v2-conditions',
    'UserStory',
    "where=(entityState.name=='Open' or tasks.count()>2) and not(feature.epic.name=='x') and Risk=='high'&select=id&orderBy=effort desc",
    'administrator',
  ],
  [
    'v2-project-and-state',
    'UserStory',
    "where=entityState.name in ['Open','Done'] and project.id==7 and id>5&select={id,name}",
    'member',
  ],
  [
    'v2-slow-conditions-of-a-member',
    'UserStory',
    "where=name.toUpper()=='X' and project.id==5 and comments.count(description.contains('x'))>0 and feature.description.length()>5&select=id",
    'member',
  ],
  ['v2-questions-of-a-member', 'UserStory', 'where=assignments.count(generalUser.id==5)>0&select=id', 'member'],
  ['v2-private', 'User', "where=login.startsWith('a')&select={id,login}&orderBy=email", 'member'],
  ['v2-result', 'UserStory', 'result={count,sum(effort),big:count(effort>8)}', 'administrator'],
  ['v2-groups', 'UserStory', 'groupBy=state:entityState.name&result={count,sum(effort)}', 'administrator'],
] as const)('%s', async (name, resource, text, shape) => {
  const query = parseQueryV2(text.replaceAll('+', '%2B'), 16_384);
  const statement = compileQueryV2(query, {
    resource: model.resource(resource),
    shape,
    json,
    model,
    catalogue,
    statements: new StatementCache({ version: 1 }),
    extent: 'page',
  });
  const values = statement.parameters.map((one) => (one.kind === 'late' ? `<${one.late}>` : JSON.stringify(one.value)));
  await expect(`-- ${text}\n-- values: ${values.join(', ')}\n${readable(statement.text)}\n`).toMatchFileSnapshot(
    `${name}.sql`,
  );
});

it('keeps what the client wrote out of the text of the statement', () => {
  const text =
    "where=name=='zqa' or id in [7654321] or name.contains('zqb')&select={zqc:name,n:name.replace('zqd','zqe')+'zqf'}&filter=zqg";
  const query = parseQueryV2(text.replaceAll('+', '%2B'), 16_384);
  const asking = {
    resource: model.resource('UserStory'),
    shape: 'member',
    json,
    model,
    catalogue,
    statements: new StatementCache({ version: 1 }),
    extent: 'page',
  } as const;
  expect(compileQueryV2(query, asking).text).not.toMatch(/zq|7654321/);
});

/** One piece a line, for reading only. */
function readable(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replace(/ \|\| /g, '\n  || ')
    .replace(/ (from|join|where|order by|limit) /g, '\n$1 ');
}
