/** The members of every error, a row each, in their order: what JSON, XML and the OpenAPI document show. */
import { errorCodes, statusCodes } from '../error-codes.js';
import type { ApiError } from '../errors.js';

export interface ErrorMember {
  readonly name: string;
  readonly of: (error: ApiError, errorId: string) => unknown;
  /** In JSON alone: what only clients of the original read. */
  readonly isJsonOnly?: boolean;
  /** In the document: whether clients may rely on it, and what it is. */
  readonly isRequired?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

export const errorMembers: readonly ErrorMember[] = [
  {
    name: 'Status',
    of: ({ status }) => status,
    isRequired: true,
    schema: { type: 'string', enum: Object.keys(statusCodes), description: 'The status in words.' },
  },
  {
    name: 'Message',
    of: ({ message }) => message,
    isRequired: true,
    schema: { type: 'string', description: 'What was wrong, in words of the request.' },
  },
  { name: 'Type', of: () => 'Presentational', isRequired: true, schema: { type: 'string', const: 'Presentational' } },
  {
    name: 'Details',
    of: ({ message, phrase: { token, parts } }) => ({
      Items: [{ Type: 'Simple', Message: { Token: token, Data: parts, Value: message } }],
    }),
    isJsonOnly: true,
    schema: {
      type: 'object',
      properties: { Items: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } } },
      required: ['Items'],
    },
  },
  {
    name: 'Code',
    of: ({ code }) => code,
    schema: {
      type: 'string',
      // No enum: strict clients would break with each code that is added.
      description:
        `What was wrong, for programs; it stays when messages change. One of ${errorCodes.join(', ')}; ` +
        'others may be added.',
    },
  },
  {
    name: 'ErrorId',
    of: (_, errorId) => errorId,
    isRequired: true,
    schema: { type: 'string', format: 'uuid', description: 'What the log of the service knows it by.' },
  },
];
