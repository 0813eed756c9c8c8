/** The operations that are of no resource: one row for each. A route that is not listed here fails a test. */
import { contextSchema } from './context-schemas.js';
import { deletedSchemas, restoredProject, restoredUser } from './deleted-schemas.js';
import { fileOperations, fileSchemas } from './file-operations.js';
import { messageOperations, messageSchemas } from './message-operations.js';
import { type Paths, refTo, type Schema } from './openapi-types.js';
import {
  answer,
  attribute,
  attributes,
  both,
  flag,
  inJson,
  listOf,
  object,
  page,
  pathsOf,
  type Row,
  schema,
  text,
} from './operation-rows.js';
import { selection } from './parameters.js';
import { searchSchemas } from './search-schemas.js';
import { idSchema, wrapped } from './value-schemas.js';

const health = object({ status: { enum: ['ok', 'unavailable'] }, reasons: listOf({}) }, ['status']);
const typeByName = { type: ['string', 'integer'] };
const undelete = object({ EntityType: { anyOf: [typeByName, schema('NameableReferenceInput')] }, Id: idSchema });
const anyItem: Schema = {
  ...object({ ResourceType: text, Id: idSchema }),
  description: 'An item with the members of its kind.',
  additionalProperties: true,
};
const token = object({ Token: attribute(text) });
const indexInXml = {
  'application/xml': both(schema('MetadataIndex'), 'ResourceMetadataDescriptionIndex')['application/xml']!,
};

