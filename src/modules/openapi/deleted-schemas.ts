/** Schemas of what is deleted, as lists of it tell, and of what restoring answers. */
import { refTo, type Schema } from './openapi-types.js';
import { nullableText, object, text } from './operation-rows.js';
import { idSchema, withNull } from './value-schemas.js';

const date = refTo('schemas', 'Date');
const named = (type: string): Schema => object({ resourceType: { const: type }, id: idSchema, name: nullableText });
const person = { id: idSchema, firstName: nullableText, lastName: nullableText, email: nullableText };
const user = { resourceType: { const: 'User' }, kind: text, ...person };

export const restoredProject = named('Project');

export const restoredUser = object(user);

export const deletedSchemas: Readonly<Record<string, Schema>> = {
  DeletedProject: object({
    ...{ resourceType: { const: 'Project' }, id: idSchema, name: nullableText, deleteDate: date, color: nullableText },
    process: withNull(named('Process')),
    lastEditor: withNull(object({ resourceType: { const: 'GeneralUser' }, ...person })),
  }),
  DeletedUser: object({
    ...user,
    ...{ deleteDate: date, modifyDate: withNull({ ...date }), avatarUri: nullableText },
    role: withNull(named('Role')),
  }),
  FormerlyDeletedProject: object({
    ...{ id: idSchema, name: nullableText, abbreviation: nullableText },
    program: withNull(object({ id: idSchema, name: nullableText })),
    deleteDate: { ...text, description: 'As the clocks of the service show it.' },
    lastEditor: withNull(object({ id: idSchema, fullName: text })),
  }),
};
