import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../model/build-model.js';
import { resourceEntities } from '../modules/entities.js';
import { atOnce } from '../turns/slices.js';
import { parseJson } from './parse-json.js';
import { resolveCommand } from './resolve-command.js';

const model = buildModel(resourceEntities);

function resolved(resource: string, body: unknown, id?: number) {
  const parsed = atOnce(parseJson(Buffer.from(JSON.stringify(body))));
  if (parsed.kind !== 'one') throw new Error('a list');
  const place = { path: '', timeZone: 'Europe/Berlin' };
  const command = atOnce(resolveCommand(parsed.entity, model.resource(resource), id, place));
  return {
    id: command.id,
    ...Object.fromEntries(command.scalars.map(({ field, value }) => [field.name, value])),
    ...Object.fromEntries(command.references.map(({ field, to }) => [field.name, to])),
  };
}

describe('takes', () => {
  it.each([
    ['UserStory', {}, { id: undefined }],
    ['UserStory', { Id: 5 }, { id: 5 }],
    ['UserStory', { id: '5' }, { id: 5 }],
    ['UserStory', { Id: null, name: 'x' }, { id: undefined, Name: 'x' }],
    ['UserStory', { NAME: 5 }, { Name: '5' }],
    ['UserStory', { InitialEstimate: '3.50' }, { InitialEstimate: '3.50' }],
    ['UserStory', { InitialEstimate: 1e3 }, { InitialEstimate: '1000' }],
    ['UserStory', { NumericPriority: 112.5 }, { NumericPriority: 112.5 }],
    ['UserStory', { StartDate: '2026-07-16' }, { StartDate: new Date('2026-07-15T22:00:00Z') }],
    ['UserStory', { StartDate: null }, { StartDate: null }],
    ['UserStory', { StartDate: '' }, { StartDate: null }],
    ['UserStory', { Description: '' }, { Description: '' }],
    ['Project', { IsActive: 'false' }, { IsActive: false }],
    ['Project', { IsActive: 1 }, { IsActive: true }],
    ['Request', { SourceType: 'email' }, { SourceType: 'Email' }],
    ['UserStory', { Feature: { Id: 7, Name: 'ignored' } }, { Feature: { kind: 'id', id: 7 } }],
    ['UserStory', { Feature: { Id: '7' } }, { Feature: { kind: 'id', id: 7 } }],
    ['UserStory', { Feature: null }, { Feature: { kind: 'none' } }],
    ['UserStory', { Feature: { Id: null } }, { Feature: { kind: 'none' } }],
    ['UserStory', { EntityState: { Name: 'Done' } }, { EntityState: { kind: 'name', name: 'Done' } }],
    ['UserStory', { Creator: { Id: 3 } }, { Creator: { kind: 'id', id: 3 } }],
  ])('%s %j', (resource, body, expected) => expect(resolved(resource, body)).toMatchObject(expected));

  it.each([
    ['ResourceType', 'Bug'],
    ['CreateDate', '2026-01-01'],
    ['ModifyDate', 'nonsense'],
    ['TimeSpent', 'many'],
    ['TimeSpent', 3],
    ['EntityType', { Id: 4 }],
    ['LastCommentedUser', 5],
    ['Progress', 2],
    ['DeleteDate', null],
  ])('and ignores %s, which is not settable', (name, value) => {
    expect(Object.keys(resolved('UserStory', { [name]: value }))).toEqual(['id']);
  });
});

describe('refuses', () => {
  it.each([
    ['UserStory', { Id: 'abc' }, 'Id: an Id is a whole number from 0 to 9007199254740991.'],
    ['UserStory', { Id: 1.5 }, 'Id: an Id is a whole number from 0 to 9007199254740991.'],
    ['UserStory', { Id: -1 }, 'Id: an Id is a whole number from 0 to 9007199254740991.'],
    ['UserStory', { Nam: 'x' }, "Nam: 'UserStory' has no such field. Did you mean 'Name'?"],
    ['UserStory', { __proto__x: 1 }, "__proto__x: 'UserStory' has no such field."],
    ['UserStory', { constructor: 1 }, "constructor: 'UserStory' has no such field."],
    ['UserStory', { Name: null }, 'Name: a value is required.'],
    ['UserStory', { Name: true }, 'Name: a text is needed.'],
    ['UserStory', { Name: {} }, 'Name: a text is needed.'],
    ['UserStory', { Project: 5 }, 'Project: a reference is an object with an Id'],
    ['UserStory', { Project: [] }, 'Project: a reference is an object with an Id'],
    ['UserStory', { Project: {} }, 'Project: a reference needs the Id of an existing entity.'],
    ['UserStory', { Project: { Name: 'x' } }, 'Project: a reference needs the Id of an existing entity.'],
    ['UserStory', { InitialEstimate: '1,5' }, 'InitialEstimate: a number is needed.'],
    [
      'UserStory',
      { InitialEstimate: 1e30 },
      'InitialEstimate: a number with at most 14 digits before the point is needed.',
    ],
    ['UserStory', { StartDate: '31.12.2026' }, 'StartDate: a date such as'],
    ['UserStory', { StartDate: 'Today' }, 'StartDate: a date such as'],
    ['Project', { IsActive: 'maybe' }, 'IsActive: true or false is needed.'],
    [
      'Request',
      { SourceType: 'Pigeon' },
      'SourceType: one of the known names is needed: None, Email, Phone, Internal, External.',
    ],
    [
      'UserStory',
      { Tags: 'a', TagObjects: [{ Name: 'b' }] },
      'TagObjects: Tags and TagObjects cannot be used in one request. Use either of them.',
    ],
    ['UserStory', { Tags: ['a'] }, 'Tags: tags are one text with commas between them, such as "a,b".'],
    [
      'UserStory',
      { Tasks: 5 },
      'Tasks: a collection is a list […], or an object with Items; in XML elements that are named after their kind.',
    ],
    [
      'UserStory',
      { Tasks: { Name: 'x' } },
      'Tasks: a collection is a list […], or an object with Items; in XML elements that are named after their kind.',
    ],
    ['UserStory', { Times: [{ Id: 5 }, { Spent: 1 }] }, 'Times[1]: no Time can be created here; send it to Times.'],
    ['Project', { Bugs: [{ Name: 'x' }] }, 'Bugs[0]: no Bug can be created here; send it to Bugs.'],
    [
      'UserStory',
      { Times: 5 },
      'Times: a collection is a list […], or an object with Items; in XML elements that are named after their kind.',
    ],
    [
      'UserStory',
      { Tasks: [5] },
      'Tasks[0]: an object is expected, such as {"Id": 5}, in XML an element such as <Task Id="5" />.',
    ],
    ['UserStory', { Tasks: [{ Nam: 'x' }] }, "Tasks[0].Nam: 'Task' has no such field. Did you mean 'Name'?"],
    [
      'UserStory',
      { Owner: { Id: 1 }, Creator: { Id: 2 } },
      'Creator: another member means the same field and says something else.',
    ],
  ])('%s %j', (resource, body, message) => expect(() => resolved(resource, body)).toThrow(message));

  it('ids that disagree', () => {
    expect(() => resolved('UserStory', { Id: 6 }, 5)).toThrow('Id: the body says 6, the address says 5.');
    expect(resolved('UserStory', { Id: 5 }, 5)).toMatchObject({ id: 5 });
  });
});