const rows: readonly Row[] = [
  {
    ...{ at: '/api/v1/Users/LoggedUser', method: 'get', id: 'getLoggedUser', tag: 'Users' },
    summary: 'The caller.',
    parameters: [...selection, 'ifNoneMatch'],
    answer: refTo('responses', 'User'),
  },
  {
    ...{ at: '/api/v1/Users/LoggedUser/Password', method: 'post', id: 'changeOwnPassword', tag: 'Users' },
    summary: 'Changes the password of the caller, whose other sessions and service token end.',
    parameters: ['format'],
    bodyName: 'Password',
    body: object({ CurrentPassword: text, NewPassword: { ...text, minLength: 8 } }),
    answer: answer('It was changed.', object({ Status: { const: 'Changed' } }), 'Password'),
  },
  {
    ...{ at: '/api/v1/Authentication', method: 'get', id: 'getServiceToken', tag: 'Callers' },
    summary: 'The service token of the caller, or, for administrators, of another user.',
    parameters: ['login', 'format'],
    answer: answer('The token.', token, 'Authentication'),
  },
  {
    ...{ at: '/api/v1/Authentication', method: 'post', id: 'renewServiceToken', tag: 'Callers' },
    summary: 'A new service token in place of the present one.',
    parameters: ['login', 'format'],
    answer: answer('The new token.', token, 'Authentication'),
  },
  {
    ...{ at: '/api/login/validate', method: 'post', id: 'validateLogin', tag: 'Callers', security: [] },
    summary: 'Whether a login and a password are right; 401 where they are not.',
    parameters: ['format'],
    bodyName: 'Login',
    body: object({ Username: text, Password: text }),
    answer: answer('They are right.', object({ isValid: attribute({ const: true }) }), 'Login'),
  },
  {
    ...{ at: '/api/v1/Search', method: 'get', id: 'search', tag: 'Search' },
    summary: 'Items of all kinds by words, the best first, with the pieces of text that hold them.',
    parameters: ['q', 'types', 'project', 'where', 'take', 'skip', 'acid', ...selection],
    answer: {
      ...answer('The items.', schema('SearchResults'), 'SearchResults'),
      headers: { Warning: refTo('headers', 'SearchWarning') },
    },
  },
  {
    ...{ at: '/api/v1/Context', method: 'get', id: 'getContext', tag: 'Context' },
    summary: 'Projects and teams in view, how their processes are set up, and the caller.',
    parameters: ['acid', 'ids', 'projectIds', 'teamIds', 'format'],
    answer: answer('The context.', schema('Context'), 'Context'),
  },
  {
    ...{ at: '/api/v1/Index/meta', method: 'get', id: 'listMetadata', tag: 'Metadata' },
    summary: 'The names and addresses of all resources.',
    parameters: ['format'],
    answer: {
      description: 'The index. In JSON its text repeats the entries behind `Items`, each below one and the same key.',
      content: { 'application/json': { schema: schema('MetadataIndexInJson') }, ...indexInXml },
    },
  },
  {
    ...{ at: '/api/v1/meta', method: 'get', id: 'describeEverything', tag: 'Metadata' },
    summary: 'The metadata of all resources; in XML the index.',
    parameters: ['format'],
    answer: {
      description: 'All metadata.',
      content: {
        'application/json': { schema: object({ Items: listOf(schema('Metadata')) }) },
        ...indexInXml,
      },
    },
  },
  {
    ...{ at: '/api/v1/{valueType}/meta', method: 'get', id: 'describeValueType', tag: 'Metadata' },
    summary: 'The metadata of a type of values.',
    parameters: ['valueType', 'format'],
    answer: answer('The metadata.', schema('Metadata'), 'ResourceMetadataDescription'),
  },
  {
    ...{ at: '/api/openapi.json', method: 'get', id: 'getOpenApi', tag: 'Metadata' },
    summary: 'This document.',
    parameters: ['ifNoneMatch'],
    answer: inJson(
      'An OpenAPI 3.1 document.',
      object({
        ...{ openapi: text, info: {}, servers: {}, tags: {}, security: {}, paths: {}, components: {} },
      }),
    ),
  },
  {
    ...{ at: '/api/docs', method: 'get', id: 'showApiPage', tag: 'Metadata' },
    summary: 'What there is in this document, as a page.',
    answer: page,
  },
  {
    ...{ at: '/api/docs/{tag}', method: 'get', id: 'showApiTagPage', tag: 'Metadata' },
    summary: 'The operations of one tag of this document, as a page.',
    parameters: ['tag'],
    answer: page,
  },
  {
    ...{ at: '/api/deleteditems/v1/projects', method: 'get', id: 'listDeletedProjects', tag: 'Restoring' },
    summary: 'Deleted projects, for administrators.',
    parameters: ['take', 'skip', 'search', 'dateformat', 'isodate'],
    answer: inJson('The latest deletion first.', listOf(schema('DeletedProject'))),
  },
  {
    ...{ at: '/api/deleteditems/v1/projects/{id}/restore', method: 'post', id: 'restoreProject', tag: 'Restoring' },
    summary: 'Restores a deleted project with what it held, for administrators.',
    parameters: ['id', 'idempotencyKey'],
    answer: inJson('What was restored.', restoredProject),
  },
  {
    ...{ at: '/api/deleteditems/v1/users', method: 'get', id: 'listDeletedUsers', tag: 'Restoring' },
    summary: 'Deleted users, for administrators.',
    parameters: ['take', 'skip', 'search', 'dateformat', 'isodate'],
    answer: inJson('The latest deletion first.', listOf(schema('DeletedUser'))),
  },
  {
    ...{ at: '/api/deleteditems/v1/users/{id}/restore', method: 'post', id: 'restoreUser', tag: 'Restoring' },
    summary: 'Restores a deleted user, for administrators.',
    parameters: ['id', 'idempotencyKey'],
    answer: inJson('Who was restored.', restoredUser),
  },
  {
    ...{ at: '/api/deletedprojects/v1', method: 'get', id: 'listFormerlyDeletedProjects', tag: 'Restoring' },
    summary: 'Deleted projects as older clients know them, for administrators.',
    parameters: ['take', 'skip', 'search'],
    answer: inJson('The latest deletion first.', listOf(schema('FormerlyDeletedProject'))),
  },
  {
    ...{ at: '/api/v1/undelete', method: 'post', id: 'undelete', tag: 'Restoring' },
    summary: 'Restores what is deleted of any kind, for administrators.',
    parameters: [...selection, 'idempotencyKey'],
    bodyName: 'Undelete',
    body: undelete,
    answer: answer('What was restored; in XML its root is named after its kind.', anyItem),
  },
  {
    ...{ at: '/health/live', method: 'get', id: 'isLive', tag: 'Health', security: [] },
    summary: 'Whether the process lives.',
    answer: inJson('It does.', health),
  },
  {
    ...{ at: '/health/ready', method: 'get', id: 'isReady', tag: 'Health', security: [] },
    summary: 'Whether the service can serve; 503 with reasons where it cannot.',
    parameters: ['readyFor'],
    answer: inJson('It can.', health),
    others: { 503: inJson('It cannot.', health) },
  },
];

