/** Bytes of files: how they come, how they are answered, and the pictures that are made of them. */
import { type Content, type Response, refTo, type Schema } from './openapi-types.js';
import { flag, inJson, listOf, nullableText, object, type Row, schema, text } from './operation-rows.js';
import { idSchema, withNull } from './value-schemas.js';

const bytes: Schema = { type: 'string', contentMediaType: 'application/octet-stream' };
const files: Schema = { ...listOf(bytes), minItems: 1, description: 'One or more files, under any names.' };
const pictures: Content = { 'image/jpeg': { schema: {} }, 'image/png': { schema: {} } };

export const filesForm: Content = { 'multipart/form-data': { schema: schema('FilesForm') } };

const pictureForm: Content = { 'multipart/form-data': { schema: schema('PictureForm') } };

const ofFile = { ETag: refTo('headers', 'ETag') };

const parts: Response = {
  description: 'The range that was asked for, or several.',
  headers: { ...ofFile, 'Content-Range': refTo('headers', 'ContentRange') },
  content: { '*/*': { schema: {} }, 'multipart/byteranges': { schema: {} } },
};

export const fileOperations: readonly Row[] = [
  {
    ...{ at: '/UploadFile.ashx', method: 'post', id: 'uploadFiles', tag: 'Attachments' },
    summary: 'Attaches the files of a form to an item, all or none.',
    parameters: ['idempotencyKey'],
    content: filesForm,
    answer: inJson('The attachments.', object({ items: listOf(schema('UploadedFile')) })),
  },
  {
    ...{ at: '/Attachment.aspx', method: 'get', id: 'downloadAttachment', tag: 'Attachments' },
    summary: 'The bytes of a file, or ranges of them.',
    parameters: ['attachmentId', 'range', 'ifRange', 'fileIfMatch', 'ifNoneMatch'],
    answer: { description: 'The file, with its own type.', headers: ofFile, content: { '*/*': { schema: {} } } },
    others: { 206: parts, 412: refTo('responses', '412'), 416: refTo('responses', '416') },
  },
  {
    ...{ at: '/AttachmentThumbnail.aspx', method: 'get', id: 'showThumbnail', tag: 'Attachments' },
    summary: 'A small picture of a file that is one; 404 where it is none.',
    parameters: ['attachmentId', 'width', 'height', 'ifNoneMatch'],
    answer: { description: 'The picture.', headers: ofFile, content: pictures },
  },
  {
    ...{ at: '/avatar.ashx', method: 'get', id: 'showAvatar', tag: 'Users' },
    summary: 'The picture of a user, or one that stands for it.',
    parameters: ['userId', 'ifNoneMatch'],
    answer: { description: 'The picture.', headers: ofFile, content: pictures },
  },
  {
    ...{ at: '/avatar.ashx', method: 'post', id: 'replaceAvatar', tag: 'Users' },
    summary: 'Replaces the picture of the caller, or, for administrators, of another user.',
    parameters: ['userId', 'format', 'idempotencyKey'],
    content: pictureForm,
    answer: refTo('responses', 'GeneralUser'),
  },
  {
    ...{ at: '/avatar.ashx', method: 'delete', id: 'removeAvatar', tag: 'Users' },
    summary: 'Removes the picture of the caller, or, for administrators, of another user.',
    parameters: ['userId', 'format', 'idempotencyKey'],
    answer: refTo('responses', 'GeneralUser'),
  },
];

const named = withNull(object({ resourceType: text, id: idSchema, name: nullableText }));
const names = { firstName: nullableText, lastName: nullableText, login: nullableText, fullName: nullableText };
const owner = withNull(object({ resourceType: text, id: idSchema, ...names }));
/** Messages have no name. */
const message = withNull(object({ resourceType: text, id: idSchema }));

export const fileSchemas: Readonly<Record<string, Schema>> = {
  FilesForm: {
    ...object({ generalId: { ...idSchema, description: 'What the files belong to.' }, description: text, file: files }),
    required: ['generalId', 'file'],
  },
  PictureForm: object({ image: { ...bytes, description: 'A picture in PNG, JPEG, GIF or WebP, under any name.' } }),
  UploadedFile: object({
    ...{ resourceType: { const: 'Attachment' }, id: idSchema, name: text, uniqueFileName: nullableText },
    ...{ description: nullableText, date: nullableText, uri: text, thumbnailUri: nullableText, mimeType: nullableText },
    ...{ size: { type: 'integer' }, owner, general: named, message, assignable: named },
    ...{ persistedMimeType: nullableText, persistedSize: { type: 'integer' }, isEmpty: flag },
  }),
};