const undeleteMany = (bulkLimit: number): Row => ({
  ...{ at: '/api/v1/undelete/bulk', method: 'post', id: 'undeleteMany', tag: 'Restoring' },
  summary: 'Restores many, all or nothing, for administrators.',
  parameters: [...selection, 'idempotencyKey'],
  bodyName: 'Undeletes',
  body: { ...wrapped(undelete, 'Undelete'), minItems: 1, maxItems: bulkLimit },
  answer: answer('What was restored, in the order of the request.', object({ Items: listOf(anyItem) })),
});

/** `bulkLimit`: how many entities one request may restore. */
export const fixedPaths = (bulkLimit: number): Paths =>
  pathsOf([...rows, undeleteMany(bulkLimit), ...fileOperations, ...messageOperations]);

const metadataField = object(
  attributes({
    Name: text,
    CanSet: flag,
    CanGet: flag,
    IsDeprecated: flag,
    IsRequired: flag,
    Type: text,
    IsTypeComplex: flag,
    IsSynthetic: flag,
    Description: text,
    Uri: text,
    CanAdd: flag,
    CanRemove: flag,
    IsBoundToParent: flag,
  }),
  ['Name', 'Type', 'Uri'],
);

const prefix = 'ResourceMetadata';
/** In XML elements of these names. */
const items = (item: Schema, name: string): Schema => object({ Items: listOf({ ...item, xml: { name } }) });
const relative = (name: string): Schema => items(object(attributes({ Name: text, Uri: text }), []), name);
const fieldsOf = (name: string): Schema => items(metadataField, name);
const indexEntry = object(attributes({ Name: text, Uri: text, Description: text }));

export const fixedSchemas: Readonly<Record<string, Schema>> = {
  ...fileSchemas,
  ...messageSchemas,
  ...searchSchemas,
  ...deletedSchemas,
  Metadata: object({
    ...attributes({ Name: text, CanCreate: flag, CanUpdate: flag, CanDelete: flag }),
    ...attributes({ IndexUri: text, Uri: text, Description: text }),
    [`${prefix}HierarchyDescription`]: object({
      [`${prefix}BaseResourceDescription`]: relative(`${prefix}BaseResourceItemDescription`),
      [`${prefix}DerivedResourceDescription`]: relative(`${prefix}DerivedResourceItemDescription`),
    }),
    [`${prefix}PropertiesDescription`]: object({
      [`${prefix}PropertiesResourceValuesDescription`]: fieldsOf('ResourceFieldMetadataDescription'),
      [`${prefix}PropertiesResourceReferencesDescription`]: fieldsOf('ResourceFieldMetadataDescription'),
      // Clients depend on the spelling.
      [`${prefix}PropertiesResourceCollectionsDescription`]: fieldsOf('ResourceCollecitonFieldMetadataDescription'),
    }),
    [`${prefix}RemarksDescription`]: object(attributes({ Body: text })),
  }),
  MetadataIndex: object({
    ...attributes({ IndexUri: text }),
    ...(items(indexEntry, `${prefix}Description`).properties as Schema),
  }),
  MetadataIndexInJson: object({ IndexUri: text, Items: listOf(indexEntry), [`${prefix}Description`]: indexEntry }),
  Context: contextSchema,
};
